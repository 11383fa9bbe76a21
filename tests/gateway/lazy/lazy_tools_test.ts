import assert from "node:assert/strict";
import { Catalogue } from "../../../src/gateway/catalogue.ts";
import { LazyTools } from "../../../src/gateway/lazy/lazy_tools.ts";
import { silentLogger } from "../../../src/model/log.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Tool } from "../../../src/model/tool.ts";
import { toolOf } from "../made.ts";

/** The three tools over tools that a test exchanges. */
function lazyOver(first: readonly Tool[], toolMeta: JsonObject | null = null): {
  readonly lazy: LazyTools;
  readonly exchange: (tools: readonly Tool[]) => void;
} {
  let tools = first;
  const catalogue = new Catalogue({
    tools: () => tools,
    patterns: { only: [], except: [] },
    toolMeta: null,
    log: silentLogger,
  });
  const purposeOf = (server: string): string => server === "git" ? "History" : "";
  const lazy = new LazyTools({ catalogue, purposeOf, toolMeta });
  return { lazy, exchange: (next) => void (tools = next) };
}

const READ = toolOf("files", { name: "read", description: "Reads." });

Deno.test("three tools are listed, and only those that look say so", () => {
  const { lazy } = lazyOver([READ, toolOf("git", { name: "log" })], { "some/mark": true });
  const listed = lazy.list();
  assert.deepEqual(listed.map(({ name }) => name), ["search_tools", "describe_tool", "call_tool"]);
  const hints = listed.map(({ annotations }) => annotations as JsonObject);
  assert.deepEqual(hints.map((each) => each["readOnlyHint"]), [true, true, false]);
  assert.equal(hints[2]?.["destructiveHint"], true);
  assert.match(String(listed[0]?.["description"]), /- files: read\n- git: History$/);
  for (const { _meta } of listed) assert.deepEqual(_meta, { "some/mark": true });
});

Deno.test("the three tools cost a model little, however many are behind them [D13]", () => {
  const tools = Array.from(
    { length: 400 },
    (_, at) =>
      toolOf(`server${at % 20}`, { name: `tool_number_${at}`, description: "x".repeat(2_000) }),
  );
  const { lazy } = lazyOver(tools);
  const given = lazy.list().map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, inputSchema })
  );
  assert.ok(given.join("").length < 3_600, String(given.join("").length));
});

Deno.test("only what the three tools say counts as a change", () => {
  const { lazy, exchange } = lazyOver([READ]);
  assert.equal(lazy.isAsSaid(), true, "nobody has asked yet");
  lazy.list();
  exchange([toolOf("files", { name: "read", description: "Reads better." })]);
  assert.equal(lazy.isAsSaid(), true);
  exchange([READ, toolOf("added", { name: "go" })]);
  assert.equal(lazy.isAsSaid(), false);
  assert.equal(lazy.isAsSaid(), true, "told once");
  exchange([READ]);
  lazy.list();
  assert.equal(lazy.isAsSaid(), false, "who listed before is told, too");
});

Deno.test("tools are found as they are now, and described by every name they ever had", () => {
  const { lazy, exchange } = lazyOver([READ]);
  assert.equal(lazy.index.find("reads").length, 1);
  exchange([{ ...READ, name: "files_read_1234abcd" }]);
  assert.equal(lazy.index.find("reads")[0]?.publicName, "files_read_1234abcd");
  assert.equal(lazy.describe("files_read")?.publicName, "files_read_1234abcd");
  exchange([]);
  assert.equal(lazy.describe("files_read"), null);
  assert.equal(lazy.describe("never"), null);
  assert.deepEqual(lazy.tools, []);
});
