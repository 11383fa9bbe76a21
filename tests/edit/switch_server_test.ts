import assert from "node:assert/strict";
import { removeServer } from "../../src/edit/remove_server.ts";
import { switchServer } from "../../src/edit/switch_server.ts";
import { inEditPlace, STORE, SWITCHES } from "./made.ts";

const CLINE = "home/.cline/data/settings/cline_mcp_settings.json";
const PROJECT = "home/work/project/.mcp.json";
const servers = (entries: object): string =>
  `${JSON.stringify({ mcpServers: entries }, null, 2)}\n`;

Deno.test("a store's server is enabled and disabled by its name in the workspace", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    await write(STORE, servers({ db: { command: "a" } }));
    await write(SWITCHES, '{\n  // ours\n  "enabledMcpServers": ["other"],\n  "x": 1\n}\n');
    const before = await text(SWITCHES);
    const on = await switchServer("db", true, given);
    assert.deepEqual([on.servers[0]?.done, on.effective[0]?.state], ["enabled", "run"]);
    assert.equal((await switchServer("db", true, given)).servers[0]?.done, "unchanged");
    const off = await switchServer("db", false, given);
    assert.equal(off.effective[0]?.state, "disabled");
    assert.equal(await text(SWITCHES), before);
  });
});

Deno.test("any other server is listed as off, and taken off that list", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    await write(CLINE, servers({ x: { command: "a" } }));
    const off = await switchServer("x", false, given);
    assert.equal(off.effective[0]?.state, "disabled");
    assert.deepEqual(JSON.parse(await text(SWITCHES)), { disabledMcpServers: ["x"] });
    const on = await switchServer("x", true, given);
    assert.equal(on.effective[0]?.state, "run");
    assert.deepEqual(JSON.parse(await text(SWITCHES)), { disabledMcpServers: [] });
  });
});

Deno.test("in place, the host's own switch is used and nothing else changes", async () => {
  await inEditPlace(async ({ given, text, write, path }) => {
    await write(CLINE, servers({ x: { command: "a", odd: true }, y: { command: "b" } }));
    const before = await text(CLINE);
    const off = await switchServer("x", false, { ...given, inPlace: true });
    assert.deepEqual([off.files[0]?.path, off.effective[0]?.state], [path(CLINE), "disabled"]);
    assert.equal(JSON.parse(await text(CLINE)).mcpServers.x.disabled, true);
    await assert.rejects(
      switchServer("x", true, given),
      /it is off in ".*cline_mcp_settings\.json"/,
    );
    await switchServer("x", true, { ...given, inPlace: true });
    assert.equal(await text(CLINE), before);
  });
});

Deno.test("enabling a name that the repository holds, too, enables the user's own", async () => {
  await inEditPlace(async ({ given, write }) => {
    await write(STORE, servers({ db: { command: "mine" } }));
    await write(PROJECT, servers({ db: { command: "theirs" } }));
    const { effective } = await switchServer("db", true, given);
    assert.deepEqual([effective[0]?.state, effective[0]?.source?.id], ["run", "store"]);
  });
});

Deno.test("removing takes the effective definition and tells which one stands since [A25]", async () => {
  await inEditPlace(async ({ given, text, write, path }) => {
    await write(CLINE, servers({ x: { command: "a" } }));
    await write("home/.cursor/mcp.json", servers({ x: { command: "b" } }));
    const first = await removeServer("x", given);
    assert.equal(first.files[0]?.path, path("home/.cursor/mcp.json"));
    assert.equal(first.effective[0]?.source?.path, path(CLINE));
    const named = await removeServer("x", { ...given, target: { scope: "user", host: "cline" } });
    assert.deepEqual([named.files[0]?.path, named.effective[0]?.state], [path(CLINE), null]);
    assert.deepEqual(JSON.parse(await text(CLINE)), { mcpServers: {} });
    await assert.rejects(removeServer("x", given), { code: "unknown-server" });
  });
});

Deno.test("a name that is enabled and defined nowhere can be taken out", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    await write(SWITCHES, '{ "enabledMcpServers": ["gone", " gone ", "x"] }\n');
    await assert.rejects(removeServer("gone", given), /mcp disable|defined nowhere/);
    const { effective } = await switchServer("gone", false, given);
    assert.equal(effective[0]?.state, null);
    assert.deepEqual(JSON.parse(await text(SWITCHES)), { enabledMcpServers: ["x"] });
  });
});
