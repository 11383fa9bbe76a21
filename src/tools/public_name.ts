import { sha256HexNow } from "./sha256.ts";

/** A tool by the names its own side uses. */
export interface ToolAddress {
  /** The server's name in the plan. */
  readonly server: string;
  /** The server's own name of the tool. */
  readonly tool: string;
}

/**
 * How public names are made.
 * - `prefixed`: `mcp_<server>_<tool>`
 * - `key`: `<key>_<tool>`, with a short key of the server
 * - `server`: `<server>_<tool>`, shorter, for hosts that put a prefix of their own before it
 * - `bare`: the tool's own name; a session then lets no two servers offer the same one
 */
export type NamingStyle = "prefixed" | "key" | "server" | "bare";

/** The longest name that every model vendor takes. */
export const MAX_PUBLIC_NAME = 64;

/** The longest name of the style `server`: what its host puts before it must fit too. */
export const MAX_SERVER_NAME = 48;

/**
 * The names that models call tools by, and the way back. A name is looked up, never taken apart.
 *
 * Names depend on which tools were ever assigned, not on the order in which their servers came:
 * when two tools would share a name, both get the hash, so that a name that a user allowed for one
 * server never comes to mean a tool of another. Within a session a name stays callable even after
 * its tool has got another name or is gone.
 */
export class NameTable {
  readonly #style: NamingStyle;
  /** Every name ever given, and what it means. */
  readonly #given = new Map<string, ToolAddress>();
  /** The latest name of each tool ever seen, by {@linkcode addressKey}. */
  readonly #names = new Map<string, string>();
  /** The tools that ever asked for a plain name. */
  readonly #claims = new Map<string, Set<string>>();

  /** An empty table. */
  constructor(options: { readonly naming?: NamingStyle } = {}) {
    this.#style = options.naming ?? "prefixed";
  }

  /**
   * Names tools. Pass every tool of the session each time: a newcomer can give an old tool the
   * hash, and the answer has its new name.
   * @returns Per public name its tool, in the order given; repeats are left out.
   */
  assign(pairs: readonly ToolAddress[]): ReadonlyMap<string, ToolAddress> {
    const wanted = new Map<string, { readonly address: ToolAddress; readonly plain: PlainName }>();
    for (const { server, tool } of pairs) {
      const address: ToolAddress = { server, tool };
      const key = addressKey(address);
      if (wanted.has(key)) continue;
      const plain = plainName(address, this.#style);
      wanted.set(key, { address, plain });
      const claimants = this.#claims.get(plain.name);
      if (claimants === undefined) this.#claims.set(plain.name, new Set([key]));
      else claimants.add(key);
    }
    // Hashed names first: a tool that is plainly called like another's hashed name must not take it.
    for (const [key, { address, plain }] of wanted) {
      if (plain.hashed || this.#isContested(plain.name)) this.#hash(key, address, plain);
    }
    const names = new Map<string, ToolAddress>();
    for (const [key, { address, plain }] of wanted) {
      if (!this.#names.has(key)) this.#give(key, address, plain);
      names.set(this.#names.get(key) ?? plain.name, address);
    }
    return names;
  }

  /** What a public name means, or `null` when it was never given. */
  lookup(publicName: string): ToolAddress | null {
    return this.#given.get(publicName) ?? null;
  }

  /** The latest public name of a tool, or `null` when it was never assigned. */
  nameOf(address: ToolAddress): string | null {
    return this.#names.get(addressKey(address)) ?? null;
  }

  #isContested(plain: string): boolean {
    return (this.#claims.get(plain)?.size ?? 0) > 1;
  }

  /** Gives the plain name, or the hashed one when another tool holds it. */
  #give(key: string, address: ToolAddress, plain: PlainName): void {
    if (this.#isFree(plain.name, key)) this.#record(plain.name, key, address);
    else this.#hash(key, address, plain);
  }

  #hash(key: string, address: ToolAddress, plain: PlainName): void {
    const current = this.#names.get(key);
    if (current !== undefined && current !== plain.name) return;
    // The first try is the documented name. Another can hold it only by 32 equal bits or because a
    // server lists a tool of that very name; then a counter goes into the hash.
    for (let turn = 0;; turn++) {
      const name = hashedName(plain.name, address, { turn, longest: longestName(this.#style) });
      if (!this.#isFree(name, key)) continue;
      this.#record(name, key, address);
      return;
    }
  }

  #isFree(name: string, key: string): boolean {
    const holder = this.#given.get(name);
    return holder === undefined || addressKey(holder) === key;
  }

  #record(name: string, key: string, address: ToolAddress): void {
    this.#given.set(name, address);
    this.#names.set(key, name);
  }
}

/**
 * A short stable key of a server: `c` and five base-36 digits of the SHA-256 of its name.
 * It keeps tool names short where a host has little room for them.
 */
export function serverKey(server: string): string {
  const number = BigInt(`0x${sha256HexNow(server)}`) % 36n ** 5n;
  return `c${number.toString(36).padStart(5, "0")}`;
}

/** The public name that a tool has when there is no other. Pure. */
export function nameAlone(address: ToolAddress, naming: NamingStyle): string {
  const { name, hashed } = plainName(address, naming);
  return hashed ? nameInClash(address, naming) : name;
}

/** The public name of a tool that shares its plain name with another. Pure. */
export function nameInClash(address: ToolAddress, naming: NamingStyle): string {
  const { name } = plainName(address, naming);
  return hashedName(name, address, { turn: 0, longest: longestName(naming) });
}

/** A name before clashes are looked at. */
interface PlainName {
  /** Allowed characters only, any length. */
  readonly name: string;
  /** Whether it needs the hash in any case: too long, or nothing was left of a part. */
  readonly hashed: boolean;
}

function plainName({ server, tool }: ToolAddress, style: NamingStyle): PlainName {
  const toolPart = sanitised(tool);
  const serverPart = style === "bare"
    ? ""
    : style === "key"
    ? serverKey(server)
    : sanitised(server);
  const prefix = style === "prefixed" ? "mcp_" : "";
  const before = style === "bare" ? "" : `${prefix}${serverPart ?? "server"}_`;
  const name = `${before}${toolPart ?? "tool"}`;
  return {
    name,
    hashed: serverPart === null || toolPart === null || name.length > longestName(style),
  };
}

function longestName(style: NamingStyle): number {
  return style === "server" ? MAX_SERVER_NAME : MAX_PUBLIC_NAME;
}

/** A part of a name in the allowed characters; `null` when it has no letter or digit left. */
function sanitised(part: string): string | null {
  const clean = part.replaceAll(/[^A-Za-z0-9_-]/gu, "_");
  return /[A-Za-z0-9]/.test(clean) ? clean : null;
}

/** The name, cut to leave room for `_` and 8 hexadecimal digits. */
function hashedName(
  plain: string,
  { server, tool }: ToolAddress,
  { turn, longest }: { readonly turn: number; readonly longest: number },
): string {
  const seed = `${server}\0${tool}${turn === 0 ? "" : `\0${turn}`}`;
  return `${plain.slice(0, longest - 9)}_${sha256HexNow(seed).slice(0, 8)}`;
}

/** One string a tool. A name may hold any character, so the server's length stands in front. */
function addressKey({ server, tool }: ToolAddress): string {
  return `${server.length}:${server}${tool}`;
}
