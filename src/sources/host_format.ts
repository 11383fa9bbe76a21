import type { ErrorInfo } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { EnvironmentPolicy, PlaceholderDialect } from "../model/source.ts";

/** An entry in canonical keys, and what its translation met. */
export interface TranslatedEntry {
  /** The entry with canonical keys and units. */
  readonly raw: JsonObject;
  /** Why it can never run as written. */
  readonly problems?: readonly ErrorInfo[];
  /** What its author should know though it runs. */
  readonly warnings?: readonly string[];
}

/** How a host agent writes its servers: all that its files have in common. */
export interface HostFormat {
  /** Stable name of the source. */
  readonly id: string;
  /** Name for humans. */
  readonly label: string;
  /** Precedence within a scope; higher wins. */
  readonly rank: number;
  /** Placeholders that its strings may hold. */
  readonly dialect: PlaceholderDialect;
  /** What the host lets a process inherit. */
  readonly environment: EnvironmentPolicy;
  /** `true`: its files only define, a workspace file enables. Default `false`. */
  readonly store?: boolean;
  /** Where the object from names to entries stands in a file. */
  readonly key: readonly string[];
  /** `true`: the file holds other things too, so a missing key says nothing. Default `false`. */
  readonly shared?: boolean;
  /** Host keys that mean the same as a canonical one. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Host keys that mean nothing here and are not worth a warning. */
  readonly ignore?: readonly string[];
  /** Rewrites an entry that needs more than renamed keys. */
  readonly translate?: (raw: JsonObject) => TranslatedEntry;
  /** Tells the name that an entry's key means; the default keeps the key. Blank drops it. */
  readonly nameOf?: (key: string) => string;
}
