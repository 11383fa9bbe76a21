import assert from "node:assert/strict";

import { lineLogger } from "../../src/platform/logger.ts";

const TIME = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

function written(log: (logger: ReturnType<typeof lineLogger>) => void): unknown[] {
  const lines: string[] = [];
  log(lineLogger((line) => lines.push(line), "info", () => TIME));
  assert.ok(lines.every((line) => !line.includes("\n")));
  return lines.map((line) => JSON.parse(line));
}

Deno.test("a line is one JSON object with time, level, message and fields", () => {
  assert.deepEqual(
    written((logger) => logger.log("warn", "two\nlines", { server: "a", attempt: 2 })),
    [{
      time: "2026-01-02T03:04:05.678Z",
      level: "warn",
      message: "two\nlines",
      server: "a",
      attempt: 2,
    }],
  );
});

Deno.test("less grave lines than asked for are left out", () => {
  const lines = written((logger) => {
    for (const level of ["debug", "info", "warn", "error"] as const) logger.log(level, level);
  });
  assert.deepEqual(lines.map((line) => (line as { level: string }).level), [
    "info",
    "warn",
    "error",
  ]);
});

Deno.test("a field cannot pass itself off as time, level or message", () => {
  const [line] = written((logger) =>
    logger.log("info", "true", { message: "false", level: "error", time: "never" })
  );
  assert.deepEqual(line, { time: "2026-01-02T03:04:05.678Z", level: "info", message: "true" });
});

Deno.test("errors and large numbers are written as text", () => {
  const [line] = written((logger) =>
    logger.log("info", "m", { error: new RangeError("why"), size: 12n })
  );
  assert.deepEqual((line as Record<string, unknown>)["error"], {
    name: "RangeError",
    message: "why",
  });
  assert.equal((line as Record<string, unknown>)["size"], "12");
});

Deno.test("fields that JSON cannot carry cost the fields, not the line", () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  assert.deepEqual(written((logger) => logger.log("info", "m", circle)), [
    { time: "2026-01-02T03:04:05.678Z", level: "info", message: "m" },
  ]);
});

Deno.test("a failing write does not stop the caller", () => {
  let asked = 0;
  const logger = lineLogger(() => {
    asked++;
    throw new Error("disk full");
  }, "debug");
  logger.log("error", "m");
  assert.equal(asked, 1);
});
