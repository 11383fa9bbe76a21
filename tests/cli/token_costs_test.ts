import assert from "node:assert/strict";
import { tokenCosts } from "../../src/cli/token_costs.ts";
import type { ToolInfo } from "../../src/model/listing.ts";
import { estimatedTokens } from "../../src/tools/token_estimate.ts";
import { planned, SOURCE, tool } from "./views.ts";

const READ = {
  ...tool("read", { type: "object", properties: { path: {} } }),
  description: "Reads",
};

Deno.test("a server costs what hosts give their model of its tools", () => {
  const { servers, listed } = tokenCosts(
    [planned({ name: "files" }), planned({ name: "none" }), planned({ name: "unknown" })],
    ({ name }) => name === "files" ? [READ] : name === "none" ? [] : null,
  );
  const expected = estimatedTokens(JSON.stringify({
    name: "files_read",
    description: "Reads",
    inputSchema: READ.inputSchema,
  }));
  assert.deepEqual([...servers], [["files", expected], ["none", 0], ["unknown", null]]);
  assert.equal(listed, expected);
});

Deno.test("a tool that the gateway leaves out costs nothing", () => {
  const broken: ToolInfo = tool("broken", { type: "array" });
  const { servers } = tokenCosts([planned({ name: "s" })], () => [broken]);
  assert.equal(servers.get("s"), 0);
});

Deno.test("three tools cost less than many, and nearly the same however many there are", () => {
  const many = (count: number): readonly ToolInfo[] =>
    Array.from({ length: count }, (_, at) => ({ ...READ, name: `read_${at}` }));
  const few = tokenCosts([planned({ name: "files" })], () => many(20));
  const lots = tokenCosts([planned({ name: "files" })], () => many(500));
  assert.ok(lots.listed > 20 * few.listed, `${lots.listed} and ${few.listed}`);
  assert.ok(lots.lazy < lots.listed / 20, `${lots.lazy} of ${lots.listed}`);
  assert.equal(lots.lazy, few.lazy);
});

Deno.test("what a repository says that its server is for is not given to a model", () => {
  const config = { type: "stdio", command: "x", description: "purpose ".repeat(10) } as const;
  const lazyOf = (scope: "user" | "project"): number => {
    const source = { ...SOURCE, scope };
    const definition = { name: "s", config, source, problems: [], warnings: [] };
    return tokenCosts([planned({ name: "s", definition })], () => [READ]).lazy;
  };
  assert.ok(lazyOf("user") > lazyOf("project") + 5);
});
