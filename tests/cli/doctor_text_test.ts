import assert from "node:assert/strict";
import { doctorLines } from "../../src/cli/doctor_text.ts";
import type { Finding } from "../../src/doctor/finding.ts";

const OPTIONS = {
  workspacePath: "/repo",
  home: "/home/me",
  checks: 16,
  servers: 2,
  paint: (_style: unknown, text: string): string => text,
};

function finding(more: Partial<Finding>): Finding {
  return {
    check: "program",
    severity: "error",
    server: "a",
    path: "/repo/.mcp.json",
    line: 3,
    message: "Cannot find it",
    remedy: "Install it",
    ...more,
  };
}

Deno.test("without findings it says how much was checked", () => {
  assert.deepEqual(doctorLines([], OPTIONS), ["No problem found. (16 checks of 2 servers)"]);
});

Deno.test("findings stand by severity, then by server, each with place and remedy", () => {
  const lines = doctorLines([
    finding({ server: null, path: "/home/me/x.json", line: null, check: "files" }),
    finding({}),
    finding({ server: "b" }),
    finding({ message: "Another" }),
    finding({ severity: "info", path: null, line: null }),
  ], { ...OPTIONS, servers: 1 });
  assert.deepEqual(lines, [
    "4 errors",
    "  this machine",
    "    Cannot find it",
    "      files ~/x.json",
    "      → Install it",
    "  a",
    "    Cannot find it",
    "      program .mcp.json:3",
    "      → Install it",
    "    Another",
    "      program .mcp.json:3",
    "      → Install it",
    "  b",
    "    Cannot find it",
    "      program .mcp.json:3",
    "      → Install it",
    "",
    "1 note",
    "  a",
    "    Cannot find it",
    "      program",
    "      → Install it",
    "",
    "4 errors, 1 note (16 checks of 1 server)",
  ]);
});

Deno.test("nothing in a finding drives the terminal", () => {
  const bad = "a\x1b[31m\u202eb\nc";
  const text = doctorLines([finding({ server: bad, message: bad, remedy: bad, path: `/${bad}` })], {
    ...OPTIONS,
  }).join("\n");
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  assert.doesNotMatch(text, /[\x00-\x09\x0b-\x1f\u202e]/);
  assert.match(text, /\\x1b\[31m\\u\{202e\}b c/);
});
