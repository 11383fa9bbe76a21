import assert from "node:assert/strict";
import { listenForChanges } from "../../src/connection/change_listener.ts";
import type { Link } from "../../src/connection/link.ts";
import { silentLogger } from "../../src/model/log.ts";
import { WatchedResources } from "../../src/connection/watched_resources.ts";
import { FakeTimers } from "./fake_timers.ts";

/** A link that can be listened to; each stream is one entry of `streams`. */
class Listened {
  readonly timers = new FakeTimers();
  readonly missed: string[] = [];
  readonly filters: unknown[] = [];
  readonly watched = new WatchedResources("s");
  readonly #ended = Promise.withResolvers<Error>();
  /** What the next stream does: ends when told so, or is refused. */
  next: (
    filter: unknown,
  ) => Promise<{ readonly closed: Promise<unknown>; close?: () => Promise<void> }> = () =>
    Promise.reject(new Error("no network"));
  readonly running: Promise<void>;

  constructor(next?: Listened["next"], era: "modern" | "legacy" = "modern", watches = false) {
    if (next !== undefined) this.next = next;
    const link = {
      protocol: { era, version: "" },
      capabilities: { tools: { listChanged: true }, prompts: {} },
      wire: { ended: this.#ended.promise },
      client: {
        listen: (filter: unknown) => {
          this.filters.push(filter);
          return this.next(filter);
        },
      },
    } as unknown as Link;
    this.running = listenForChanges(link, {
      log: silentLogger,
      timers: this.timers,
      ...(watches ? { watched: this.watched } : {}),
      onMissed: ({ method }) => this.missed.push(method),
    });
  }

  /** Ends the link. */
  end(): Promise<void> {
    this.#ended.resolve(new Error("over"));
    return this.running;
  }

  /** Moves the clock, and lets what waited for it run. */
  async turn(ms: number): Promise<void> {
    await settle();
    this.timers.advance(ms);
    await settle();
  }
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("a stream that dies is opened anew, and its lists then count as changed", async () => {
  const streams: (() => void)[] = [];
  const listened = new Listened(() => {
    const closed = Promise.withResolvers<unknown>();
    streams.push(() => closed.resolve("remote"));
    return Promise.resolve({ closed: closed.promise });
  });
  await listened.turn(0);
  assert.deepEqual(listened.filters, [{ toolsListChanged: true }]);
  assert.deepEqual(listened.missed, []);
  streams[0]?.();
  await listened.turn(999);
  assert.equal(streams.length, 1);
  await listened.turn(1);
  assert.equal(streams.length, 2);
  assert.deepEqual(listened.missed, ["notifications/tools/list_changed"]);
  await listened.end();
  assert.equal(listened.timers.size, 0);
});

Deno.test("a server that cannot be reached is asked ever more slowly, and not after the end", async () => {
  const listened = new Listened();
  const waits = [1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000);
  for (const [times, wait] of waits.entries()) {
    await listened.turn(wait - 1);
    assert.equal(listened.filters.length, times + 1);
    await listened.turn(1);
    assert.equal(listened.filters.length, times + 2);
  }
  await listened.end();
  assert.equal(listened.timers.size, 0);
});

Deno.test("a refusal is final, and the legacy era is not asked at all", async () => {
  const refusal = Object.assign(new Error("Method not found"), { code: -32601 });
  const refused = new Listened(() => Promise.reject(refusal));
  await refused.running;
  assert.equal(refused.filters.length, 1);
  const legacy = new Listened(undefined, "legacy");
  await legacy.running;
  assert.equal(legacy.filters.length, 0);
});

Deno.test("a server that cannot give a stream for the moment is asked again", async () => {
  const busy = Object.assign(new Error("Too many streams"), { code: -32000 });
  const listened = new Listened(() => Promise.reject(busy));
  await listened.turn(1_000);
  listened.next = () => Promise.resolve({ closed: new Promise(() => {}) });
  await listened.turn(2_000);
  await listened.turn(60_000);
  assert.equal(listened.filters.length, 3);
  await listened.end();
  assert.equal(listened.timers.size, 0);
});

/** Streams that tell of everything, with a record of what is opened and closed. */
class Streams {
  readonly events: string[] = [];
  readonly end: (() => void)[] = [];
  #next = 0;

  open = (filter: unknown): Promise<never> => {
    const id = this.#next++;
    const closed = Promise.withResolvers<unknown>();
    this.events.push(`open ${id}`);
    this.end.push(() => closed.resolve("remote"));
    return Promise.resolve({
      closed: closed.promise,
      honoredFilter: filter,
      close: () => {
        this.events.push(`close ${id}`);
        closed.resolve("local");
        return Promise.resolve();
      },
    } as never);
  };
}

Deno.test("a stream for other resources is opened before the old one is closed, and nothing is missed", async () => {
  const streams = new Streams();
  const listened = new Listened(streams.open, "modern", true);
  await listened.turn(0);
  listened.watched.add("note://a");
  await listened.watched.standing("note://a");
  await settle();
  assert.deepEqual(streams.events, ["open 0", "open 1", "close 0"]);
  assert.deepEqual(listened.filters.at(-1), {
    toolsListChanged: true,
    resourceSubscriptions: ["note://a"],
  });
  assert.deepEqual(listened.missed, []);
  // A stream that breaks may have lost something.
  streams.end[1]?.();
  await listened.turn(1_000);
  assert.deepEqual(listened.missed, [
    "notifications/tools/list_changed",
    "notifications/resources/updated",
  ]);
  listened.watched.remove("note://a");
  await settle();
  assert.deepEqual(streams.events.slice(3), ["open 2", "open 3", "close 2"]);
  assert.deepEqual(listened.filters.at(-1), { toolsListChanged: true });
  await listened.end();
  assert.equal(listened.timers.size, 0);
});

Deno.test("a refused resource keeps the stream that stands", async () => {
  const streams = new Streams();
  const refusal = Object.assign(new Error("No such resource"), { code: -32602 });
  const listened = new Listened(
    (filter) =>
      JSON.stringify(filter).includes("note://") ? Promise.reject(refusal) : streams.open(filter),
    "modern",
    true,
  );
  await listened.turn(0);
  listened.watched.add("note://a");
  await assert.rejects(listened.watched.standing("note://a"), refusal);
  await settle();
  assert.deepEqual(streams.events, ["open 0"]);
  listened.watched.remove("note://a");
  await settle();
  assert.deepEqual(streams.events, ["open 0", "open 1", "close 0"]);
  assert.deepEqual(listened.missed, []);
  await listened.end();
  assert.equal(listened.timers.size, 0);
});
