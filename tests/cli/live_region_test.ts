import assert from "node:assert/strict";
import { LiveRegion } from "../../src/cli/live_region.ts";

/** A region whose timer and terminal a test holds. */
function region(lines: () => readonly string[], size = { columns: 20, rows: 5 }): {
  readonly live: LiveRegion;
  readonly written: string[];
  readonly tick: () => void;
  readonly waiting: () => number;
} {
  const written: string[] = [];
  const timers = new Set<() => void>();
  const live = new LiveRegion({
    write: (text) => written.push(text),
    size: () => size,
    lines,
    later: (action) => {
      timers.add(action);
      return () => timers.delete(action);
    },
  });
  return {
    live,
    written,
    waiting: () => timers.size,
    tick(): void {
      for (const action of [...timers]) {
        timers.delete(action);
        action();
      }
    },
  };
}

Deno.test("many changes are one drawing, and a drawing replaces the last", () => {
  let lines = ["a", "b"];
  const { live, written, tick, waiting } = region(() => lines);
  live.changed();
  live.changed();
  assert.equal(waiting(), 1);
  tick();
  lines = ["c"];
  live.changed();
  tick();
  live.clear();
  assert.deepEqual(written, [
    "a\nb\n",
    "\x1b[2A\rc\x1b[K\n\x1b[J",
    "\x1b[1A\r\x1b[K\n\x1b[1A\r",
  ]);
});

Deno.test("a screen is never cleared from its first line on, which tmux would keep", () => {
  const { live, written, tick } = region(() => ["a", "b"]);
  live.changed();
  tick();
  live.changed();
  tick();
  live.clear();
  for (const text of written) {
    assert.ok(!text.replace("\x1b[2A\r", "").startsWith("\x1b[J"), JSON.stringify(text));
  }
});

Deno.test("no line wraps and no line leaves the screen", () => {
  const { live, written, tick } = region(
    () => ["\x1b[31m" + "x".repeat(30) + "\x1b[39m", "2", "3", "4", "5", "6"],
  );
  live.changed();
  tick();
  assert.deepEqual(written, [`${"x".repeat(18)}…\n2\n3\n4\n`]);
});

Deno.test("after its end nothing is drawn any more", () => {
  const { live, written, tick } = region(() => ["a"]);
  live.changed();
  live.clear();
  live.changed();
  tick();
  live.clear();
  assert.deepEqual(written, [""]);
});
