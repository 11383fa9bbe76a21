import assert from "node:assert/strict";
import { AskingCall } from "../../../src/gateway/bridge/asking_call.ts";
import {
  MOST_OF_ONE,
  MOST_PARKED,
  PARKED_MS,
  ParkedCalls,
} from "../../../src/gateway/bridge/parked_calls.ts";
import type { StateBinding } from "../../../src/gateway/bridge/request_state.ts";
import { HotplugError } from "../../../src/model/errors.ts";
import type { AskAsker } from "../../../src/model/forward.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { FakeClock } from "../../runtime/fake_clock.ts";

const FILLED = { action: "accept" };

/** The request of a principal. */
function binding(principal: string, params: JsonObject = { name: "t" }): StateBinding {
  return { principal, method: "tools/call", params };
}

/** A call whose server asks for a form, and what became of it at the server. */
interface Made {
  readonly call: AskingCall;
  /** The answer that the server got, or why it got none. */
  readonly answer: Promise<unknown>;
  /** Whether the server was told that nobody waits. */
  isCancelled: boolean;
}

function asks(clock: FakeClock): Made {
  const never = new AbortController().signal;
  let answer: Promise<unknown> = Promise.resolve(null);
  const made = {
    call: new AskingCall({
      waiting: {
        capabilities: { elicitation: {} },
        onProgress: undefined,
        onLog: undefined,
        signal: never,
      },
      clock,
      onAnswer: () => {},
      send: ({ ask, signal }) => {
        const asked = (ask as AskAsker)("elicitation/create", { message: "?" }, never);
        answer = asked.catch((thrown: Error) => thrown.message);
        return new Promise((resolve, reject) => {
          signal?.addEventListener("abort", () => {
            made.isCancelled = true;
            reject(new Error("aborted"));
          });
          asked.then(resolve, () => {});
        });
      },
    }),
    get answer(): Promise<unknown> {
      return answer;
    },
    isCancelled: false,
  };
  return made;
}

/** Parks a call; gives its state. */
async function parked(calls: ParkedCalls, { call }: Made, whose: StateBinding): Promise<string> {
  const { requestState } = await calls.park(call, whose, new AbortController().signal);
  return String(requestState);
}

/** The code and message that a state is refused with. */
async function refusalOf(taking: Promise<unknown>): Promise<string> {
  const thrown = await taking.then(() => null, (error: unknown) => error);
  assert.ok(thrown instanceof HotplugError);
  return `${thrown.details["code"]} ${thrown.message}`;
}

Deno.test("a state is good for its own principal, method and parameters, once", async () => {
  const clock = new FakeClock();
  const calls = new ParkedCalls(clock);
  const made = asks(clock);
  const whose = binding("ada", { name: "t", arguments: { a: 1, b: [2] }, _meta: { one: 1 } });
  const state = await parked(calls, made, whose);
  const others: readonly [string, StateBinding][] = [
    [state, { ...whose, principal: "bob" }],
    [state, { ...whose, method: "prompts/get" }],
    [state, { ...whose, params: { name: "t", arguments: { a: 1, b: [3] } } }],
    [state, { ...whose, params: { name: "u", arguments: { a: 1, b: [2] } } }],
    [state.replace(/\.1\./, ".2."), whose],
    [`${state}0`, whose],
    ["", whose],
    [".".repeat(100_000), whose],
  ];
  for (const [given, by] of others) assert.equal(await calls.take(given, by), null);
  // The same parameters in another order, with what belongs to the round.
  const again = {
    requestState: state,
    inputResponses: {},
    arguments: { b: [2], a: 1 },
    name: "t",
    _meta: { two: 2 },
  };
  assert.equal(await calls.take(state, { ...whose, params: again }), made.call);
  assert.match(await refusalOf(calls.take(state, whose)), /-32602 .*used before/);
  calls.close();
});

Deno.test("another process knows no state of this one", async () => {
  const clock = new FakeClock();
  const first = new ParkedCalls(clock);
  const state = await parked(first, asks(clock), binding("ada"));
  assert.equal(await new ParkedCalls(clock).take(state, binding("ada")), null);
  first.close();
});

