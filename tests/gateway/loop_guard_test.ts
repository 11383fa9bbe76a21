import assert from "node:assert/strict";
import { LoopGuard } from "../../src/gateway/loop_guard.ts";
import type { ServerConfig } from "../../src/model/definition.ts";
import { chainOf } from "../../src/session/gateway_chain.ts";

const WORKSPACE = "/work";

/** A guard of a process that was started inside of these sessions. */
function guardIn(...sessions: readonly (readonly [string, string])[]): LoopGuard {
  let HOTPLUG_CHAIN = "";
  for (const [id, workspacePath] of sessions) {
    HOTPLUG_CHAIN = chainOf(HOTPLUG_CHAIN, { command: id }, { id, workspacePath });
  }
  return new LoopGuard({ env: { HOTPLUG_CHAIN }, workspacePath: WORKSPACE });
}

/** Why a guard refuses a host. */
function loop(guard: LoopGuard, ...chain: readonly string[]): unknown {
  const answer = guard.refusal(chain);
  if (answer === null) return null;
  assert.ok("error" in answer);
  return (answer.error.data as Record<string, unknown>)["dev.hotplug/loop"];
}

Deno.test("a host inside of the gateway is refused, any other is not", () => {
  const guard = guardIn();
  assert.equal(loop(guard), null);
  assert.equal(loop(guard, "a", "b"), null);
  assert.equal(loop(guard, guard.id), "itself");
  assert.equal(loop(guard, guard.id, "b"), "itself");
  assert.notEqual(guardIn().id, guard.id);
});

Deno.test("a session is refused by a gateway that it started itself for its own workspace", () => {
  assert.equal(loop(guardIn(["a", WORKSPACE]), "a"), "same-workspace");
  assert.equal(loop(guardIn(["a", "/other"]), "a"), null);
  // Somebody else speaks, who may not have these servers.
  assert.equal(loop(guardIn(["a", WORKSPACE])), null);
  assert.equal(loop(guardIn(["a", WORKSPACE]), "c"), null);
  // The outer one did not start it.
  assert.equal(loop(guardIn(["a", WORKSPACE], ["b", "/other"]), "a", "b"), null);
  const unknown = new LoopGuard({ env: {}, workspacePath: null });
  assert.equal(loop(unknown, "a"), null);
});

Deno.test("more than four sessions do not lie inside each other", () => {
  assert.equal(loop(guardIn(), "a", "b", "c"), null);
  assert.equal(loop(guardIn(), "a", "b", "c", "d"), "too-deep");
  const nested = guardIn(["a", "/1"], ["b", "/2"], ["c", "/3"]);
  assert.equal(loop(nested, "a", "b", "c"), null);
  assert.equal(loop(nested, "x"), "too-deep");
});

Deno.test("servers are told the sessions around the process and the host, each once", () => {
  const guard = guardIn(["a", "/1"], ["b", "/2"]);
  assert.deepEqual(guard.around([]), ["a", "b", guard.id]);
  assert.deepEqual(guard.around(["a", "b"]), ["a", "b", guard.id]);
  assert.deepEqual(guard.around(["b", "x"]), ["a", "b", "x", guard.id]);
});

Deno.test("a server at an address of the gateway takes no part", () => {
  const guard = guardIn();
  const refused = (launch: ServerConfig | null): string | null =>
    guard.addressRefusal({ launch })?.message ?? null;
  const url = "http://localhost:7777/mcp";
  assert.equal(refused({ url }), null);
  guard.listensAt("http://127.0.0.1:7777/mcp");
  assert.equal(refused({ url }), "It leads to this very gateway");
  assert.equal(refused({ url: "http://localhost:7778/mcp" }), null);
  assert.equal(refused(null), null);
});
