import type { LaunchFacts } from "../cache/launch_facts.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import { type ErrorInfo, HotplugError, toHotplugError } from "../model/errors.ts";
import { type MayRun, type RunCandidate, transportKind } from "../model/run_candidate.ts";
import type { StartInput } from "./server_start.ts";

/** Why a server may not run; `null` when it may. */
export type Refusal = HotplugError | null;

/** Asks whether servers may run, of the host's `mayRun`; without one all may. */
export class RunPermission {
  readonly #mayRun: MayRun | null;
  /** What each connection was opened as. */
  readonly #opened = new WeakMap<MCPServerConnection, RunCandidate>();

  /** Asks nobody before the first question. */
  constructor(mayRun: MayRun | undefined) {
    this.#mayRun = mayRun ?? null;
  }

  /**
   * Asks before something of a server starts.
   * @throws {HotplugError} `blocked-by-policy` when it may not run.
   */
  async ask(candidate: RunCandidate): Promise<void> {
    const refusal = await this.#refusal(candidate);
    if (refusal !== null) throw refusal;
  }

  /** Notes what a connection was opened as, for the questions to come. */
  note(connection: MCPServerConnection, candidate: RunCandidate): void {
    this.#opened.set(connection, candidate);
  }

  /**
   * Asks anew about a connection that is open; `null` when it may be used. At once where `mayRun`
   * answers at once. Never throws, never rejects.
   */
  refusalOf(connection: MCPServerConnection): Refusal | Promise<Refusal> {
    const candidate = this.#opened.get(connection);
    return candidate === undefined ? null : this.#refusal(candidate);
  }

  #refusal(candidate: RunCandidate): Refusal | Promise<Refusal> {
    if (this.#mayRun === null) return null;
    try {
      const reason = this.#mayRun(candidate);
      if (reason === null) return null;
      return "then" in reason ? reason.then(refusalBy, failed) : blocked(reason);
    } catch (thrown) {
      return failed(thrown);
    }
  }
}

/** What a server is about to be started as. */
export function candidateOf({ name, source }: StartInput, facts: LaunchFacts): RunCandidate {
  const { config, program } = facts;
  const transport = transportKind(config);
  const isProcess = transport === "stdio";
  return {
    name,
    source,
    transport,
    command: isProcess ? config.command ?? null : null,
    args: isProcess ? config.args ?? [] : [],
    program: isProcess ? program?.path ?? null : null,
    url: isProcess ? null : config.url ?? null,
  };
}

function refusalBy(reason: ErrorInfo | null): Refusal {
  return reason === null ? null : blocked(reason);
}

function failed(thrown: unknown): HotplugError {
  return blocked(toHotplugError(thrown).toInfo());
}

function blocked({ message, hint }: ErrorInfo): HotplugError {
  return new HotplugError("blocked-by-policy", message, { hint });
}
