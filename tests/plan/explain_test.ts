import assert from "node:assert/strict";
import { explain, type Explanation } from "../../src/plan/explain.ts";
import type { LoadOptions } from "../../src/plan/survey.ts";
import { inPlace, type Place } from "./made.ts";

/** The explanation of a name that there is. */
async function explained(
  name: string,
  place: Place,
  options: LoadOptions = {},
): Promise<Explanation> {
  const { machine, folders } = place;
  const { explanation } = await explain(name, { machine, folders, ...options });
  assert.ok(explanation !== null);
  return explanation;
}

/** The checks of the strongest definition with what they gave. */
function checks({ definitions }: Explanation, index = 0): readonly string[] {
  return (definitions[index]?.steps ?? []).map(({ check, result }) => `${check}: ${result}`);
}

Deno.test("every definition of a name is shown, with the rule by which it wins or does not", async () => {
  await inPlace(async (place) => {
    await place.write("home/.claude.json", {
      mcpServers: { db: { type: "stdio", command: "claude" } },
      projects: { [place.repo]: { mcpServers: { db: { type: "stdio", command: "local" } } } },
    });
    await place.write("home/.cursor/mcp.json", { mcpServers: { db: { command: "cursor" } } });
    await place.write("repo/.mcp.json", { mcpServers: { db: { command: "project" } } });
    await place.write("home/.config/hotplug/mcp.json", {
      mcpServers: { db: { command: "store" } },
    });
    const { definitions, next, row } = await explained("db", place);
    assert.deepEqual([next, row.verdict.state], [null, "run"]);
    assert.deepEqual(
      definitions.map(({ source, wins, rule, launch }) => [source.id, wins, rule, launch.written]),
      [
        ["claude-code", true, "scope local comes before scope user", "local"],
        [
          "mcp-json",
          false,
          "it is untrusted, and what may not run takes no name from what may",
          "project",
        ],
        [
          "store",
          false,
          "it is disabled, and what may not run takes no name from what may",
          "store",
        ],
        ["claude-code", false, "shadowed: scope local comes before scope user", "claude"],
        ["cursor", false, "shadowed: scope local comes before scope user", "cursor"],
      ],
    );
    assert.ok(definitions.every(({ source }) => source.path !== null && source.line !== null));
  });
});

Deno.test("rules of rank, order and loneliness are told apart", async () => {
  await inPlace(async (place) => {
    await place.write("home/.claude.json", {
      mcpServers: {
        ranked: { type: "stdio", command: "a" },
        alone: { type: "stdio", command: "b" },
      },
    });
    await place.write("home/.cursor/mcp.json", {
      mcpServers: { ranked: { command: "c" }, waiting: { command: "d" } },
    });
    await place.write("repo/.mcp.json", { mcpServers: { near: { command: "e" } } });
    await place.write("repo/sub/.mcp.json", { mcpServers: { near: { command: "f" } } });
    const rules = async (name: string, options?: LoadOptions): Promise<readonly string[]> =>
      (await explained(name, place, options)).definitions.map(({ rule }) => rule);
    assert.deepEqual(await rules("ranked"), [
      "within scope user, Claude Code (80) comes before Cursor (50)",
      "shadowed: within scope user, Claude Code (80) comes before Cursor (50)",
    ]);
    assert.deepEqual(await rules("alone"), ["the only definition of the name"]);
    const cwd = `${place.repo}/sub`;
    const [first, second] = await rules("near", { cwd, trust: "all" });
    assert.match(first ?? "", /^of equal scope and rank, .*sub.*is read before .*$/);
    assert.match(second ?? "", /^shadowed: of equal scope and rank/);
    assert.deepEqual(await rules("near", { cwd }), [
      "none of the name may run here; this is the strongest",
      "it is untrusted, and what may not run takes no name from what may",
    ]);
  });
});

Deno.test("each check says how it went, also those behind a failed one", async () => {
  await inPlace(async (place) => {
    await place.write("home/.claude.json", {
      mcpServers: {
        fine: { type: "stdio", command: "a", args: ["${HOME}"] },
        broken: { type: "stdio", args: [] },
        unset: { type: "stdio", command: "a", args: ["${NOT_SET_ANYWHERE}"] },
        off: { type: "stdio", command: "a", enabled: false },
      },
    });
    await place.write("home/.config/hotplug/mcp.json", {
      mcpServers: { stored: { command: "a" }, waiting: { command: "b" } },
    });
    await place.write("repo/.hotplug/workspace.json", { enabledMcpServers: ["stored"] });
    assert.deepEqual(checks(await explained("fine", place)), [
      "policy: passed",
      "switches: passed",
      "project filter: passed",
      "exa filter: passed",
      "entry: passed",
      "approval: passed",
      "folder: passed",
      "placeholders: passed",
    ]);
    const failing = async (name: string): Promise<readonly string[]> =>
      checks(await explained(name, place)).filter((check) => check.endsWith("failed"));
    assert.deepEqual(await failing("broken"), ["entry: failed"]);
    assert.deepEqual(await failing("unset"), ["placeholders: failed"]);
    assert.deepEqual(await failing("off"), ["switches: failed"]);
    assert.deepEqual(await failing("waiting"), ["switches: failed"]);
    assert.deepEqual(await failing("stored"), ["enabling: failed"]);
    const { next, definitions } = await explained("stored", place);
    assert.match(next?.hint ?? "", /mcp trust stored/);
    const step = definitions[0]?.steps.find(({ check }) => check === "enabling");
    assert.match(step?.detail ?? "", /you did not/);
    assert.ok(checks(await explained("waiting", place)).includes("placeholders: skipped"));
  });
});

Deno.test("definitions of other names that are the same connection are shown as twins", async () => {
  await inPlace(async (place) => {
    await place.write("home/.claude.json", {
      mcpServers: { one: { type: "http", url: "https://h.example/mcp" } },
    });
    await place.write("home/.cursor/mcp.json", {
      mcpServers: { two: { url: "https://h.example/mcp" }, three: { url: "https://h.example/x" } },
    });
    const { twins, next } = await explained("two", place);
    assert.deepEqual(twins.map(({ name, wins }) => [name, wins]), [["one", true]]);
    assert.match(next?.message ?? "", /same connection as "one"/);
    assert.deepEqual((await explained("three", place)).twins, []);
  });
});

Deno.test("a name that is enabled and defined nowhere is explained, and an unknown one is none", async () => {
  await inPlace(async (place) => {
    await place.write("repo/.hotplug/workspace.json", { enabledMcpServers: ["gone"] });
    const { definitions, next, row } = await explained("gone", place);
    assert.deepEqual([definitions, row.verdict.state], [[], "missing"]);
    assert.match(next?.hint ?? "", /mcp add gone -- <command>/);
    const { machine, folders } = place;
    const { explanation, names } = await explain("__proto__", { machine, folders });
    assert.deepEqual([explanation, names], [null, ["gone"]]);
  });
});
