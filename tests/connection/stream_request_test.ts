import assert from "node:assert/strict";
import { LONGEST_SILENCE_MS, StreamRequest } from "../../src/connection/stream_request.ts";
import { FakeTimers } from "./fake_timers.ts";

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** A request for the common stream that is answered with these statuses, then never. */
class Asked {
  readonly timers = new FakeTimers();
  readonly request = new StreamRequest(this.timers);
  readonly controller = new AbortController();
  readonly #statuses: number[];
  times = 0;

  constructor(...statuses: number[]) {
    this.#statuses = statuses;
  }

  /** Asks; gives the status that the transport gets to see. */
  async ask(): Promise<number> {
    const { status } = await this.request.ask((init) => {
      this.times++;
      const next = this.#statuses.shift();
      if (next !== undefined) return Promise.resolve(new Response(null, { status: next }));
      return new Promise((_resolve, reject) => {
        init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    }, { signal: this.controller.signal });
    return status;
  }

  /** Moves the clock, and lets what waited for it run. */
  async turn(ms: number): Promise<void> {
    await settle();
    this.timers.advance(ms);
    await settle();
  }
}

Deno.test("the first answer to the asking for a stream is final, whatever it is", async () => {
  for (const status of [200, 404, 405, 409, 503]) {
    const asked = new Asked(status);
    assert.equal(await asked.ask(), status);
    assert.equal(asked.timers.size, 0);
  }
});

Deno.test("a server that still holds the last stream is asked again, ever more slowly [C09]", async () => {
  const asked = new Asked(200, 409, 503, 409, 200);
  await asked.ask();
  assert.equal(asked.request.opened(), false);
  const again = asked.ask();
  for (const wait of [1_000, 2_000, 4_000]) {
    const { times } = asked;
    await asked.turn(wait - 1);
    assert.equal(asked.times, times);
    await asked.turn(1);
    assert.equal(asked.times, times + 1);
  }
  assert.equal(await again, 200);
  assert.equal(asked.request.opened(), true, "something may have been missed");
  assert.equal(asked.timers.size, 0);
});

Deno.test("a server that gives no stream any more is believed", async () => {
  const asked = new Asked(200, 405);
  await asked.ask();
  asked.request.opened();
  assert.equal(await asked.ask(), 405);
});

Deno.test("an answer whose head never comes is given up and asked for again [G12]", async () => {
  const asked = new Asked();
  const asking = asked.ask();
  await asked.turn(LONGEST_SILENCE_MS);
  assert.equal(asked.times, 1);
  await asked.turn(1_000);
  assert.equal(asked.times, 2);
  asked.controller.abort("over");
  await assert.rejects(asking, (reason) => reason === "over");
  assert.equal(asked.timers.size, 0);
});
