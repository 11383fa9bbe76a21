import assert from "node:assert/strict";
import { lifeCyclePage } from "../../scripts/draw_life_cycle.ts";
import {
  EVENTS,
  LIFE_CYCLE,
  type LifeEvent,
  type LifeState,
  transition,
} from "../../src/runtime/life_cycle.ts";

const states = Object.keys(LIFE_CYCLE) as LifeState[];
const events = Object.keys(EVENTS) as LifeEvent[];

Deno.test("every state can be reached, and left by a user's restart and end", () => {
  const reached = new Set<LifeState>(["off"]);
  for (const state of reached) {
    for (const event of events) {
      const next = transition(state, event);
      if (next !== null) reached.add(next.to);
    }
  }
  assert.deepEqual([...reached].sort(), [...states].sort());
  for (const state of states) {
    assert.equal(transition(state, "restart")?.to, "connecting");
    assert.equal(transition(state, "ended")?.to, "off");
    assert.equal(transition(state, "blocked")?.to, "blocked");
  }
});

Deno.test("an attempt begins only on the way to a state that is one", () => {
  for (const state of states) {
    for (const [event, { to, effects }] of Object.entries(LIFE_CYCLE[state])) {
      const isAttempt = to === "connecting" || to === "retrying";
      assert.equal(effects.includes("open"), isAttempt, `${state} ${event}`);
      assert.equal(effects.includes("schedule"), to === "waiting", `${state} ${event}`);
    }
  }
});

Deno.test("no way into an attempt leaves an attempt, a connection or a timer behind", () => {
  for (const state of states) {
    for (const [event, { effects }] of Object.entries(LIFE_CYCLE[state])) {
      if (!effects.includes("open")) continue;
      assert.ok(effects.includes("close"), `${state} ${event} must close`);
      const hasTimer = state === "waiting" && event !== "due";
      if (hasTimer) assert.ok(effects.includes("unschedule"), `${state} ${event}`);
      assert.equal(effects.at(-1), "open", "what it closes is the old one");
    }
  }
});

Deno.test("what was refused, blocked or needs a login is not tried because somebody calls", () => {
  for (const state of ["refused", "blocked", "needs-auth", "dropped", "off"] as const) {
    assert.equal(transition(state, "called"), null);
  }
});

Deno.test("the drawing in the docs is that of the table", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/life_cycle.md", import.meta.url));
  const flat = (text: string): string =>
    text.replaceAll(/-{3,}/g, "---").replaceAll(/ +/g, " ").trim();
  assert.equal(flat(page), flat(lifeCyclePage()));
});
