import { unlessAborted } from "../model/abort.ts";
import type { ServerNotification } from "../model/connection.ts";
import { isJsonObject } from "../model/json.ts";
import type { Logger } from "../model/log.ts";
import type { Link } from "./link.ts";
import { INVALID_PARAMS, METHOD_NOT_FOUND } from "./request_refusal.ts";
import { delay, systemTimers, type Timers } from "./timers.ts";
import type { WatchedResources } from "./watched_resources.ts";

/** First wait before a broken stream is opened anew, in milliseconds; it doubles each time. */
const FIRST_WAIT_MS = 1_000;

/** Longest wait, in milliseconds. */
const LONGEST_WAIT_MS = 60_000;

/** Milliseconds after which a stream counts as having stood: the waits then begin anew. */
const STABLE_MS = 10_000;

/** JSON-RPC's codes of what will be no better the next time: the request, its method, its params. */
const FINAL_CODES: ReadonlySet<unknown> = new Set([-32600, METHOD_NOT_FOUND, INVALID_PARAMS]);

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

/** One kind of change that a server announces. */
type Change = (typeof CHANGES)[number];

/** A stream that was confirmed. */
interface Stream {
  readonly closed: Promise<unknown>;
  readonly close: () => Promise<void>;
  isOpen: boolean;
}

/**
 * How a turn of the listening ended: the set of resources changed, the stream ended, none could be
 * opened, or there is nothing more to listen for.
 */
type Outcome = "changed" | "ended" | "failed" | "over";

/**
 * Listens for changes for as long as a link lives: the modern era sends them only to who listens.
 * A stream that ends is opened anew, and as nobody knows what was missed meanwhile, all that it was
 * about counts as changed. For another set of resources a new stream is opened before the old one is
 * closed, so that nothing is missed. A refusal costs nothing but the changes. Never rejects.
 */
export async function listenForChanges(link: Link, options: ChangeListenerOptions): Promise<void> {
  const { lists = true, watched } = options;
  const declared = CHANGES.filter(([capability]) => {
    const value = link.capabilities[capability];
    return lists && isJsonObject(value) && value["listChanged"] === true;
  });
  if (link.protocol.era !== "modern" || (declared.length === 0 && watched === undefined)) return;
  await new ChangeListener(link, declared, options).run();
}

/** The listening of one link: at most one stream at a time, two while one takes over. */
class ChangeListener {
  readonly #link: Link;
  readonly #declared: readonly Change[];
  readonly #options: ChangeListenerOptions;
  readonly #timers: Timers;
  readonly #ended = new AbortController();
  #standing: Stream | null = null;
  /** Whether a stream has told of changes, so that its end leaves a gap. */
  #hasStood = false;
  /** Resolves when another set of resources is wanted than that of this turn. */
  #changed: Promise<void> = Promise.resolve();
  #wake: () => void = () => {};

  constructor(link: Link, declared: readonly Change[], options: ChangeListenerOptions) {
    this.#link = link;
    this.#declared = declared;
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
  }

  /** Listens until the link ends. */
  async run(): Promise<void> {
    const { watched } = this.#options;
    this.#link.wire.ended.then((reason) => {
      this.#ended.abort();
      watched?.failed(watched.version, reason);
    });
    watched?.onChange(() => this.#wake());
    let failures = 0;
    while (!this.#ended.signal.aborted) {
      const began = this.#timers.now();
      const outcome = await this.#turn();
      if (outcome === "over") return;
      const isStable = outcome === "ended" && this.#timers.now() - began >= STABLE_MS;
      if (outcome === "changed" || isStable) failures = 0;
      if (outcome === "changed") continue;
      await this.#wait(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++));
    }
  }

  /** One stream, from its opening to its end or to another set of resources. */
  async #turn(): Promise<Outcome> {
    const { watched, log } = this.#options;
    const version = watched?.version ?? 0;
    this.#changed = new Promise((resolve) => this.#wake = resolve);
    try {
      await this.#open(version);
      await this.#untilChanged(this.#standing);
    } catch (thrown) {
      return await this.#failed(version, thrown);
    }
    if (watched !== undefined && watched.version !== version) return "changed";
    log.log("debug", "The stream of changes ended");
    return "ended";
  }

  /** Opens the stream that is wanted now, if any, in the place of the one that stands. */
  async #open(version: number): Promise<void> {
    const { watched, onMissed, timeout } = this.#options;
    const uris = watched?.uris() ?? [];
    const before = this.#standing;
    const isGap = this.#hasStood && before?.isOpen !== true;
    const isWanted = this.#declared.length > 0 || uris.length > 0;
    const opened = isWanted ? await openStream(this.#link, this.#declared, uris, timeout) : null;
    this.#standing = opened?.stream ?? null;
    this.#hasStood = isWanted;
    watched?.opened(version, opened?.honoured ?? []);
    if (isWanted && isGap) tellMissed(this.#declared, uris, onMissed);
    if (before?.isOpen === true) before.close().catch(() => {});
  }

  /** What comes after a stream could not be opened. The one that stands goes on. */
  async #failed(version: number, thrown: unknown): Promise<Outcome> {
    const { watched, log } = this.#options;
    if (this.#ended.signal.aborted) return "over";
    log.log("debug", "Cannot listen for changes", { error: String(thrown) });
    watched?.failed(version, thrown);
    if (!isRefusal(thrown)) return "failed";
    if (watched === undefined) return "over";
    const standing = this.#standing;
    await this.#untilChanged(standing?.isOpen === true ? standing : null).catch(() => {});
    return "changed";
  }

  /** Until a stream ends, another set of resources is wanted, or the link ends, which rejects. */
  async #untilChanged(stream: Stream | null): Promise<void> {
    const over = stream === null ? this.#changed : Promise.race([stream.closed, this.#changed]);
    await unlessAborted<unknown>(over, this.#ended.signal);
  }

  /** Waits, unless another set of resources is wanted or the link ends. */
  async #wait(ms: number): Promise<void> {
    const waited = new AbortController();
    const stop = (): void => waited.abort();
    const { signal } = this.#ended;
    signal.addEventListener("abort", stop, { once: true });
    this.#changed.then(stop);
    await delay(this.#timers, ms, waited.signal).catch(() => {});
    signal.removeEventListener("abort", stop);
  }
}

async function openStream(
  link: Link,
  declared: readonly Change[],
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
  declared: readonly Change[],
  uris: readonly string[],
  onMissed: ChangeListenerOptions["onMissed"],
): void {
  for (const [, , method] of declared) onMissed({ method, params: {} });
  for (const uri of uris) onMissed({ method: "notifications/resources/updated", params: { uri } });
}

/** Whether the server itself answered that it gives no such stream. Other errors of it may pass. */
function isRefusal(thrown: unknown): boolean {
  return thrown instanceof Error &&
    FINAL_CODES.has((thrown as { readonly code?: unknown }).code);
}
