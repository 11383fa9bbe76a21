import assert from "node:assert/strict";
import { listenForChanges } from "../../src/connection/change_listener.ts";
import type { Link } from "../../src/connection/link.ts";
import { silentLogger } from "../../src/model/log.ts";
import { FakeTimers } from "./fake_timers.ts";

/** A link that can be listened to; each stream is one entry of `streams`. */
class Listened {
  readonly timers = new FakeTimers();
  readonly missed: string[] = [];
  readonly filters: unknown[] = [];
  readonly #ended = Promise.withResolvers<Error>();
  /** What the next stream does: ends when told so, or is refused. */
  next: () => Promise<{ readonly closed: Promise<unknown> }> = () =>
    Promise.reject(new Error("no network"));
  readonly running: Promise<void>;

  constructor(next?: Listened["next"], era: "modern" | "legacy" = "modern") {
    if (next !== undefined) this.next = next;
    const link = {
      protocol: { era, version: "" },
      capabilities: { tools: { listChanged: true }, prompts: {} },
      wire: { ended: this.#ended.promise },
      client: {
        listen: (filter: unknown) => {
          this.filters.push(filter);
          return this.next();
        },
      },
    } as unknown as Link;
    this.running = listenForChanges(link, {
      log: silentLogger,
      timers: this.timers,
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
