import assert from "node:assert/strict";
import { waitingLine } from "../../src/cli/waiting_line.ts";
import type { Sink } from "../../src/cli/output.ts";

/** A line whose terminal, timer and clock a test holds. */
function waiting(
  names: () => readonly string[],
  { terminal = true, verbose = false, columns = 40 } = {},
): {
  readonly end: () => void;
  readonly tickAt: (ms: number) => void;
  readonly text: () => string;
} {
  let now = 0;
  let text = "";
  let tick: (() => void) | null = null;
  const sink: Sink = {
    isTerminal: terminal,
    colour: false,
    columns,
    rows: 24,
    isUsed: false,
    isClosed: false,
    write: (written) => void (text += written),
  };
  const end = waitingLine(sink, {
    names,
    verbose,
    now: () => now,
    every: (action) => {
      tick = action;
      return () => tick = null;
    },
  });
  return {
    end,
    text: () => text,
    tickAt(ms): void {
      now = ms;
      tick?.();
    },
  };
}

Deno.test("from the first second on a terminal names the servers that are waited for", () => {
  let names = ["slow", "hung"];
  const { end, tickAt, text } = waiting(() => names);
  tickAt(500);
  assert.equal(text(), "");
  tickAt(1_500);
  names = ["hung"];
  tickAt(2_000);
  end();
  tickAt(2_500);
  assert.equal(
    text(),
    "\r\x1b[Kwaiting for slow, hung (1s)\r\x1b[Kwaiting for hung (2s)\r\x1b[K",
  );
});

Deno.test("the line never wraps, and goes when nothing is waited for", () => {
  let names = ["x".repeat(100)];
  const { tickAt, text } = waiting(() => names, { columns: 30 });
  tickAt(12_000);
  assert.equal(text(), `\r\x1b[Kwaiting for ${"x".repeat(10)}… (12s)`);
  names = [];
  tickAt(13_000);
  assert.ok(text().endsWith("(12s)\r\x1b[K"));
});

Deno.test("nothing is said in a pipe, or over a log", () => {
  for (const options of [{ terminal: false }, { verbose: true }]) {
    const { end, tickAt, text } = waiting(() => ["a"], options);
    tickAt(5_000);
    end();
    assert.equal(text(), "");
  }
});
