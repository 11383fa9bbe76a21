import assert from "node:assert/strict";
import { type GatedStart, type GateOptions, passGate } from "../../src/runtime/start_gate.ts";
import { FakeClock } from "./fake_clock.ts";

/** A start that settles when it is told to. */
class Start implements GatedStart {
  readonly done: Promise<void>;
  readonly known: Promise<boolean>;
  readonly settle: () => void;

  constructor(known: boolean) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.done = promise;
    this.settle = resolve;
    this.known = Promise.resolve(known);
  }
}

/** The gate over some starts, and whether it has been passed. */
function gate(
  starts: readonly GatedStart[],
  options: Partial<GateOptions> & Pick<GateOptions, "clock">,
): { readonly passed: () => boolean; readonly promise: Promise<void> } {
  let passed = false;
  const promise = passGate(starts, { gateMs: 250, onMissingCache: "wait", ...options })
    .then(() => {
      passed = true;
    });
  return { passed: () => passed, promise };
}

Deno.test("the gate opens at once when every start has settled", async () => {
  const clock = new FakeClock();
  const starts = [new Start(false), new Start(true)];
  const { promise } = gate(starts, { clock });
  for (const start of starts) start.settle();
  await promise;
  assert.equal(clock.waiting, 0, "no timer is left");
});

Deno.test("nothing to start passes the gate", async () => {
  await gate([], { clock: new FakeClock() }).promise;
});

Deno.test("after the gate nobody waits for servers that the cache knows [I01]", async () => {
  const clock = new FakeClock();
  const hung = new Start(true);
  const { passed, promise } = gate([hung, new Start(true)], { clock });
  await clock.turn(249);
  assert.equal(passed(), false);
  await clock.turn(1);
  assert.equal(passed(), true);
  await promise;
});

Deno.test("after the gate a server that was never seen is waited for [I02]", async () => {
  const clock = new FakeClock();
  const unknown = new Start(false);
  const { passed, promise } = gate([unknown, new Start(true)], { clock });
  await clock.turn(60_000);
  assert.equal(passed(), false);
  unknown.settle();
  await promise;
});

Deno.test("with onMissingCache late nobody is waited for after the gate", async () => {
  const clock = new FakeClock();
  const { promise } = gate([new Start(false)], { clock, onMissingCache: "late" });
  await clock.turn(250);
  await promise;
});

Deno.test("an abort ends the waiting at once and leaves no timer", async () => {
  const clock = new FakeClock();
  const controller = new AbortController();
  const { promise } = gate([new Start(false)], { clock, signal: controller.signal });
  controller.abort();
  await promise;
  assert.equal(clock.waiting, 0);
});

Deno.test("an abort ends the waiting for a server that was never seen", async () => {
  const clock = new FakeClock();
  const controller = new AbortController();
  const { promise } = gate([new Start(false)], { clock, signal: controller.signal });
  await clock.turn(250);
  controller.abort();
  await promise;
});
