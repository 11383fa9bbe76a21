import assert from "node:assert/strict";
import { painter } from "../../src/cli/colour.ts";
import { noServerLines, sourceNotes } from "../../src/cli/source_notes.ts";
import { sourceLines } from "../../src/cli/sources_table.ts";
import { plan, report } from "./views.ts";

const paint = painter(false);

Deno.test("broken files, near misses and warnings are told with their path [A45]", () => {
  const notes = sourceNotes(
    plan([], [
      report({}),
      report({
        state: "malformed",
        error: {
          code: "config-malformed",
          message: "line 3, column 5: a comma is missing",
          hint: null,
        },
      }),
      report({
        path: "/w/mcp.config.json",
        state: "near-miss",
        error: { code: "config-malformed", message: "it is not read", hint: "Call it .mcp.json" },
      }),
      report({ path: "/h/.claude.json", warnings: ['"a" stands there twice'] }),
      report({ path: "/w/cursor/mcp.json", state: "near-miss" }),
    ]),
    { home: "/h", paint },
  );
  assert.deepEqual(notes, [
    ".mcp.json: line 3, column 5: a comma is missing",
    "note: mcp.config.json: it is not read",
    "  hint: Call it .mcp.json",
    'warning: ~/.claude.json: "a" stands there twice',
    "note: cursor/mcp.json: not read",
  ]);
});

Deno.test("what is not read is told in one line, a file or a variable [A45]", () => {
  const miss = (path: string, what: string): readonly string[] =>
    sourceNotes(
      plan([], [report({
        path,
        state: "near-miss",
        warnings: [`Servers in ${what} are not read; they belong in "~/.x.json"`],
      })]),
      { home: "/h", paint },
    );
  assert.deepEqual(miss("/h/x/mcp.json", '"/h/x/mcp.json"'), [
    'note: Servers in "~/x/mcp.json" are not read; they belong in "~/.x.json"',
  ]);
  assert.deepEqual(miss("OPENCODE_CONFIG_CONTENT", 'the variable "OPENCODE_CONFIG_CONTENT"'), [
    'note: Servers in the variable "OPENCODE_CONFIG_CONTENT" are not read; they belong in ' +
    '"~/.x.json"',
  ]);
  assert.deepEqual(miss("/h/x/mcp.json", "it"), [
    'note: ~/x/mcp.json: Servers in it are not read; they belong in "~/.x.json"',
  ]);
});

Deno.test("without any server the user is told where to define one", () => {
  const lines = noServerLines(plan([]), paint);
  assert.equal(lines[0], "No MCP server is defined for this workspace.");
  assert.match(lines[1] ?? "", /\/w\/\.mcp\.json/);
  assert.match(lines[2] ?? "", /mcp sources/);
});

Deno.test("with a broken file alone the user is not told to write that file", () => {
  for (const state of ["malformed", "unreadable"] as const) {
    const lines = noServerLines(plan([], [report({ state })]), paint);
    assert.match(lines[0] ?? "", /a file that may define some cannot be used/);
    assert.doesNotMatch(lines.join(), /define one in/);
    assert.match(lines.at(-1) ?? "", /hint: "mcp sources"/);
  }
});

Deno.test("sources lists every path with what was found there [A45]", () => {
  const all = plan([], [
    report({}),
    report({
      id: "store",
      label: "Hotplug store",
      scope: "user",
      path: "/h/s.json",
      state: "absent",
    }),
  ]);
  assert.deepEqual(sourceLines(all, { home: "/h", paint, all: true, width: null }), [
    "SOURCE         SCOPE    STATE   SERVERS  PATH",
    ".mcp.json      project  loaded        1  .mcp.json",
    "Hotplug store  user     absent        -  ~/s.json",
  ]);
  assert.equal(sourceLines(all, { home: "/h", paint, all: false, width: null }).length, 2);
  const narrow = sourceLines(all, { home: "/h", paint, all: true, width: 40 });
  assert.ok(narrow.every((line) => line.length <= 40), narrow.join("\n"));
});
