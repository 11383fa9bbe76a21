import assert from "node:assert/strict";
import { calledTool } from "../../src/cli/called_tool.ts";
import { namedTools } from "../../src/cli/tools_answer.ts";
import { planned, tool } from "./views.ts";

const NAMES = ["b_c", "dotted.name", "получить", "x".repeat(100)];
const TOOLS = NAMES.map((name) => tool(name));
const OTHERS = [{ server: "a_b", tool: "c" }];
const others = (): Promise<typeof OTHERS> => Promise.resolve(OTHERS);

Deno.test("a tool is called by its own name, and others are not asked for", async () => {
  for (const name of NAMES) {
    const found = await calledTool(name, {
      server: "a",
      tools: TOOLS,
      others: () => Promise.reject(new Error("asked")),
    });
    assert.equal(found.name, name);
  }
});

Deno.test("every public name that mcp tools shows can be called, hashed or not", async () => {
  const row = { name: "a", state: "connected", error: null, warnings: [], cachedAgeMs: 1 } as const;
  const listed = namedTools([{ ...row, planned: planned({ name: "a" }), tools: TOOLS }], OTHERS);
  assert.equal(listed.length, NAMES.length);
  assert.match(listed[0]?.publicName ?? "", /^mcp_a_b_c_[0-9a-f]{8}$/);
  for (const { publicName, info } of listed) {
    const found = await calledTool(publicName, { server: "a", tools: TOOLS, others });
    assert.equal(found, info, publicName);
  }
});

Deno.test("a public name without its hash still means the tool of the server that is named", async () => {
  const found = await calledTool("mcp_a_b_c", { server: "a", tools: TOOLS, others });
  assert.equal(found.name, "b_c");
});

Deno.test("a public name of another server's tool is unknown", async () => {
  const call = calledTool("mcp_a_b_c_d", { server: "a", tools: TOOLS, others });
  await assert.rejects(call, { code: "unknown-tool", message: /server "a" does not list it/ });
});
