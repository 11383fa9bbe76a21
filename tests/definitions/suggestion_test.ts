import assert from "node:assert/strict";
import { closest } from "../../src/definitions/suggestion.ts";

Deno.test("a slip of a letter, a swap, another case and dashes find the word", () => {
  const known = ["filesystem", "memory", "enabledTools", "env"];
  assert.equal(closest("filesytem", known), "filesystem");
  assert.equal(closest("MEMROY", known), "memory");
  assert.equal(closest("enabled_tools", known), "enabledTools");
  assert.equal(closest("evn", known), "env");
});

Deno.test("words that have little in common are not offered", () => {
  assert.equal(closest("x", ["a", "b"]), null);
  assert.equal(closest("wibble", ["command", "args"]), null);
  assert.equal(closest("", ["a"]), null);
  assert.equal(closest("y".repeat(100_000), ["y"]), null);
});

Deno.test("the nearest word wins, and the first of equally near ones", () => {
  assert.equal(closest("tool", ["tolls", "tools", "pool"]), "tools");
});
