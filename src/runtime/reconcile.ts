import { canonicalJson } from "../definitions/canonical_json.ts";
import type { ServerConfig } from "../model/definition.ts";
import type { JsonValue } from "../model/json.ts";
import type { ServerState } from "../model/server_state.ts";
import type { SourceInfo } from "../model/source.ts";
import type { LaunchKeys } from "./launch_key.ts";

/**
 * Why definitions are looked at anew.
 * - `changes`: somebody changed a file; only what differs is touched
 * - `reload`: the user asks for it; what is up is asked for its lists again, the rest starts anew
 */
export type ReconcileMode = "changes" | "reload";

/** A server as it was started, and what became of it. */
export interface RunningServer {
  /** Its name. */
  readonly name: string;
  /** The definition it runs by. */
  readonly config: ServerConfig;
  /** Where that is declared, if known. */
  readonly source: SourceInfo | undefined;
  /** What it was started with; `null` when nothing could be started. */
  readonly keys: LaunchKeys | null;
  /** What commands of its values had printed; absent or `null` when not known. */
  readonly values?: string | null;
  /** Its state. */
  readonly state: ServerState;
  /** Whether it is `blocked` though nobody forbids it any more. */
  readonly isFreed?: boolean;
  /** Whether it is not offered since names of its tools are taken. */
  readonly isClashing?: boolean;
  /** Whether its host disconnected it on purpose. */
  readonly isEnded?: boolean;
}

/** A server as it should run. */
export interface WantedServer {
  /** Its name. */
  readonly name: string;
  /** Its definition. */
  readonly config: ServerConfig;
  /** Where it is declared, if known. */
  readonly source: SourceInfo | undefined;
  /** What it would be started with; `null` when nothing can be. */
  readonly keys: LaunchKeys | null;
  /** What commands of its values print now; absent or `null` when not known. */
  readonly values?: string | null;
}

/**
 * What is to be done with a server.
 * - `keep`: nothing
 * - `exchange`: it goes on; what it offers follows its new definition
 * - `relist`: the same, and it is asked for its lists again
 * - `start`, `restart`, `stop`: as the words say
 */
export type ReconcileAction = "keep" | "exchange" | "relist" | "start" | "restart" | "stop";

/** What {@linkcode reconcile} decides by. */
export interface ReconcileInput {
  /** Everything that was started and not ended since, as far as the plan has a say in it. */
  readonly running: readonly RunningServer[];
  /** Everything that should run. */
  readonly wanted: readonly WantedServer[];
  /** Why. Default: `changes`. */
  readonly mode?: ReconcileMode;
  /** Servers that are restarted even when nothing differs. Default: none. */
  readonly restart?: readonly string[];
}

/**
 * States in which a server is up, or is on its way for somebody who waits. One that tries again by
 * itself may not do so for a minute.
 */
const LIVELY: ReadonlySet<ServerState> = new Set(["connected", "connecting"]);

/**
 * Decides what is to be done with each server, those that stop first, then in the order in which
 * they should run. Pure. A server whose start has failed, or that its host disconnected, is left
 * alone when nothing of it changed: that is for a reload.
 */
export function reconcile(input: ReconcileInput): ReadonlyMap<string, ReconcileAction> {
  const running = new Map(input.running.map((server) => [server.name, server]));
  const wanted = new Set(input.wanted.map(({ name }) => name));
  const stopped = [...running.keys()].filter((name) => !wanted.has(name));
  return new Map<string, ReconcileAction>([
    ...stopped.map((name) => [name, "stop"] as const),
    ...input.wanted.map((server) => {
      const before = running.get(server.name);
      return [server.name, before === undefined ? "start" : decide(before, server, input)] as const;
    }),
  ]);
}

function decide(
  before: RunningServer,
  now: WantedServer,
  { mode = "changes", restart = [] }: ReconcileInput,
): ReconcileAction {
  if (restart.includes(now.name) || before.isFreed === true) return "restart";
  const isLeft = mode === "changes" && before.isEnded === true;
  if (!isLeft && !isSameStart(before, now, mode)) return "restart";
  const isSame = isSameText(
    [before.config, before.source ?? null],
    [now.config, now.source ?? null],
  );
  // What it may offer now could be other tools.
  if (before.isClashing === true && !isSame) return "restart";
  const isLively = LIVELY.has(before.state);
  if (mode === "reload" && !isLively) return "restart";
  // One that is on its way will read its lists anyway.
  if (mode === "reload" && before.state === "connected") return "relist";
  return isSame ? "keep" : "exchange";
}

/**
 * Whether two definitions start the same. A file among the arguments may be the server's own data
 * and change all the time, so that its time counts only for a reload.
 */
function isSameStart(before: RunningServer, now: WantedServer, mode: ReconcileMode): boolean {
  if (before.keys === null || now.keys === null) {
    return before.keys === now.keys && isSameText(before.config, now.config);
  }
  if (before.keys.definition !== now.keys.definition) return false;
  if (mode === "changes") return true;
  const isPrintedSame = (now.values ?? null) === null || (before.values ?? null) === null ||
    before.values === now.values;
  return isPrintedSame && before.keys.fingerprint === now.keys.fingerprint;
}

/** Whether two values are equal as JSON. */
export function isSameText(before: unknown, now: unknown): boolean {
  return textOf(before) === textOf(now);
}

function textOf(value: unknown): string {
  return canonicalJson((value ?? null) as JsonValue);
}
