import type { ServerConfig, TransportType } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { JsonObject, JsonValue } from "../model/json.ts";
import type { HostFormat } from "./host_format.ts";
import type { SourceContext } from "./source.ts";

/** An entry as a host's file holds it, or why it cannot be written there. */
export interface WrittenEntry {
  /** The entry in the host's own keys and units. */
  readonly raw: JsonObject;
  /** What the host cannot be told; an entry with any is not written. */
  readonly problems: readonly ErrorInfo[];
  /** What is left out because the host has no word for it and the server runs without it. */
  readonly warnings: readonly string[];
  /** `true`: the server is off, which a list of names says and not the entry; see {@linkcode offListOf}. */
  readonly isListed: boolean;
}

/** How one server is switched off in a host's file. */
export type HostSwitch =
  /**
   * By a key of its entry: `off` switches it off, removing the key switches it on, unless the host
   * leaves out an entry that does not say `on`.
   */
  | {
    readonly kind: "key";
    readonly key: string;
    readonly off: JsonValue;
    readonly on?: JsonValue;
  }
  /**
   * By its name in a list, whose place may depend on the workspace. The list stands in the same
   * file, or in the one that `file` gives: an absolute path of the user's.
   */
  | {
    readonly kind: "list";
    readonly path: readonly string[] | ((context: SourceContext) => readonly string[]);
    readonly file?: (context: SourceContext) => string;
  };

/** How a host's entries are written: its words, and which canonical keys it has. */
export interface HostSpelling {
  /**
   * The host's word for each transport that it has; `null` writes none, as for a host that tells
   * by the other keys. A transport that is missing here cannot be written.
   */
  readonly types: Readonly<Partial<Record<TransportType, string | null>>>;
  /** The host's key for the transport. Default `type`. */
  readonly typeKey?: string;
  /**
   * Canonical keys that the host has beyond `command`, `args`, `env`, `url` and `headers`, such as
   * `cwd`. They are written under the first name that the format's `rename` has for them.
   */
  readonly keys?: readonly (keyof ServerConfig)[];
  /** `true`: `null` in `env` takes a variable away. Default `false`: it cannot be said. */
  readonly unsets?: boolean;
  /** How one server is switched off; absent: the host's file has no switch. */
  readonly off?: HostSwitch;
  /** Reshapes the written entry where other words are not enough. */
  readonly finish?: (raw: JsonObject, config: ServerConfig, name: string) => {
    readonly raw: JsonObject;
    readonly problems?: readonly ErrorInfo[];
  };
}

/** Where the list of a host's servers that are off stands. */
export interface OffListPlace {
  /** Keys that lead to it. */
  readonly path: readonly string[];
  /** Absolute path of its file; `null`: that of the entry. */
  readonly file: string | null;
}

/** Where the list of a host's servers that are off here stands; `null` without one. */
export function offPlaceOf(
  { spelling }: Pick<HostFormat, "spelling">,
  context: SourceContext,
): OffListPlace | null {
  const off = spelling?.off;
  if (off?.kind !== "list") return null;
  const path = typeof off.path === "function" ? off.path(context) : off.path;
  return { path, file: off.file?.(context) ?? null };
}

/** The keys that lead to that list in the file of the entries; `null` when it holds none. */
export function offListOf(
  format: Pick<HostFormat, "spelling">,
  context: SourceContext,
): readonly string[] | null {
  const place = offPlaceOf(format, context);
  return place?.file === null ? place.path : null;
}
