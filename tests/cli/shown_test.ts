import assert from "node:assert/strict";
import { shownLine, shownLines, shownPath } from "../../src/cli/shown.ts";

Deno.test("a line of a server cannot move the cursor, start a line or reverse the text [H04]", () => {
  assert.equal(shownLine("a\x1b[2Jb\r\nc\td"), "a\\x1b[2Jb c d");
  assert.equal(shownLine("\u202eevil\u200b"), "\\u{202e}evil\\u{200b}");
});

Deno.test("lines keep their ends and nothing else", () => {
  assert.deepEqual(shownLines("a\r\nb\x07\nc"), ["a", "b\\u{7}", "c"]);
});

Deno.test("paths are shown as a human writes them", () => {
  assert.equal(shownPath("/h/w/.mcp.json", "/h/w", "/h"), ".mcp.json");
  assert.equal(shownPath("/h/.claude.json", "/h/w", "/h"), "~/.claude.json");
  assert.equal(shownPath("/h/w2/x", "/h/w", "/h"), "~/w2/x");
  assert.equal(shownPath("/etc/x", "/h/w", "/h"), "/etc/x");
  assert.equal(shownPath("/etc/x", "/", "/"), "/etc/x");
  assert.equal(shownPath("/h/w", "/h/w", "/h"), "~/w");
});
