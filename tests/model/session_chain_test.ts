import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../src/model/json.ts";
import { goesRound, readLoop, readSessionIds, viaOf } from "../../src/model/session_chain.ts";

/** An item that has come through these. */
function via(ids: JsonValue): JsonObject {
  return { name: "x", _meta: { "dev.hotplug/via": ids } };
}

Deno.test("ids of sessions are read from whatever somebody has written there", () => {
  assert.deepEqual(readSessionIds(["a", "b-2_C"]), ["a", "b-2_C"]);
  assert.deepEqual(readSessionIds(["a", 1, null, {}, "", "b c", "x".repeat(41), "b"]), ["a", "b"]);
  for (const value of [undefined, null, "a", 1, { a: 1 }]) {
    assert.deepEqual(readSessionIds(value), []);
  }
  assert.equal(readSessionIds(Array.from({ length: 100_000 }, () => "a")).length, 64);
});

Deno.test("an item that has come through one of the chain's sessions goes round in circles", () => {
  const chain = ["outer", "own"];
  assert.ok(goesRound(via(["other", "own"]), chain));
  assert.ok(goesRound(via(["outer"]), chain));
  assert.ok(!goesRound(via(["other"]), chain));
  assert.ok(!goesRound({ name: "x" }, chain));
  assert.ok(!goesRound({ name: "x", _meta: null }, chain));
  assert.deepEqual(viaOf(via("own")), []);
});

Deno.test("an item that has come through four gateways goes no further", () => {
  assert.ok(!goesRound(via(["1", "2", "3"]), []));
  assert.ok(goesRound(via(["1", "2", "3", "4"]), []));
});

Deno.test("only the words of a gateway tell a loop", () => {
  assert.equal(readLoop({ "dev.hotplug/loop": "itself" }), "itself");
  for (const data of [undefined, null, "itself", {}, { "dev.hotplug/loop": "toString" }]) {
    assert.equal(readLoop(data), null);
  }
});
