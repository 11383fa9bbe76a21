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
  /** By a key of its entry: `off` switches it off, removing the key switches it on. */
  | { readonly kind: "key"; readonly key: string; readonly off: JsonValue }
  /** By its name in a list of the same file, whose place may depend on the workspace. */
  | {
    readonly kind: "list";
    readonly path: readonly string[] | ((context: SourceContext) => readonly string[]);
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

/** Where in a host's file stands the list of the servers that are off here; `null` without one. */
export function offListOf(
  { spelling }: Pick<HostFormat, "spelling">,
  context: SourceContext,
): readonly string[] | null {
  const off = spelling?.off;
  if (off?.kind !== "list") return null;
  return typeof off.path === "function" ? off.path(context) : off.path;
}
