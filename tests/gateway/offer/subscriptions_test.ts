import assert from "node:assert/strict";
import {
  type Holder,
  type Subscriber,
  Subscriptions,
} from "../../../src/gateway/offer/subscriptions.ts";
import { HotplugError } from "../../../src/model/errors.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { until } from "../../harness/until.ts";

/** Subscriptions, and what servers were asked for. */
function made(more: Partial<Subscriber> = {}): { subscriptions: Subscriptions; asked: string[] } {
  const asked: string[] = [];
  const subscriptions = new Subscriptions();
  subscriptions.begin({
    subscribe: (server, uri) => Promise.resolve(void asked.push(`+ ${server} ${uri}`)),
    unsubscribe: (server, uri) => Promise.resolve(void asked.push(`- ${server} ${uri}`)),
    ...more,
  });
  return { subscriptions, asked };
}

const never = new AbortController().signal;

/** A host that takes updates down. */
function host(uri: string): { told: JsonObject[]; holder: Holder } {
  const told: JsonObject[] = [];
  const nameFor = (server: string, other: string): string => `mcp+${server}:${other}`;
  return { told, holder: { uri, nameFor, onUpdate: (params) => void told.push(params) } };
}

Deno.test("a server tells of a resource from the first host on until the last has left", async () => {
  const { subscriptions, asked } = made();
  const address = { server: "s", uri: "x:1" };
  const [one, two] = [host("x:1"), host("mcp+s:x:1")];
  const ends = await Promise.all(
    [one, two].map(({ holder }) => subscriptions.add(address, holder, never)),
  );
  assert.deepEqual(asked, ["+ s x:1"]);
  subscriptions.updated("s", { uri: "x:1", more: 1 });
  subscriptions.updated("t", { uri: "x:1" });
  assert.deepEqual(one.told, [{ uri: "x:1", more: 1 }]);
  assert.deepEqual(two.told, [{ uri: "mcp+s:x:1", more: 1 }]);
  ends[0]?.();
  ends[0]?.();
  subscriptions.updated("s", { uri: "x:1" });
  assert.equal(one.told.length, 1);
  assert.equal(two.told.length, 2);
  assert.deepEqual(asked, ["+ s x:1"]);
  ends[1]?.();
  await until(() => asked.length === 2);
  assert.equal(asked[1], "- s x:1");
  const again = host("x:1");
  await subscriptions.add(address, again.holder, never);
  assert.deepEqual(asked, ["+ s x:1", "- s x:1", "+ s x:1"]);
});

Deno.test("an update of a part goes once to each host that asked for something of that server", async () => {
  const { subscriptions } = made();
  const one = host("x:folder");
  await subscriptions.add({ server: "s", uri: "x:folder" }, one.holder, never);
  await subscriptions.add({ server: "s", uri: "x:else" }, { ...one.holder, uri: "x:else" }, never);
  const other = host("y:1");
  await subscriptions.add({ server: "t", uri: "y:1" }, other.holder, never);
  subscriptions.updated("s", { uri: "x:folder/part" });
  subscriptions.updated("s", { uri: 7 });
  assert.deepEqual(one.told, [{ uri: "mcp+s:x:folder/part" }]);
  assert.deepEqual(other.told, []);
});

Deno.test("an update of a part goes to those who asked for it or the whole, and to nobody besides", async () => {
  const { subscriptions } = made();
  const [whole, part, other] = [host("x:folder"), host("x:folder/part"), host("x:folder2")];
  for (const { holder } of [whole, part, other]) {
    await subscriptions.add({ server: "s", uri: holder.uri }, holder, never);
  }
  subscriptions.updated("s", { uri: "x:folder/part" });
  assert.deepEqual(part.told, [{ uri: "x:folder/part" }]);
  assert.deepEqual(whole.told, [{ uri: "mcp+s:x:folder/part" }]);
  assert.deepEqual(other.told, []);
});

Deno.test("a server that refuses is asked again by the next host, and a host that gives up leaves nothing", async () => {
  let refusals = 1;
  const asked: string[] = [];
  const { subscriptions } = made({
    subscribe: (_server, uri, { signal }) => {
      asked.push(`+ ${uri}`);
      if (uri === "slow:1") {
        return new Promise((_, reject) =>
          signal?.addEventListener("abort", () => reject(new HotplugError("aborted", "Aborted")))
        );
      }
      return refusals-- > 0
        ? Promise.reject(new HotplugError("protocol-error", "No"))
        : Promise.resolve();
    },
    unsubscribe: (_server, uri) => Promise.resolve(void asked.push(`- ${uri}`)),
  });
  const address = { server: "s", uri: "x:1" };
  const [first, second] = [host("x:1"), host("x:1")];
  const outcomes = await Promise.allSettled(
    [first, second].map(({ holder }) => subscriptions.add(address, holder, never)),
  );
  assert.deepEqual(outcomes.map(({ status }) => status), ["rejected", "fulfilled"]);
  subscriptions.updated("s", { uri: "x:1" });
  assert.deepEqual([first.told.length, second.told.length], [0, 1]);
  const controller = new AbortController();
  const slow = host("slow:1");
  const adding = subscriptions.add({ server: "s", uri: "slow:1" }, slow.holder, controller.signal);
  controller.abort();
  await assert.rejects(adding, /Aborted/);
  subscriptions.updated("s", { uri: "slow:1" });
  assert.deepEqual(slow.told, []);
  assert.deepEqual(asked.slice(0, 2), ["+ x:1", "+ x:1"]);
});
