import assert from "node:assert/strict";
import { exportServers } from "../../src/edit/export_servers.ts";
import { importServers } from "../../src/edit/import_servers.ts";
import { type EditPlace, inEditPlace, STORE } from "./made.ts";

const ROOT = "home/.claude/plugins/cache/market/demo/1.0.0";

/** Installs a plugin that brings the given servers. */
async function install({ write, path }: EditPlace, mcpServers: object): Promise<void> {
  await write("home/.claude/plugins/installed_plugins.json", {
    version: 2,
    plugins: { "demo@market": [{ scope: "user", installPath: path(ROOT), version: "1.0.0" }] },
  });
  await write(`${ROOT}/.mcp.json`, { mcpServers });
  await write("home/.claude/settings.json", { enabledPlugins: { "demo@market": true } });
}

Deno.test("a plugin's server is copied without this project's folder, and what names folders is told", async () => {
  await inEditPlace(async (place) => {
    const { given, text, path } = place;
    await install(place, {
      plain: { command: "npx", args: ["x"] },
      local: {
        command: "${CLAUDE_PLUGIN_ROOT}/run",
        args: ["--root=${CLAUDE_PROJECT_DIR}", "--data", "${CLAUDE_PLUGIN_DATA}/x"],
      },
    });
    const { servers } = await importServers("claude-code", [], given);
    assert.deepEqual(servers.map(({ name, done }) => [name, done]), [
      ["plugin:demo:plain", "added"],
      ["plugin:demo:local", "added"],
    ]);
    const [plain, local] = servers.map(({ warnings }) => warnings);
    assert.deepEqual(plain, [
      '"env.CLAUDE_PLUGIN_ROOT", "env.CLAUDE_PLUGIN_DATA" name folders of the package that brings ' +
      "it, which go with the package's version",
    ]);
    assert.match(local?.[0] ?? "", /^"args\[0\]" name this project/);
    assert.match(
      local?.[1] ?? "",
      /^"command", "args\[2\]", "env\.CLAUDE_PLUGIN_ROOT", .* folders/,
    );
    const stored = await text(STORE);
    assert.doesNotMatch(stored, /CLAUDE_PROJECT_DIR/);
    assert.equal(stored.split(path("home/work/project")).length, 2, "only where it was asked for");
    const exported = await exportServers("cursor", ["plugin:demo:plain"], given);
    assert.equal(exported.servers[0]?.done, "added");
    assert.doesNotMatch(await text("home/.cursor/mcp.json"), /CLAUDE_PROJECT_DIR/);
  });
});

Deno.test("a file of the user's may name what it likes, and says so elsewhere", async () => {
  await inEditPlace(async ({ given, text, write, path }) => {
    const env = { CLAUDE_PROJECT_DIR: path("home/work/project") };
    await write("home/.cursor/mcp.json", { mcpServers: { x: { command: "a", env } } });
    const { servers } = await importServers("cursor", [], given);
    assert.deepEqual(servers[0]?.warnings, []);
    assert.deepEqual(JSON.parse(await text(STORE)).mcpServers.x.env, env);
  });
});
