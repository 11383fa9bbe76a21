import assert from "node:assert/strict";
import type { ServerState } from "../../src/model/server_state.ts";
import {
  reconcile,
  type ReconcileAction,
  type ReconcileInput,
  type RunningServer,
  type WantedServer,
} from "../../src/runtime/reconcile.ts";

function wanted(name: string, change: Partial<WantedServer> = {}): WantedServer {
  return {
    name,
    config: { command: name },
    source: undefined,
    keys: { definition: name, fingerprint: "1" },
    ...change,
  };
}

function running(name: string, change: Partial<RunningServer> = {}): RunningServer {
  return { ...wanted(name), state: "connected", ...change };
}

function actions(input: ReconcileInput): Record<string, ReconcileAction> {
  return Object.fromEntries(reconcile(input));
}

Deno.test("only what was added, removed or changed is touched [C3] [G07]", () => {
  const decided = actions({
    running: [running("same"), running("edited"), running("gone")],
    wanted: [
      wanted("new"),
      wanted("edited", { keys: { definition: "else", fingerprint: "2" } }),
      wanted("same"),
    ],
  });
  assert.deepEqual(decided, { gone: "stop", new: "start", edited: "restart", same: "keep" });
  assert.deepEqual(Object.keys(decided), ["gone", "new", "edited", "same"]);
});

Deno.test("filters, approvals, texts and time limits are exchanged without a restart", () => {
  for (
    const change of [
      { enabledTools: ["a*"] },
      { disabledTools: ["b"] },
      { autoApprove: ["a"] },
      { description: "else" },
      { callTimeout: 5 },
    ]
  ) {
    const now = wanted("a", { config: { command: "a", ...change } });
    assert.deepEqual(actions({ running: [running("a")], wanted: [now] }), { a: "exchange" });
  }
});

Deno.test("a file that a server is started with counts for a reload alone", () => {
  const now = wanted("a", { keys: { definition: "a", fingerprint: "2" } });
  const input = { running: [running("a")], wanted: [now] };
  assert.deepEqual(actions(input), { a: "keep" });
  assert.deepEqual(actions({ ...input, mode: "reload" }), { a: "restart" });
});

Deno.test("a reload asks what is connected for its lists, and starts the rest anew", () => {
  const states: readonly ServerState[] = [
    "connected",
    "connecting",
    "retrying",
    "error",
    "needs-auth",
    "disconnected",
    "blocked",
  ];
  const input: ReconcileInput = {
    running: states.map((state) => running(state, { state, isEnded: state === "disconnected" })),
    wanted: states.map((state) => wanted(state)),
  };
  const kept = Object.fromEntries(states.map((state) => [state, "keep"]));
  assert.deepEqual(actions(input), kept);
  assert.deepEqual(actions({ ...input, mode: "reload" }), {
    connected: "relist",
    connecting: "keep",
    retrying: "restart",
    error: "restart",
    "needs-auth": "restart",
    disconnected: "restart",
    blocked: "restart",
  });
});

Deno.test("servers that are named restart though nothing differs", () => {
  const input = { running: [running("a"), running("b")], wanted: [wanted("a"), wanted("b")] };
  assert.deepEqual(actions({ ...input, restart: ["b"] }), { a: "keep", b: "restart" });
});

Deno.test("what could not be started is tried again when it may, or is written anew", () => {
  const before = running("a", { state: "error", keys: null });
  const decide = (now: WantedServer): ReconcileAction | undefined =>
    reconcile({ running: [before], wanted: [now] }).get("a");
  assert.equal(decide(wanted("a", { keys: null })), "keep");
  assert.equal(decide(wanted("a", { keys: null, config: { command: "b" } })), "restart");
  assert.equal(decide(wanted("a")), "restart");
});

Deno.test("what its host disconnected stays so whatever is written", () => {
  const before = running("a", { state: "disconnected", isEnded: true });
  const now = wanted("a", { config: { command: "b" }, keys: null });
  assert.deepEqual(actions({ running: [before], wanted: [now] }), { a: "exchange" });
});

Deno.test("what was blocked starts when nobody forbids it any more", () => {
  const before = running("a", { state: "blocked", isFreed: true });
  assert.deepEqual(actions({ running: [before], wanted: [wanted("a")] }), { a: "restart" });
});
