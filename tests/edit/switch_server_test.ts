import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { effectiveServers } from "../../src/edit/effective.ts";
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
      /it is switched off in ".*cline_mcp_settings\.json"/,
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

Deno.test("switching off a name leaves no other definition of it running in its place", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    await write(STORE, servers({ db: { command: "mine" } }));
    await write(CLINE, servers({ db: { command: "clines" } }));
    await write(SWITCHES, "{}\n");
    const on = await switchServer("db", true, given);
    assert.equal(on.effective[0]?.source?.id, "store");
    const off = await switchServer("db", false, given);
    assert.deepEqual([off.servers[0]?.done, off.effective[0]?.state], ["disabled", "disabled"]);
    const again = await switchServer("db", true, given);
    assert.deepEqual(
      [again.effective[0]?.state, again.effective[0]?.source?.id],
      ["run", "store"],
    );
    assert.deepEqual(JSON.parse(await text(SWITCHES)), {
      enabledMcpServers: ["db"],
      disabledMcpServers: [],
    });
  });
});

Deno.test("what there is nothing to change about makes no file", async () => {
  await inEditPlace(async ({ given, path, write }) => {
    await write(CLINE, servers({ x: { command: "a" } }));
    const { servers: [row], files, effective } = await switchServer("x", true, given);
    assert.deepEqual([row?.done, files, effective[0]?.state], ["unchanged", [], "run"]);
    await assert.rejects(stat(path("home/work/project/.hotplug")), { code: "ENOENT" });
  });
});

Deno.test("to enable what the repository enables already is this user's word, and counts", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    await write(STORE, servers({ db: { command: "a" } }));
    await write(SWITCHES, '{ "enabledMcpServers": ["db"] }\n');
    const before = await text(SWITCHES);
    const first = await switchServer("db", true, given);
    assert.deepEqual([first.servers[0]?.done, first.effective[0]?.state], ["enabled", "run"]);
    assert.equal(await text(SWITCHES), before);
    await switchServer("db", false, given);
    // The repository brings it back; its user switched it off.
    await write(SWITCHES, before);
    const [row] = await effectiveServers(["db"], given);
    assert.equal(row?.state, "untrusted");
  });
});

Deno.test("an entry that says that it is off is made to say that it is on", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    const goose = "home/.config/goose/config.yaml";
    const yaml = (on: boolean): string =>
      `# mine\nextensions:\n  x:\n    type: stdio\n    cmd: a\n    args: []\n    enabled: ${on} # now\n`;
    await write(goose, yaml(false));
    const { effective } = await switchServer("x", true, { ...given, inPlace: true });
    assert.equal(effective[0]?.state, "run");
    assert.equal(await text(goose), yaml(true), "Goose leaves out what has no such key");
    await switchServer("x", false, { ...given, inPlace: true });
    assert.equal(await text(goose), yaml(false));
  });
});

Deno.test("Claude Code's own list of this project is its switch", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    const claude = "home/.claude.json";
    await write(claude, servers({ x: { type: "stdio", command: "a" } }));
    const off = await switchServer("x", false, { ...given, inPlace: true });
    assert.equal(off.effective[0]?.state, "disabled");
    const root = JSON.parse(await text(claude));
    assert.deepEqual(root.projects, {
      [given.machine.cwd]: { disabledMcpServers: ["x"] },
    });
    const on = await switchServer("x", true, { ...given, inPlace: true });
    assert.equal(on.effective[0]?.state, "run");
  });
});

Deno.test("what another switch of a host's turns off is refused with where to look, and not again", async () => {
  await inEditPlace(async ({ given, path, write }) => {
    await write("home/.gemini/settings.json", {
      mcp: { allowed: ["other"] },
      mcpServers: { x: { command: "a" } },
    });
    const { servers: [row], files } = await switchServer("x", true, { ...given, inPlace: true });
    assert.deepEqual([row?.done, row?.error?.hint, files], [
      "refused",
      `Add "x" to "mcp.allowed" in "${path("home/.gemini/settings.json")}"`,
      [],
    ]);
  });
});

Deno.test("a host without a switch is told from one with, and the hint can be followed", async () => {
  await inEditPlace(async ({ given, write }) => {
    await write("home/.cursor/mcp.json", servers({ "my server": { command: "a" } }));
    await assert.rejects(switchServer("my server", false, { ...given, inPlace: true }), {
      code: "edit-refused",
      hint: "To switch it off here alone: mcp disable 'my server'",
    });
  });
});

Deno.test("a list of switches that is no list is refused untouched [G02]", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    await write(STORE, servers({ db: { command: "a" } }));
    for (
      const broken of ['{ "enabledMcpServers": "db" }', '{ "enabledMcpServers": {} }', "[]", "{"]
    ) {
      await write(SWITCHES, broken);
      await assert.rejects(switchServer("db", true, given), /left as it is|Cannot/);
      assert.equal(await text(SWITCHES), broken);
    }
  });
});
