import assert from "node:assert/strict";
import fc from "fast-check";
import type { LogLine } from "../../src/model/server_log.ts";
import { batchText, MAX_BATCH_BYTES } from "../../src/platform/log_batch.ts";
import { lineText, LONGEST_MESSAGE, parseLine } from "../../src/platform/log_line.ts";
import {
  isRotationDue,
  logFileName,
  logFiles,
  MAX_LOG_BYTES,
  readLogFileName,
} from "../../src/platform/log_place.ts";
import { batchDelay, LogQueue, type QueuedLine } from "../../src/platform/log_queue.ts";
import { LOG_KEPT_MS, logsToSweep } from "../../src/platform/log_sweep.ts";

const ORIGIN = { pid: 7, server: "a", workspace: "/w" } as const;
const LINE: LogLine = {
  time: "2026-11-30T12:00:00.000Z",
  level: "warn",
  stream: "stderr",
  message: "text",
  ...ORIGIN,
};

function queued(message: string, at = 0): QueuedLine {
  return { at, level: "info", stream: "stderr", message };
}

function parsed(text: string): readonly LogLine[] {
  return text.trimEnd().split("\n").map((line) => {
    const found = parseLine(line);
    assert.ok(found !== null, line);
    return found;
  });
}

Deno.test("a line reads back as it was, whatever its texts hold", () => {
  fc.assert(fc.property(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.string({ unit: "grapheme" }),
    (message, server) => {
      const line = { ...LINE, message, server };
      const text = lineText(line);
      assert.equal(text.indexOf("\n"), text.length - 1, "one line");
      assert.deepEqual(parseLine(text), line);
    },
  ));
});

Deno.test("a torn or foreign line is none", () => {
  for (const text of ["", "{", lineText(LINE).slice(5), "null", "[]", '{"time":"x"}', "12"]) {
    assert.equal(parseLine(text), null);
  }
  const odd = { ...LINE, level: "loud" };
  assert.equal(parseLine(JSON.stringify(odd)), null);
  assert.equal(parseLine(JSON.stringify({ ...LINE, time: "yesterday" })), null);
  assert.equal(parseLine(JSON.stringify({ ...LINE, time: "2026-11-30" })), null);
});

Deno.test("a long message is cut and says by how much", () => {
  const { message } = parsed(lineText({ ...LINE, message: "x".repeat(LONGEST_MESSAGE + 12) }))[0] ??
    LINE;
  assert.equal(message, `${"x".repeat(LONGEST_MESSAGE)}… (12 more characters)`);
});

Deno.test("a name of any kind gives a harmless file name, and no two the same", () => {
  const name = (server: string, workspace = "/w"): string => logFileName({ server, workspace });
  for (const server of ["../../etc/passwd", "con", ".", "", "a/b\\c", "ä ö", "x".repeat(500)]) {
    assert.match(name(server), /^[a-z0-9][a-z0-9-]{0,31}\.[0-9a-f]{12}\.[0-9a-f]{16}\.jsonl$/);
  }
  const names = ["a", "A", "a/", "a\0", "-a", "ä", "ö"].map((server) => name(server));
  assert.equal(new Set(names).size, names.length);
  assert.notEqual(name("a", "/w"), name("a", "/v"));
});

Deno.test("the files of a log are told from those of another workspace", () => {
  const current = logFileName({ server: "a", workspace: "/w" });
  assert.deepEqual(
    logFiles(current).map((name) => readLogFileName(name, "/w")),
    [0, 1, 2].map((age) => ({ current, age })),
  );
  assert.equal(readLogFileName(current, "/v"), null);
  for (const name of [`${current}.lock`, `${current}.x`, "last-sweep", `x${current}/`]) {
    assert.equal(readLogFileName(name, "/w"), null, name);
  }
});

Deno.test("a new file is begun when the lines would not fit, and never for an empty one", () => {
  assert.equal(isRotationDue(0, MAX_LOG_BYTES * 2), false);
  assert.equal(isRotationDue(MAX_LOG_BYTES - 10, 10), false);
  assert.equal(isRotationDue(MAX_LOG_BYTES - 10, 11), true);
});

Deno.test("a queue without room keeps the newest lines and counts the others", () => {
  const queue = new LogQueue(10_000);
  assert.equal(queue.isEmpty, true);
  for (let number = 0; number < 5_000; number++) queue.add(queued(`line ${number}`));
  const { lines, dropped } = queue.take();
  assert.equal(lines.length + dropped, 5_000);
  assert.ok(lines.length > 40 && lines.length < 100, String(lines.length));
  assert.equal(lines[0]?.message, `line ${dropped}`);
  assert.equal(lines.at(-1)?.message, "line 4999");
  assert.equal(queue.isEmpty, true);
  queue.lost({ lines, dropped });
  assert.deepEqual(queue.take(), { lines: [], dropped: 5_000 });
});

Deno.test("a queue keeps one line, however long", () => {
  const queue = new LogQueue(100);
  queue.add(queued("x".repeat(1_000)));
  assert.equal(queue.take().lines.length, 1);
});

Deno.test("a batch is written in order, after how many lines are missing", () => {
  const lines = [queued("first", 1_000), queued("second", 2_000)];
  const [note, ...rest] = parsed(batchText({ lines, dropped: 3 }, ORIGIN, 0));
  assert.deepEqual(
    [note?.stream, note?.level, note?.message, note?.time],
    ["hotplug", "warn", "Left out 3 lines that could not be kept", "1970-01-01T00:00:01.000Z"],
  );
  assert.deepEqual(rest.map(({ message }) => message), ["first", "second"]);
  assert.deepEqual(parsed(batchText({ lines, dropped: 0 }, ORIGIN, 0)).length, 2);
});

Deno.test("a batch whose characters grow on disk stays within its bytes", () => {
  for (const character of ["\u0001", "ü", "語"]) {
    const lines = Array.from({ length: 600 }, (_, at) => queued(character.repeat(1_000), at));
    const text = batchText({ lines, dropped: 0 }, ORIGIN, 0);
    assert.ok(new TextEncoder().encode(text).length < MAX_BATCH_BYTES + 1_000);
    const [note, ...rest] = parsed(text);
    assert.equal(note?.message, `Left out ${600 - rest.length} lines that could not be kept`);
    assert.equal(rest.at(-1)?.time, new Date(599).toISOString());
  }
});

Deno.test("after a failure the next try waits", () => {
  assert.ok(batchDelay(false) <= 250);
  assert.ok(batchDelay(true) >= 10_000);
});

Deno.test("logs that nothing was added to for 30 days have to go, other files stay", () => {
  const now = 100 * LOG_KEPT_MS;
  const old = now - LOG_KEPT_MS - 1;
  const files = [
    { name: "a.jsonl", writtenAt: old },
    { name: "a.jsonl.2", writtenAt: old },
    { name: "b.jsonl", writtenAt: now - LOG_KEPT_MS },
    { name: "notes.txt", writtenAt: old },
    { name: "last-sweep", writtenAt: old },
  ];
  assert.deepEqual(logsToSweep(files, now), ["a.jsonl", "a.jsonl.2"]);
});
