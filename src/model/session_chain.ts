import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

/** Key of `_meta` of a request: the ids of the sessions around whoever sends it, its own last. */
export const CHAIN_KEY = "dev.hotplug/chain";

/** Key of `_meta` of a listed item: the ids of the gateways that it has come through. */
export const VIA_KEY = "dev.hotplug/via";

/** Key of an error's `data` that says why a gateway refuses whoever connects, see {@linkcode Loop}. */
export const LOOP_KEY = "dev.hotplug/loop";

/** Most sessions that may lie around one that starts servers. */
export const LONGEST_CHAIN = 4;

/** Why a gateway would lead back to where it is asked from. */
export type Loop =
  /** It is itself one of the sessions around who asks. */
  | "itself"
  /** Who asks is a session of the same workspace, and has all that it would give. */
  | "same-workspace"
  /** Too many sessions lie inside each other. */
  | "too-deep";

const LOOPS: ReadonlySet<unknown> = new Set<Loop>(["itself", "same-workspace", "too-deep"]);

/** Most ids that are read. What is longer is too long anyway. */
const MOST_READ = 64;

/** Ids of sessions, as they stand in `_meta`. What is none is passed over. Pure. */
export function readSessionIds(value: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly JsonValue[]).slice(0, MOST_READ).filter((id) =>
    typeof id === "string" && /^[A-Za-z0-9_-]{1,40}$/.test(id)
  ) as readonly string[];
}

/** Why the error of a gateway says that it would lead back; `null` for any other error. Pure. */
export function readLoop(data: JsonValue | undefined): Loop | null {
  const loop = isJsonObject(data) ? data[LOOP_KEY] : null;
  return LOOPS.has(loop) ? loop as Loop : null;
}

/** The ids of the gateways that a listed item has come through, the farthest first. Pure. */
export function viaOf({ _meta: meta }: JsonObject): readonly string[] {
  return isJsonObject(meta) ? readSessionIds(meta[VIA_KEY]) : [];
}

/**
 * Whether a listed item would go round in circles: it has come through a session of this chain, or
 * through too many. Pure.
 */
export function goesRound(item: JsonObject, chain: readonly string[]): boolean {
  const via = viaOf(item);
  return via.length >= LONGEST_CHAIN || via.some((id) => chain.includes(id));
}
