import { unlessAborted } from "../model/abort.ts";
import type { ServerNotification } from "../model/connection.ts";
import { isJsonObject } from "../model/json.ts";
import type { Logger } from "../model/log.ts";
import type { Link } from "./link.ts";
import { delay, systemTimers, type Timers } from "./timers.ts";

/** First wait before a broken stream is opened anew, in milliseconds; it doubles each time. */
const FIRST_WAIT_MS = 1_000;

/** Longest wait, in milliseconds. */
const LONGEST_WAIT_MS = 60_000;

/** Milliseconds after which a stream counts as having stood: the waits then begin anew. */
const STABLE_MS = 30_000;

/** What can be listened to: the capability, its filter and what its change is announced by. */
export const CHANGES = [
  ["tools", "toolsListChanged", "notifications/tools/list_changed"],
  ["prompts", "promptsListChanged", "notifications/prompts/list_changed"],
  ["resources", "resourcesListChanged", "notifications/resources/list_changed"],
] as const;

/** What {@linkcode listenForChanges} takes beside the link. */
export interface ChangeListenerOptions {
  /** Gets the announcement of every list that may have changed while nobody listened. */
  readonly onMissed: (notification: ServerNotification) => void;
  /** Where oddities are written. */
  readonly log: Logger;
  /** The clock. */
  readonly timers?: Timers | undefined;
}

/**
 * Listens for changes for as long as a link lives: the modern era sends them only to who listens.
 * A stream that ends is opened anew, and as nobody knows what was missed meanwhile, the lists that
 * it was about count as changed. A refusal costs nothing but the changes. Never rejects.
 */
export async function listenForChanges(link: Link, options: ChangeListenerOptions): Promise<void> {
  const declared = CHANGES.filter(([capability]) => {
    const value = link.capabilities[capability];
    return isJsonObject(value) && value["listChanged"] === true;
  });
  if (link.protocol.era !== "modern" || declared.length === 0) return;
  const { onMissed, log, timers = systemTimers } = options;
  const ended = new AbortController();
  link.wire.ended.then(() => ended.abort());
  const filter = Object.fromEntries(declared.map(([, key]) => [key, true]));
  let stood = false;
  for (let failures = 0; !ended.signal.aborted; failures++) {
    const opened = timers.now();
    try {
      const subscription = await link.client.listen(filter);
      if (stood) { for (const [, , method] of declared) onMissed({ method, params: {} }); }
      stood = true;
      await unlessAborted(subscription.closed, ended.signal);
      if (timers.now() - opened >= STABLE_MS) failures = 0;
      log.log("debug", "The stream of changes ended");
    } catch (thrown) {
      if (ended.signal.aborted) return;
      log.log("debug", "Cannot listen for changes", { error: String(thrown) });
      if (isRefusal(thrown)) return;
    }
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
    await delay(timers, wait, ended.signal).catch(() => {});
  }
}

/** Whether the server itself answered that it gives no such stream. */
function isRefusal(thrown: unknown): boolean {
  return thrown instanceof Error &&
    typeof (thrown as { readonly code?: unknown }).code === "number";
}
