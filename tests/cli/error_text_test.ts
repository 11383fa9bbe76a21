import assert from "node:assert/strict";
import { painter } from "../../src/cli/colour.ts";
import { errorLines } from "../../src/cli/error_text.ts";
import type { ErrorInfo } from "../../src/model/errors.ts";

const paint = painter(false);

Deno.test("an error shows what happened, the end of stderr and the hint [I03]", () => {
  const error: ErrorInfo = {
    code: "server-exited",
    message: 'Cannot connect to "x": its process exited with code 1',
    hint: "Was it installed?",
    causes: ["read EPIPE"],
    stderr: "1\n2\n3\nError: Cannot find module 'y'\n\n  at z\x1b[0m\n5\n",
  };
  assert.deepEqual(
    errorLines(error, { prefix: "Error: ", paint }),
    [
      'Error: Cannot connect to "x": its process exited with code 1',
      "  | 2",
      "  | 3",
      "  | Error: Cannot find module 'y'",
      "  |   at z\\x1b[0m",
      "  | 5",
      "  hint: Was it installed?",
    ].filter((line) => !line.endsWith("| 1")),
  );
});

Deno.test("with --verbose causes and all of stderr are shown", () => {
  const error: ErrorInfo = {
    code: "server-unreachable",
    message: "Cannot reach it",
    hint: null,
    causes: ["connect ECONNREFUSED", "Cannot reach it"],
    stderr: "1\n2\n3\n4\n5\n6",
  };
  assert.deepEqual(errorLines(error, { indent: "  ", paint, verbose: true }), [
    "  Cannot reach it",
    "    cause: connect ECONNREFUSED",
    ...["1", "2", "3", "4", "5", "6"].map((line) => `    | ${line}`),
  ]);
});

Deno.test("a line of stderr that the message quotes is not repeated", () => {
  const error: ErrorInfo = {
    code: "internal",
    message: "It said: boom",
    hint: null,
    stderr: "boom",
  };
  assert.deepEqual(errorLines(error, { paint }), ["It said: boom"]);
});
