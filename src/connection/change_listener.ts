import { unlessAborted } from "../model/abort.ts";
import type { ServerNotification } from "../model/connection.ts";
import { isJsonObject } from "../model/json.ts";
import type { Logger } from "../model/log.ts";
import type { Link } from "./link.ts";
import { delay, systemTimers, type Timers } from "./timers.ts";
import type { WatchedResources } from "./watched_resources.ts";

/** First wait before a broken stream is opened anew, in milliseconds; it doubles each time. */
const FIRST_WAIT_MS = 1_000;

/** Longest wait, in milliseconds. */
const LONGEST_WAIT_MS = 60_000;

/** Milliseconds after which a stream counts as having stood: the waits then begin anew. */
const STABLE_MS = 10_000;

/** What can be listened to: the capability, its filter and what its change is announced by. */
export const CHANGES = [
  ["tools", "toolsListChanged", "notifications/tools/list_changed"],
  ["prompts", "promptsListChanged", "notifications/prompts/list_changed"],
  ["resources", "resourcesListChanged", "notifications/resources/list_changed"],
] as const;

/** What {@linkcode listenForChanges} takes beside the link. */
export interface ChangeListenerOptions {
  /** Gets the announcement of everything that may have changed while nobody listened. */
  readonly onMissed: (notification: ServerNotification) => void;
  /** Whether to listen for changes of the lists. Default: yes. */
  readonly lists?: boolean;
  /** Resources whose changes to listen for; the stream follows the set. Default: none. */
  readonly watched?: WatchedResources;
  /** Milliseconds for the server to confirm a stream. Default: the SDK's 60,000. */
  readonly timeout?: number;
  /** Where oddities are written. */
  readonly log: Logger;
  /** The clock. */
  readonly timers?: Timers | undefined;
}

/** A stream that was confirmed. */
interface Stream {
  readonly closed: Promise<unknown>;
  readonly close: () => Promise<void>;
  isOpen: boolean;
}

/**
 * Listens for changes for as long as a link lives: the modern era sends them only to who listens.
 * A stream that ends is opened anew, and as nobody knows what was missed meanwhile, all that it was
 * about counts as changed. For another set of resources a new stream is opened before the old one is
 * closed, so that nothing is missed. A refusal costs nothing but the changes. Never rejects.
 */
export async function listenForChanges(link: Link, options: ChangeListenerOptions): Promise<void> {
  const { onMissed, log, lists = true, watched, timeout, timers = systemTimers } = options;
  const declared = CHANGES.filter(([capability]) => {
    const value = link.capabilities[capability];
    return lists && isJsonObject(value) && value["listChanged"] === true;
  });
  if (link.protocol.era !== "modern" || (declared.length === 0 && watched === undefined)) return;
  const ended = new AbortController();
  const { signal } = ended;
  link.wire.ended.then((reason) => {
    ended.abort();
    watched?.failed(watched.version, reason);
  });
  let wake = (): void => {};
  watched?.onChange(() => wake());
  let standing: Stream | null = null;
  let stood = false;
  for (let failures = 0; !signal.aborted; failures++) {
    const version: number = watched?.version ?? 0;
    const uris: readonly string[] = watched?.uris() ?? [];
    const changed = new Promise<void>((resolve) => wake = resolve);
    const opened = timers.now();
    try {
      const before: Stream | null = standing;
      const gap = stood && before?.isOpen !== true;
      if (declared.length === 0 && uris.length === 0) {
        stood = false;
        standing = null;
        watched?.opened(version, []);
      } else {
        const { stream, honoured } = await openStream(link, declared, uris, timeout);
        standing = stream;
        stood = true;
        watched?.opened(version, honoured);
        if (gap) tellMissed(declared, uris, onMissed);
      }
      if (before?.isOpen === true) before.close().catch(() => {});
      await unlessAborted(Promise.race([standing?.closed ?? changed, changed]), signal);
      if (watched !== undefined && watched.version !== version) {
        failures = -1;
        continue;
      }
      if (timers.now() - opened >= STABLE_MS) failures = 0;
      log.log("debug", "The stream of changes ended");
    } catch (thrown) {
      if (signal.aborted) return;
      log.log("debug", "Cannot listen for changes", { error: String(thrown) });
      watched?.failed(version, thrown);
      if (isRefusal(thrown)) {
        if (watched === undefined) return;
        const over = standing?.isOpen === true ? standing.closed : changed;
        await unlessAborted(Promise.race([over, changed]), signal).catch(() => {});
        failures = -1;
        continue;
      }
    }
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
    const waited = new AbortController();
    const stop = (): void => waited.abort();
    signal.addEventListener("abort", stop, { once: true });
    changed.then(stop);
    await delay(timers, wait, waited.signal).catch(() => {});
    signal.removeEventListener("abort", stop);
  }
}

async function openStream(
  link: Link,
  declared: readonly (typeof CHANGES)[number][],
  uris: readonly string[],
  timeout: number | undefined,
): Promise<{ readonly stream: Stream; readonly honoured: readonly string[] }> {
  const subscription = await link.client.listen({
    ...Object.fromEntries(declared.map(([, key]) => [key, true])),
    ...(uris.length === 0 ? {} : { resourceSubscriptions: [...uris] }),
  }, timeout === undefined ? {} : { timeout });
  const stream: Stream = {
    closed: subscription.closed,
    close: () => subscription.close(),
    isOpen: true,
  };
  subscription.closed.then(() => stream.isOpen = false);
  return { stream, honoured: subscription.honoredFilter?.resourceSubscriptions ?? [] };
}

function tellMissed(
  declared: readonly (typeof CHANGES)[number][],
  uris: readonly string[],
  onMissed: ChangeListenerOptions["onMissed"],
): void {
  for (const [, , method] of declared) onMissed({ method, params: {} });
  for (const uri of uris) onMissed({ method: "notifications/resources/updated", params: { uri } });
}

/** Whether the server itself answered that it gives no such stream. */
function isRefusal(thrown: unknown): boolean {
  return thrown instanceof Error &&
    typeof (thrown as { readonly code?: unknown }).code === "number";
}
