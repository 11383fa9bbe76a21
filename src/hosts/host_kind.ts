import type { ServerConfig } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { JsonObject, JsonValue } from "../model/json.ts";
import type { TargetFile } from "../edit/target.ts";
import type { SourceContext } from "../sources/source.ts";

/** Whose sessions get the tools: all of the user's, or those in one project. */
export type HookScope = "user" | "project";

/** What a hook is made for. */
export interface HookRequest {
  /** The machine, the workspace, and how files are read. */
  readonly context: SourceContext;
  /** Whose sessions get the tools. */
  readonly scope: HookScope;
  /** Command line that starts Hotplug, the program first and absolute. */
  readonly program: readonly string[];
  /** Version of Hotplug that writes it. */
  readonly version: string;
}

/** A file that is Hotplug's alone. */
export interface OwnFile {
  readonly what: "file";
  /** Absolute path. */
  readonly path: string;
  /** All that it holds. */
  readonly text: string;
  /** Outermost folder that is Hotplug's too; `null` when the file lies in a folder of the host's. */
  readonly folder: string | null;
}

/** A setting of the host's without which the entry is of less use. */
export interface HostSetting {
  /** Keys that lead to it. */
  readonly path: readonly string[];
  /** What it must be. */
  readonly value: JsonValue;
  /** `true`: another value of the user's gives way until the hook is removed. Default: it stays. */
  readonly overrides?: boolean;
}

/** One entry in a file of the host's. */
export interface HostEntry {
  readonly what: "entry";
  /** The file, and how its entries are written. */
  readonly target: TargetFile;
  /** What is started, in canonical form; texts are literal. */
  readonly config: ServerConfig;
  /** Keys of the host's that the canonical form has no word for. */
  readonly extra: JsonObject;
  /** Settings beside the entry. */
  readonly settings: readonly HostSetting[];
}

/** One part of a hook. */
export type HookPart = OwnFile | HostEntry;

/** Something about a hook that its user should know. Holds no secret. */
export interface HookFinding {
  /** Kind of host that it is about. */
  readonly kind: string;
  /** Short name of the check. */
  readonly check: string;
  /** It keeps the tools from the model; it may; it is good to know. */
  readonly severity: "error" | "warning" | "info";
  /** Absolute path of the file to look at; `null` without one. */
  readonly path: string | null;
  /** What was found, without a final stop. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** A finding of a check of one host kind. */
export type OwnFinding = Omit<HookFinding, "kind">;

/** One kind of host agent: where its hook lies, and what else decides whether it is loaded. */
export interface HostKind {
  /** Id of its profile. */
  readonly id: string;
  /** Scopes that it has a place for; the first is the usual one. */
  readonly scopes: readonly HookScope[];
  /** Names of its program on `PATH`. */
  readonly programs: readonly string[];
  /** Folders or files of which one is there where the host is in use. Pure. */
  readonly traces: (context: SourceContext) => readonly string[];
  /**
   * All that makes up its hook.
   * @throws {HotplugError} `usage` for a scope that it has no place for.
   */
  readonly parts: (request: HookRequest) => readonly HookPart[];
  /** What its user does to see the tools; one sentence. */
  readonly next: string;
  /** What its user does to see other tools after a reload, where the host does not ask by itself. */
  readonly renew?: string;
  /** What of the host's own settings keeps the hook from being used. Starts nothing. */
  readonly check?: (
    context: SourceContext,
    scope: HookScope,
  ) => Promise<readonly OwnFinding[]>;
}

/** What became of a hook, or would. */
export interface HookChange {
  /** Kind of host. */
  readonly kind: string;
  /** Whose sessions it is for. */
  readonly scope: HookScope;
  /**
   * - `installed`, `updated`, `removed`: files were written or removed
   * - `unchanged`: it was so already
   * - `absent`: there was nothing to remove
   * - `refused`: nothing was done, for the reason in `error`
   */
  readonly done: "installed" | "updated" | "unchanged" | "removed" | "absent" | "refused";
  /** Every file whose text is another one, or would be. Their texts may hold secrets. */
  readonly files: readonly HookFile[];
  /** What the user should know though it was done. */
  readonly warnings: readonly string[];
  /** Why it was refused. */
  readonly error: ErrorInfo | null;
}

/** A file before and after. */
export interface HookFile {
  /** Absolute path. */
  readonly path: string;
  /** Its text before; `null` when there was no file. */
  readonly before: string | null;
  /** Its text after; `null` when the file is gone. */
  readonly after: string | null;
  /** Whether it is Hotplug's alone, and no file of the host's. */
  readonly isOwn: boolean;
}
