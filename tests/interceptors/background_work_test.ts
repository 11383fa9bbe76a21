import assert from "node:assert/strict";
import { BackgroundWork } from "../../src/interceptors/background_work.ts";
import { HotplugError } from "../../src/model/errors.ts";
import { silentLogger } from "../../src/model/log.ts";
import { machineClock } from "../../src/runtime/clock.ts";
import { until } from "../harness/until.ts";

const made = (log = silentLogger): BackgroundWork =>
  new BackgroundWork({ clock: machineClock, log });

/** A work that goes on until it is let go or told to end. */
function held(): {
  readonly work: (signal: AbortSignal) => Promise<void>;
  begun: boolean;
  go(): void;
} {
  let go = (): void => {};
  const gone = new Promise<void>((resolve) => go = resolve);
  const one = {
    begun: false,
    go: () => go(),
    work: (signal: AbortSignal): Promise<void> => {
      one.begun = true;
      const aborted = new Promise<void>((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(new HotplugError("aborted", "Aborted")))
      );
      return Promise.race([gone, aborted]);
    },
  };
  return one;
}

Deno.test("four works run at a time, the others wait their turn", async () => {
  const background = made();
  const works = Array.from({ length: 6 }, held);
  for (const { work } of works) background.add(null, work);
  assert.deepEqual(works.map(({ begun }) => begun), [true, true, true, true, false, false]);
  works[1]?.go();
  await until(() => works[4]?.begun === true);
  assert.equal(works[5]?.begun, false);
  for (const { go } of works) go();
  await background.finished(10_000);
  assert.ok(works.every(({ begun }) => begun));
});

Deno.test("of works under one key the newest waits, and they never overlap", async () => {
  const background = made();
  const first = held();
  const seen: string[] = [];
  background.add("a", first.work);
  for (const name of ["second", "third"]) {
    background.add("a", () => {
      seen.push(name);
      return Promise.resolve();
    });
  }
  background.add("b", () => {
    seen.push("other");
    return Promise.resolve();
  });
  await until(() => seen.length === 1);
  assert.deepEqual(seen, ["other"]);
  first.go();
  await background.finished(10_000);
  assert.deepEqual(seen, ["other", "third"]);
});

Deno.test("a flood is bounded: the oldest of what waits is left out, and that is said", async () => {
  const said: string[] = [];
  const background = made({ log: (_level, message) => said.push(message) });
  const holders = Array.from({ length: 4 }, held);
  for (const { work } of holders) background.add(null, work);
  let done = 0;
  for (let count = 0; count < 1_000; count++) {
    background.add(null, () => {
      done++;
      return Promise.resolve();
    });
  }
  for (const { go } of holders) go();
  await background.finished(10_000);
  assert.equal(done, 256);
  assert.deepEqual(said, ["Hooks are too slow; some are not told of everything"]);
});

Deno.test("the end waits no longer than it is told, and works can be added again", async () => {
  const background = made();
  const hung = held();
  const waiting = held();
  for (let count = 0; count < 3; count++) background.add(null, () => new Promise(() => {}));
  background.add(null, hung.work);
  background.add(null, waiting.work);
  const began = performance.now();
  await background.finished(50);
  assert.ok(performance.now() - began < 2_000);
  assert.equal(waiting.begun, false);
  let done = false;
  background.add("again", () => {
    done = true;
    return Promise.resolve();
  });
  assert.equal(done, true);
  await background.finished(1);
});

Deno.test("what a work throws is logged and costs the others nothing", async () => {
  const said: unknown[] = [];
  const background = made({ log: (_level, _message, fields) => said.push(fields?.["cause"]) });
  let done = false;
  background.add(null, () => Promise.reject(new Error("broken")));
  background.add(null, () => {
    throw new Error("at once");
  });
  background.add(null, () => {
    done = true;
    return Promise.resolve();
  });
  await background.finished(10_000);
  assert.deepEqual(said.toSorted(), ["at once", "broken"]);
  assert.equal(done, true);
});
