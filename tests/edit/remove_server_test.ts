import assert from "node:assert/strict";
import { addServers } from "../../src/edit/add_servers.ts";
import { removeServer } from "../../src/edit/remove_server.ts";
import { switchServer } from "../../src/edit/switch_server.ts";
import { inEditPlace, STORE, SWITCHES } from "./made.ts";

const CLAUDE = "home/.claude.json";
const WORKSPACE = "home/work/project";

Deno.test("of a file with servers under several keys, the one that is meant loses its entry [A25]", async () => {
  await inEditPlace(async ({ given, text, write, path }) => {
    const projects = (x: object): object => ({
      [path(WORKSPACE)]: { mcpServers: { ...x, y: {} } },
    });
    const claude = (mine: object, local: object): string =>
      JSON.stringify({ mcpServers: mine, projects: projects(local), tipsHistory: { a: 1 } });
    const [user, local] = [{ x: { command: "user" } }, { x: { command: "local" } }];
    await write(CLAUDE, claude(user, local));
    const target = { scope: "user", host: "claude-code" } as const;
    const named = await removeServer("x", { ...given, target });
    assert.equal(await text(CLAUDE), claude({}, local));
    assert.equal(named.effective[0]?.source?.scope, "local");
    await write(CLAUDE, claude(user, local));
    const strongest = await removeServer("x", given);
    assert.equal(await text(CLAUDE), claude(user, {}));
    assert.deepEqual(
      [strongest.effective[0]?.source?.scope, strongest.effective[0]?.state],
      ["user", "run"],
    );
  });
});

Deno.test("names that mean something to a language are names like any other", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    const names = [
      "__proto__",
      "constructor",
      "toString",
      "a.b",
      'q"u"o',
      "it's",
      "mcp servers",
      "ü",
    ];
    const codex = { scope: "user", host: "codex" } as const;
    for (const target of [{ scope: "store" } as const, codex]) {
      const file = target === codex ? "home/.codex/config.toml" : STORE;
      await write(file, target === codex ? "# mine\n" : "{}\n");
      const before = await text(file);
      const servers = names.map((name) => (
        { name, config: { command: "a" }, dialect: "hotplug" } as const
      ));
      const { servers: added } = await addServers(servers, { ...given, target, anyName: true });
      const written = added.filter(({ done }) => done === "added").map(({ name }) => name);
      assert.ok(target === codex ? written.length >= 4 : written.length === names.length);
      for (const name of written) {
        const { servers: [removed], effective } = await removeServer(name, { ...given, target });
        assert.equal(removed?.done, "removed", name);
        assert.equal(effective[0]?.state, null, name);
      }
      // The section that they stood in stays, empty.
      const section = /\s*(?:"mcpServers": \{\}|\[mcp_servers\])\s*/;
      const rest = (await text(file)).replace(section, "").trim();
      assert.equal(rest, before.trim());
    }
  });
});

Deno.test("an item of a list is found by its name, wherever it stands by now", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    const vibe = "home/.vibe/config.toml";
    await write(
      vibe,
      '# mine\n[[mcp_servers]]\nname = "one"\ntransport = "stdio"\ncommand = "a"\n\n' +
        '[[mcp_servers]]\nname = " two "\ntransport = "stdio"\ncommand = "b"\n',
    );
    const { files } = await removeServer("two", given);
    assert.equal(files.length, 1);
    assert.doesNotMatch(await text(vibe), /two/);
    assert.match(await text(vibe), /^# mine\n\[\[mcp_servers\]\]\nname = "one"/);
  });
});

Deno.test("a name that stands twice in a file is refused, since another would come up", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    const twice = '{ "mcpServers": { "x": { "command": "a" }, "x": { "command": "b" } } }\n';
    await write(STORE, twice);
    await assert.rejects(removeServer("x", given), { code: "edit-refused" });
    assert.equal(await text(STORE), twice);
  });
});

Deno.test("what is removed and still enabled here says how to take it out", async () => {
  await inEditPlace(async ({ given, write }) => {
    await write(STORE, '{ "mcpServers": { "x": { "command": "a" } } }\n');
    await write(SWITCHES, '{ "enabledMcpServers": ["x"] }\n');
    const { effective: [row] } = await removeServer("x", given);
    assert.equal(row?.state, "missing");
    assert.match(row?.reason?.hint ?? "", /mcp disable x/);
  });
});

Deno.test("what no file of the user's brings cannot be removed, and the hint can be followed", async () => {
  await inEditPlace(async ({ given, write }) => {
    await write("home/.agents/plugins/kit/.mcp.json", {
      mcpServers: { brought: { command: "a" } },
    });
    await assert.rejects(removeServer("kit:brought", given), {
      code: "edit-refused",
      hint: "To keep it from running here: mcp disable kit:brought",
    });
    const { effective } = await switchServer("kit:brought", false, given);
    assert.equal(effective[0]?.state, "disabled");
    await assert.rejects(switchServer("kit:brought", true, { ...given, inPlace: true }), {
      hint: "Switch it on where it comes from",
    });
  });
});

Deno.test("a file of three megabytes is edited in place", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    const history = Array.from({ length: 30_000 }, (_, index) => (
      { display: `prompt number ${index} with some text in it to fill up the file`, pasted: {} }
    ));
    const before = JSON.stringify(
      { history, mcpServers: { kept: { type: "stdio", command: "k" } } },
      null,
      2,
    );
    assert.ok(before.length > 3_000_000);
    await write(CLAUDE, before);
    const target = { scope: "user", host: "claude-code" } as const;
    const server = { name: "new", config: { command: "a" }, dialect: "hotplug" } as const;
    const { servers } = await addServers([server], { ...given, target });
    assert.equal(servers[0]?.done, "added");
    const added = await text(CLAUDE);
    assert.equal(added.length - before.length < 120, true);
    await removeServer("new", { ...given, target });
    assert.equal(await text(CLAUDE), before);
  });
});
