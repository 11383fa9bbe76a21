import assert from "node:assert/strict";
import {
  HostSubscriptions,
  type Subscribed,
} from "../../../src/gateway/offer/host_subscriptions.ts";
import { refused } from "../../../src/gateway/rpc.ts";

const never = new AbortController().signal;

/** A host, the subscriptions of it that are under way, and what ended. */
function made(): {
  subscriptions: HostSubscriptions;
  add: (uri: string) => Promise<unknown>;
  settle: (outcome?: Subscribed) => void;
  ended: string[];
} {
  const ended: string[] = [];
  const underWay: { uri: string; resolve: (outcome: Subscribed) => void }[] = [];
  const subscriptions = new HostSubscriptions(() => {});
  return {
    subscriptions,
    add: (uri) =>
      subscriptions.add(
        uri,
        () => new Promise((resolve) => underWay.push({ uri, resolve })),
        never,
      ),
    settle: (outcome) => {
      const first = underWay.shift();
      first?.resolve(outcome ?? { end: () => void ended.push(first.uri) });
    },
    ended,
  };
}

Deno.test("a host that takes a subscription back while it is under way has none", async () => {
  const { subscriptions, add, settle, ended } = made();
  const first = add("x:1");
  subscriptions.remove("x:1");
  const second = add("x:1");
  settle();
  await first;
  assert.deepEqual(ended, ["x:1"]);
  settle();
  await second;
  assert.deepEqual(ended, ["x:1"], "the one asked for afterwards stays");
  subscriptions.remove("x:1");
  assert.deepEqual(ended, ["x:1", "x:1"]);
});

Deno.test("what is asked for twice at a time is held once, also when one of the two is refused", async () => {
  const { subscriptions, add, settle, ended } = made();
  const both = [add("x:1"), add("x:1")];
  settle();
  settle();
  assert.deepEqual(await Promise.all(both), [null, null]);
  assert.deepEqual(ended, ["x:1"]);
  assert.equal(await add("x:1"), null, "it is there");
  const others = [add("x:2"), add("x:2")];
  const refusal = refused(1, "No");
  settle();
  settle({ refusal });
  assert.deepEqual(await Promise.all(others), [null, refusal]);
  assert.deepEqual(ended, ["x:1"]);
  subscriptions.end();
  assert.deepEqual(ended, ["x:1", "x:1", "x:2"]);
});

Deno.test("a subscription that comes about after its host has gone is ended at once", async () => {
  const { subscriptions, add, settle, ended } = made();
  const adding = add("x:1");
  subscriptions.end();
  settle();
  await adding;
  assert.deepEqual(ended, ["x:1"]);
});
