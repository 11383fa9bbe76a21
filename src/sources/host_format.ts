import type { OffSwitch } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { EnvironmentPolicy, PlaceholderDialect } from "../model/source.ts";
import type { HostSpelling } from "./host_spelling.ts";

/** An entry in canonical keys, and what its translation met. */
export interface TranslatedEntry {
  /** The entry with canonical keys and units. */
  readonly raw: JsonObject;
  /** Why it can never run as written. */
  readonly problems?: readonly ErrorInfo[];
  /** What its author should know though it runs. */
  readonly warnings?: readonly string[];
  /** What beside the entry switches the server off. */
  readonly switchedOffBy?: OffSwitch;
  /** `true`: it describes no MCP server (a built-in of the host, say) and gives no row. */
  readonly skip?: boolean;
}

/** A list of server names in a host's file. */
export interface NameSwitch {
  /** Where the list stands in the file. */
  readonly path: readonly string[];
  /** `off`: these are off. `only`: all others are off. `on`: these are on although their entry says off. */
  readonly means: "off" | "only" | "on";
  /** `any-case`: case does not count. `glob`: the names may hold `*` and `?`. Default: equal. */
  readonly match?: "any-case" | "glob";
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
  /**
   * `false`: neither the host's program nor its documentation confirms the format, which reports
   * then say. Default `true`.
   */
  readonly confirmed?: boolean;
  /** `true`: its files only define, a workspace file enables. Default `false`. */
  readonly store?: boolean;
  /** Where the object from names to entries stands in a file. */
  readonly key: readonly string[];
  /**
   * `true`: the file holds other things too, so a missing key says nothing. `foreign`: it is another
   * program's settings, which may hold servers of its own, so servers under another key say nothing
   * either. Default `false`.
   */
  readonly shared?: boolean | "foreign";
  /** Key of an entry that holds its name, for a host that writes its servers as a list. */
  readonly list?: string;
  /**
   * `true`: texts are literal; `translate` may add placeholders of the dialect, which must know an
   * escape. A list: only the texts under these keys of an entry are. Default `false`.
   */
  readonly literal?: boolean | readonly string[];
  /** Unit of `timeout`, `startupTimeout` and `callTimeout` after renaming. Default `ms`. */
  readonly timeoutUnit?: "ms" | "s";
  /** Host keys that mean the same as a canonical one. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Host keys that mean nothing here and are not worth a warning. */
  readonly ignore?: readonly string[];
  /** Rewrites an entry that needs more than renamed keys. */
  readonly translate?: (raw: JsonObject, name: string) => TranslatedEntry;
  /**
   * Tells the name that an entry's key means; the default keeps the key. Blank drops it. An item of
   * a list has its name for a key, blank when it has none, and its position for a step.
   */
  readonly nameOf?: (key: string, step: string | number) => string;
  /**
   * `true`: the host merges its files, so an entry with neither command nor url changes the next
   * weaker one of its name. Default `false`: such an entry is invalid.
   */
  readonly layered?: boolean;
  /** Lists of names in its files; they switch the servers of all its files. */
  readonly switches?: readonly NameSwitch[];
  /** How entries are written for the host; absent: nothing is ever written. */
  readonly spelling?: HostSpelling;
}
