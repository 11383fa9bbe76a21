import { HotplugError } from "../model/errors.ts";
import { nameAlone, type ToolAddress } from "./public_name.ts";

/** Names of tools that agents bring along; no server may offer them by their bare name. */
export const RESERVED_NAMES: readonly string[] = ["bash", "read_file", "write_file", "apply_patch"];

/** Whether the first of two servers stands before the second in the plan. */
export type StandsBefore = (server: string, other: string) => boolean;

/** What becomes of a server that asks for the bare names of its tools. */
export interface NameVerdict {
  /** Why it cannot be offered; `null` when it can. */
  readonly refusal: HotplugError | null;
  /** Servers that stand later and lose a name to it, and why they cannot be offered any more. */
  readonly evicted: ReadonlyMap<string, HotplugError>;
}

/**
 * Who may offer tools by their bare names: the server that asked first, or of several that come up
 * in one go the one that stands first in the plan. A claimed name stays with its server, also when
 * that has ended, until all is judged anew.
 */
export class BareNames {
  readonly #reserved: ReadonlySet<string>;
  /** The server of each claimed name. */
  readonly #claims = new Map<string, string>();
  /** Names that a server which stands earlier may still get: claimed in a go that is under way. */
  readonly #fresh = new Set<string>();
  /** How many goes are under way. */
  #goes = 0;

  /** Nothing is claimed. `reserved` are the host's own names, besides {@linkcode RESERVED_NAMES}. */
  constructor(reserved: readonly string[] = []) {
    this.#reserved = new Set([...RESERVED_NAMES, ...reserved]);
  }

  /** The name of a tool: its own one in the allowed characters. */
  nameOf(address: ToolAddress): string {
    return nameAlone(address, "bare");
  }

  /** What would become of a server that offers these tools. */
  judge(server: string, tools: readonly string[], standsBefore: StandsBefore): NameVerdict {
    const own = new Map<string, string>();
    const evicted = new Map<string, HotplugError>();
    for (const tool of new Set(tools)) {
      const name = this.nameOf({ server, tool });
      const same = own.get(name);
      if (same !== undefined) return refused(sameName(server, tool, same, name));
      if (this.#reserved.has(name)) return refused(reserved(server, tool, name));
      own.set(name, tool);
      const claimant = this.#claims.get(name) ?? server;
      if (claimant === server) continue;
      if (!this.#fresh.has(name) || !standsBefore(server, claimant)) {
        return refused(taken(server, tool, name, claimant));
      }
      evicted.set(claimant, taken(claimant, null, name, server));
    }
    return { refusal: null, evicted };
  }

  /** The same, and lets it have the names if it can be offered. */
  claim(server: string, tools: readonly string[], standsBefore: StandsBefore): NameVerdict {
    const verdict = this.judge(server, tools, standsBefore);
    if (verdict.refusal !== null) return verdict;
    for (const [name, claimant] of this.#claims) {
      // One that is not offered needs none of the names that it has just got.
      if (verdict.evicted.has(claimant) && this.#fresh.has(name)) this.#free(name);
    }
    for (const tool of tools) {
      const name = this.nameOf({ server, tool });
      if (this.#claims.get(name) === server) continue;
      this.#claims.set(name, server);
      if (this.#goes > 0) this.#fresh.add(name);
    }
    return verdict;
  }

  /**
   * Begins a go: of the servers that come up in it the one that stands first gets a name.
   * @returns What ends it: then the names stay where they are.
   */
  begin(): () => void {
    this.#goes++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#goes--;
      if (this.#goes === 0) this.#fresh.clear();
    };
  }

  /** Begins anew, within a go: only what is on offer keeps its names, as long as none stands earlier. */
  renew(offered: ReadonlyMap<string, readonly string[]>): void {
    this.#claims.clear();
    this.#fresh.clear();
    for (const [server, tools] of offered) {
      for (const tool of tools) {
        const name = this.nameOf({ server, tool });
        this.#claims.set(name, server);
        this.#fresh.add(name);
      }
    }
  }

  /** Lets go of all names of a server that is no more. */
  release(server: string): void {
    for (const [name, claimant] of this.#claims) if (claimant === server) this.#free(name);
  }

  #free(name: string): void {
    this.#claims.delete(name);
    this.#fresh.delete(name);
  }
}

function refused(refusal: HotplugError): NameVerdict {
  return { refusal, evicted: new Map() };
}

function reserved(server: string, tool: string, name: string): HotplugError {
  return new HotplugError(
    "tool-name-taken",
    `Cannot offer the tools of "${server}": the name "${name}" is the agent's own`,
    { hint: `Leave "${tool}" out by disabledTools`, details: { tool, name, claimant: null } },
  );
}

function sameName(server: string, tool: string, other: string, name: string): HotplugError {
  return new HotplugError(
    "tool-name-taken",
    `Cannot offer the tools of "${server}": "${other}" and "${tool}" would both be called "${name}"`,
    {
      hint: "Leave one of them out by disabledTools",
      details: { tool, name, claimant: server },
    },
  );
}

/** @param tool The server's own name for it; `null` when that is the public name. */
function taken(
  server: string,
  tool: string | null,
  name: string,
  claimant: string,
): HotplugError {
  return new HotplugError(
    "tool-name-taken",
    `Cannot offer the tools of "${server}": the name "${name}" is that of a tool of "${claimant}"`,
    {
      hint: `Leave "${tool ?? name}" out by disabledTools on one of the two, and reload`,
      details: { tool: tool ?? name, name, claimant },
    },
  );
}
