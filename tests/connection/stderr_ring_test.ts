import assert from "node:assert/strict";
import { stderrLevel, StderrRing } from "../../src/connection/stderr_ring.ts";

Deno.test("the ring keeps the last lines within its size", () => {
  const ring = new StderrRing(100);
  for (let i = 0; i < 10_000; i++) ring.add(`line ${i}`);
  const lines = ring.tail(1000).split("\n");
  assert.equal(lines.at(-1), "line 9999");
  assert.ok(lines.length <= 10 && lines.length > 5);
  assert.equal(ring.tail(2), "line 9998\nline 9999");
  assert.equal(ring.tail(2, 5), "… 9999");
});

Deno.test("one line beyond the size of the ring is kept until the next", () => {
  const ring = new StderrRing(10);
  ring.add("x".repeat(50));
  assert.equal(ring.tail().length, 50);
  ring.add("next");
  assert.equal(ring.tail(), "next");
});

Deno.test("a line's level is the one it names, else error by that word, else info", () => {
  const levels: [string, string][] = [
    ["listening on port 3000", "info"],
    ["Unhandled Error: no such table", "error"],
    ["INFO retrying after an error", "info"],
    ["[warn] error rate is high", "warn"],
    ['{"level":"debug","msg":"error path"}', "debug"],
    ["2026-01-01T10:00:00Z ERROR cannot bind", "error"],
    ["time=x level=warning msg=hm", "warn"],
    ["FATAL: out of cheese", "error"],
    ["information about errors", "error"],
  ];
  for (const [line, level] of levels) assert.equal(stderrLevel(line), level, line);
});
