import assert from "node:assert/strict";
import { painter } from "../../src/cli/colour.ts";
import { namedTools, type ServerTools, toolsDocument } from "../../src/cli/tools_answer.ts";
import { lineText } from "../../src/cli/tools_print.ts";
import { MANY_TOOLS, toolsTable, tooManyLines } from "../../src/cli/tools_table.ts";
import { planned, SOURCE, tool } from "./views.ts";

const paint = painter(false);

function server(one: Partial<ServerTools> & { readonly name: string }): ServerTools {
  return {
    planned: planned({ name: one.name }),
    state: "connected",
    error: null,
    warnings: [],
    tools: [],
    cachedAgeMs: null,
    ...one,
  };
}

Deno.test("tools stand below their server, in plan order, with counts [D13] [D14]", () => {
  const servers = [
    server({
      name: "b",
      tools: [
        { ...tool("second"), title: "Second", description: "Does it\nagain" },
        tool("first"),
      ],
      cachedAgeMs: 61_000,
    }),
    server({ name: "dead", tools: null, state: "error" }),
    server({ name: "a", tools: [{ ...tool("dotted.name"), description: "Dots" }] }),
  ];
  const lines = toolsTable(servers, namedTools(servers), { paint, width: null });
  assert.deepEqual(lines.map((line) => lineText(line)), [
    "b (2 tools, read 1m01s ago)",
    "  mcp_b_second       Second: Does it again",
    "  mcp_b_first",
    "",
    "a (1 tool)",
    "  mcp_a_dotted_name  [dotted.name] Dots",
    "",
    "3 tools of 2 servers",
  ]);
});

Deno.test("a long or hostile description fills one line at most [D18] [H04]", () => {
  const servers = [
    server({
      name: "s",
      tools: [{ ...tool("t"), description: `\x1b[2J${"long ".repeat(50_000)}` }],
    }),
  ];
  const [, line = ""] = toolsTable(servers, namedTools(servers), { paint, width: 40 });
  assert.equal(line, "  mcp_s_t  \\x1b[2Jlong long long long l…");
  assert.equal(line.length, 40);
});

Deno.test("a missing description is an empty one [D18]", () => {
  const servers = [server({ name: "s", tools: [tool("t")] })];
  assert.equal(toolsTable(servers, namedTools(servers), { paint, width: 40 })[1], "  mcp_s_t");
});

Deno.test("too many tools for many hosts are warned about [D13]", () => {
  assert.deepEqual(tooManyLines(MANY_TOOLS, paint), []);
  assert.match(tooManyLines(MANY_TOOLS + 1, paint)[0] ?? "", /^warning: 129 tools in all/);
});

Deno.test("a name is not given that a tool of another server would clash with", () => {
  const [named] = namedTools([server({ name: "a", tools: [tool("b_c")] })], [
    { server: "a_b", tool: "c" },
  ]);
  assert.match(named?.publicName ?? "", /^mcp_a_b_c_[0-9a-f]{8}$/);
});

Deno.test("the tools document keeps what servers said, and a project approves nothing itself", () => {
  const description = "x".repeat(200_000);
  const config = { command: "x", autoApprove: ["t"] };
  const definition = { name: "u", config, source: SOURCE, problems: [], warnings: [] };
  const user = { ...definition, source: { ...SOURCE, scope: "user" } } as const;
  const servers = [
    server({ name: "p", planned: planned({ name: "p", definition }), tools: [tool("t")] }),
    server({
      name: "u",
      planned: planned({ name: "u", definition: user }),
      tools: [{ ...tool("t"), description }],
      cachedAgeMs: 5,
    }),
    server({ name: "d", tools: null, state: "disabled" }),
  ];
  const document = toolsDocument(servers, namedTools(servers), null);
  assert.deepEqual(Object.keys(document.tools[0] ?? {}), [
    "publicName",
    "server",
    "name",
    "title",
    "description",
    "inputSchema",
    "outputSchema",
    "annotations",
    "autoApprove",
  ]);
  assert.deepEqual(document.tools.map(({ autoApprove }) => autoApprove), [false, true]);
  assert.equal(document.tools[1]?.description, description);
  assert.deepEqual(document.servers, [
    { name: "p", state: "connected", tools: 1, cachedAgeMs: null, error: null, warnings: [] },
    { name: "u", state: "connected", tools: 1, cachedAgeMs: 5, error: null, warnings: [] },
    { name: "d", state: "disabled", tools: null, cachedAgeMs: null, error: null, warnings: [] },
  ]);
});