Deno.test("a parked call is ended after ten minutes, and its state has expired", async () => {
  const clock = new FakeClock();
  const calls = new ParkedCalls(clock);
  const made = asks(clock);
  const state = await parked(calls, made, binding("ada"));
  await clock.turn(PARKED_MS - 1);
  assert.equal(made.isCancelled, false);
  await clock.turn(1);
  assert.equal(made.isCancelled, true);
  assert.equal(await made.answer, "The host has not answered");
  assert.match(await refusalOf(calls.take(state, binding("ada"))), /-32602 .*expired/);
  assert.equal(calls.size, 0);
  assert.equal(clock.waiting, 0);
});

Deno.test("each time that a call is parked it has another state and its whole time", async () => {
  const clock = new FakeClock();
  const calls = new ParkedCalls(clock);
  const made = asks(clock);
  const first = await parked(calls, made, binding("ada"));
  await clock.turn(PARKED_MS - 1);
  assert.equal(await calls.take(first, binding("ada")), made.call);
  const second = await parked(calls, made, binding("ada"));
  assert.notEqual(second, first);
  await clock.turn(PARKED_MS - 1);
  assert.match(await refusalOf(calls.take(first, binding("ada"))), /-32602/);
  assert.equal(await calls.take(second, binding("ada")), made.call);
  calls.close();
});

Deno.test("a thousand calls that nobody comes back for leave a bounded number", async () => {
  const clock = new FakeClock();
  const calls = new ParkedCalls(clock);
  const made: Made[] = [];
  for (let count = 0; count < 1_000; count++) {
    const one = asks(clock);
    made.push(one);
    await parked(calls, one, binding("ada"));
  }
  assert.equal(calls.size, MOST_OF_ONE);
  assert.equal(made.filter(({ isCancelled }) => isCancelled).length, 1_000 - MOST_OF_ONE);
  assert.equal(made.findIndex(({ isCancelled }) => !isCancelled), 1_000 - MOST_OF_ONE);
  assert.equal(clock.waiting, MOST_OF_ONE);
  calls.close();
  assert.equal(made.every(({ isCancelled }) => isCancelled), true);
  assert.equal(clock.waiting, 0);
});

Deno.test("one principal's calls never end another's that has fewer", async () => {
  const clock = new FakeClock();
  const calls = new ParkedCalls(clock);
  const few = asks(clock);
  const state = await parked(calls, few, binding("few"));
  for (let principal = 0; principal <= MOST_PARKED / MOST_OF_ONE; principal++) {
    for (let count = 0; count < MOST_OF_ONE; count++) {
      await parked(calls, asks(clock), binding(`many ${principal}`));
    }
  }
  assert.equal(calls.size, MOST_PARKED);
  assert.equal(few.isCancelled, false);
  assert.equal(await calls.take(state, binding("few")), few.call);
  few.call.answer({ "input-1": FILLED });
  assert.deepEqual(await few.call.next(), FILLED);
  calls.close();
});

Deno.test("a call is not parked for a host that has gone meanwhile, or a gateway that ends", async () => {
  const clock = new FakeClock();
  const calls = new ParkedCalls(clock);
  const gone = asks(clock);
  await assert.rejects(calls.park(gone.call, binding("ada"), AbortSignal.abort()));
  assert.equal(gone.isCancelled, true);
  calls.close();
  const late = asks(clock);
  await assert.rejects(parked(calls, late, binding("ada")));
  assert.equal(late.isCancelled, true);
  assert.equal(calls.size, 0);
});

Deno.test("a call whose request is too deep for a state is not left running", async () => {
  const clock = new FakeClock();
  const calls = new ParkedCalls(clock);
  const made = asks(clock);
  let deep: JsonObject = {};
  for (let level = 0; level < 100_000; level++) deep = { deep };
  await assert.rejects(parked(calls, made, binding("ada", deep)), RangeError);
  assert.equal(made.isCancelled, true);
  assert.equal(calls.size, 0);
});
