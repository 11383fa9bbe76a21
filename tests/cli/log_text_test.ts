import assert from "node:assert/strict";
import { painter } from "../../src/cli/colour.ts";
import { chosenLines, logText } from "../../src/cli/log_text.ts";
import { parseSince, sinceMoment } from "../../src/cli/log_time.ts";
import type { LogLevel } from "../../src/model/log.ts";
import type { LogLine } from "../../src/model/server_log.ts";

function line(server: string, level: LogLevel, at: number, message = "text"): LogLine {
  const time = new Date(at).toISOString();
  return { time, level, stream: "stderr", pid: 1, server, workspace: "/w", message };
}

Deno.test("lines are chosen by server, time and level", () => {
  const lines = [
    line("a", "debug", 1_000),
    line("b", "info", 2_000),
    line("a", "warn", 3_000),
    line("a", "error", 4_000),
  ];
  const times = (choice: Partial<Parameters<typeof chosenLines>[1]>): readonly number[] =>
    chosenLines(lines, { servers: [], since: -Infinity, level: "debug", ...choice })
      .map(({ time }) => Date.parse(time) / 1_000);
  assert.deepEqual(times({}), [1, 2, 3, 4]);
  assert.deepEqual(times({ servers: ["a"] }), [1, 3, 4]);
  assert.deepEqual(times({ since: 3_000 }), [3, 4]);
  assert.deepEqual(times({ level: "warn" }), [3, 4]);
  assert.deepEqual(times({ level: "error", servers: ["b"] }), []);
});

Deno.test("a line for the terminal holds nothing that a terminal obeys", () => {
  const plain = painter(false);
  assert.equal(
    logText(line("a", "warn", 0, "\x1b[31mred\x1b[0m \x1b]0;title\x07 \u202eback\rover"), plain),
    "1970-01-01T00:00:00.000Z warn  a red \\x1b]0;title\\u{7} \\u{202e}back over",
  );
  const own = { ...line("a\x1b[2J", "info", 0, "Closed"), stream: "hotplug" as const };
  assert.equal(
    logText(own, plain),
    "1970-01-01T00:00:00.000Z info  a\\x1b[2J (hotplug) Closed",
  );
});

Deno.test("grave lines are coloured", () => {
  const paint = painter(true);
  const end = (level: LogLevel): string | undefined =>
    logText(line("a", level, 0), paint).split(" ").at(-1);
  assert.equal(end("error"), "\x1b[31mtext\x1b[39m");
  assert.equal(end("warn"), "\x1b[33mtext\x1b[39m");
  assert.equal(end("info"), "text");
});

Deno.test("--since takes a duration or a moment", () => {
  const now = Date.parse("2026-11-30T12:00:00Z");
  const cases: readonly (readonly [string, number])[] = [
    ["10m", now - 600_000],
    ["30", now - 30_000],
    ["2 h", now - 7_200_000],
    ["3d", now - 259_200_000],
    ["40d", now - 3_456_000_000],
    ["2026-11-30T10:00:00Z", Date.parse("2026-11-30T10:00:00Z")],
    ["2026-11-30T10:00", new Date(2026, 10, 30, 10).getTime()],
    ["2026-11-30", new Date(2026, 10, 30).getTime()],
  ];
  for (const [text, moment] of cases) {
    assert.equal(sinceMoment(parseSince(text), now), moment, text);
  }
  assert.equal(sinceMoment(undefined, now), -Infinity);
  for (const text of ["", "yesterday", "-5m", "2026-13-45", "5 weeks", "2026-11-30Tx"]) {
    assert.throws(() => parseSince(text), { name: "SyntaxError" }, text);
  }
});
