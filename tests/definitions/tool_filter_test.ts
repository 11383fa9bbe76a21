import assert from "node:assert/strict";
import { toolOffered } from "../../src/definitions/tool_filter.ts";

Deno.test("without lists every tool is offered, and an empty list offers none", () => {
  assert.equal(toolOffered({}, "a"), true);
  assert.equal(toolOffered({ enabledTools: [] }, "a"), false);
  assert.equal(toolOffered({ disabledTools: [] }, "a"), true);
});

Deno.test("globs fit whole names, and deny wins", () => {
  const config = { enabledTools: ["read_*", "?", "a*b*c"], disabledTools: ["*_secret"] };
  const offered = ["read_file", "read_", "x", "abc", "a--b--b-c"];
  for (const tool of offered) assert.equal(toolOffered(config, tool), true, tool);
  for (const tool of ["read_secret", "xx", "bread_file", "abcd", ""]) {
    assert.equal(toolOffered(config, tool), false, tool);
  }
});

Deno.test("signs of regular expressions mean themselves, and stars take no long time", () => {
  assert.equal(toolOffered({ enabledTools: ["a.c"] }, "abc"), false);
  assert.equal(toolOffered({ enabledTools: ["a.(c)+"] }, "a.(c)+"), true);
  assert.equal(toolOffered({ enabledTools: ["*a".repeat(50)] }, "a".repeat(5_000) + "b"), false);
});
