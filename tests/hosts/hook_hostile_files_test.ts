import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { inHookPlace } from "./hook_place.ts";

/** Files of a host in which no entry can be put. */
const UNUSABLE: readonly (readonly [file: string, kind: string, text: string, error: RegExp])[] = [
  ["home/.cursor/mcp.json", "cursor", `{ "mcpServers": { `, /config-malformed/],
  ["home/.cursor/mcp.json", "cursor", `[]`, /edit-refused: .*no object/],
  ["home/.cursor/mcp.json", "cursor", `{ "mcpServers": [] }`, /edit-refused: .*is no object/],
  ["home/.cursor/mcp.json", "cursor", `{ "mcpServers": "x" }`, /edit-refused/],
  ["home/.codex/config.toml", "codex", `a = 1\na = 2\n`, /config-malformed/],
  ["home/.codex/config.toml", "codex", `features = true\n`, /edit-refused/],
  ["home/.continue/config.yaml", "continue", `mcpServers: {}\n`, /edit-refused: .*is no list/],
  ["home/.continue/config.yaml", "continue", `a: [\n`, /config-malformed/],
];

for (const [file, kind, text, error] of UNUSABLE) {
  Deno.test(`a hook for ${kind} is refused where its file holds ${JSON.stringify(text)}`, async () => {
    await inHookPlace(async ({ install, uninstall, inspect, write, tree }) => {
      await write(file, text);
      const old = await tree();
      for (const change of [await install(kind), await install(kind, { force: true })]) {
        assert.equal(change.done, "refused");
        assert.match(`${change.error?.code}: ${change.error?.message}`, error);
        assert.notEqual(change.error?.hint, null);
      }
      assert.equal((await inspect(kind)).isInstalled, false);
      const gone = await uninstall(kind);
      assert.ok(gone.done === "refused" || gone.done === "absent");
      assert.deepEqual(await tree(), old);
    });
  });
}

Deno.test("a file that is not UTF-8, or that may only be read, is left as it is", async () => {
  await inHookPlace(async ({ install, root, write }) => {
    const path = join(root, "home/.cursor/mcp.json");
    await write(path, "{}");
    await Deno.writeFile(path, new Uint8Array([0x7b, 0xff, 0x7d]));
    assert.equal((await install("cursor")).error?.code, "config-unreadable");
    await write(path, "{}");
    await Deno.chmod(path, 0o444);
    assert.equal((await install("cursor")).error?.code, "edit-refused");
    assert.equal(await Deno.readTextFile(path), "{}");
    await Deno.remove(path);
    await Deno.mkdir(path);
    assert.equal((await install("cursor")).error?.code, "config-unreadable");
  });
});

/** Ways in which people write their files. */
const WAYS: readonly (readonly [name: string, text: string])[] = [
  ["tabs", '{\n\t"mcpServers": {\n\t\t"a": {}\n\t}\n}\n'],
  ["CRLF", '{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n'],
  ["no final newline", '{ "mcpServers": {} }'],
  ["a byte order mark", '\ufeff{ "mcpServers": {} }\n'],
  ["comments at every place", '// a\n{ /* b */ "mcpServers": /* c */ { // d\n } /* e */ } // f\n'],
  ["trailing commas", '{ "mcpServers": { "a": {}, }, }\n'],
  ["nothing", ""],
  ["white space", "\n\n"],
  ["null in the place of servers", '{ "mcpServers": null }\n'],
  ["names like those of prototypes", '{ "mcpServers": { "__proto__": {}, "constructor": {} } }\n'],
];

for (const [name, text] of WAYS) {
  Deno.test(`a hook goes into a file with ${name}, and comes out byte for byte`, async () => {
    await inHookPlace(async ({ install, uninstall, inspect, write, tree }) => {
      await write("home/.cursor/mcp.json", text);
      const old = await tree();
      assert.deepEqual((await install("cursor")).error, null);
      assert.equal((await inspect("cursor")).isInstalled, true);
      assert.equal((await uninstall("cursor")).done, "removed");
      assert.deepEqual(await tree(), old);
    });
  });
}

Deno.test("a link to a file of dotfiles stays a link", async () => {
  await inHookPlace(async ({ install, uninstall, write, root, tree, text }) => {
    await write("dotfiles/mcp.json", "{}\n");
    await write("dotfiles/extensions/.keep", "");
    const link = join(root, "home/.cursor/mcp.json");
    await Deno.mkdir(dirname(link), { recursive: true });
    await Deno.symlink("../../dotfiles/mcp.json", link);
    await Deno.mkdir(join(root, "home/.pi/agent"), { recursive: true });
    await Deno.symlink(join(root, "dotfiles/extensions"), join(root, "home/.pi/agent/extensions"));
    const old = await tree();
    for (const kind of ["cursor", "pi"]) assert.equal((await install(kind)).error, null);
    assert.equal((await Deno.lstat(link)).isSymlink, true);
    assert.match(await text("dotfiles/mcp.json"), /hotplug/);
    assert.match(await text("dotfiles/extensions/hotplug.js"), /^\/\/ hotplug hook pi/);
    for (const kind of ["cursor", "pi"]) assert.equal((await uninstall(kind)).done, "removed");
    assert.deepEqual(await tree(), old);
  });
});

Deno.test("a project's link that leads out of it is not followed", async () => {
  await inHookPlace(async ({ install, write, root, tree }) => {
    await write("outside/mcp.json", "{}\n");
    await write("outside/extensions/.keep", "");
    await Deno.mkdir(join(root, "project/.cursor"), { recursive: true });
    await Deno.symlink(join(root, "outside/mcp.json"), join(root, "project/.cursor/mcp.json"));
    await Deno.mkdir(join(root, "project/.pi"), { recursive: true });
    await Deno.symlink(join(root, "outside/extensions"), join(root, "project/.pi/extensions"));
    const old = await tree();
    for (const kind of ["cursor", "pi"]) {
      const change = await install(kind, { scope: "project" });
      assert.equal(change.error?.code, "edit-refused");
      assert.match(change.error?.message ?? "", /leads out of this repository/);
    }
    assert.deepEqual(await tree(), old);
  });
});

Deno.test("a path of the program that looks like a variable is written so that it is none", async () => {
  await inHookPlace(async ({ install, text, tree }) => {
    const program = ["/opt/$HOME ${HOME}/mcp"];
    assert.equal((await install("codex", { program })).error, null);
    assert.match(
      await text("home/.codex/config.toml"),
      /command = "\/opt\/\$HOME \$\{HOME\}\/mcp"/,
    );
    const old = await tree();
    // These hosts have no way to say it.
    for (const kind of ["cursor", "gemini", "claude-code"]) {
      const change = await install(kind, { program });
      assert.equal(change.done, "refused", kind);
    }
    assert.deepEqual(await tree(), old);
  });
});

Deno.test("a hook is refused in a scope that the host has no place for", async () => {
  await inHookPlace(async ({ install, tree }) => {
    const old = await tree();
    const change = await install("claude-code", { scope: "project" });
    assert.deepEqual([change.done, change.error?.code], ["refused", "usage"]);
    assert.match(change.error?.message ?? "", /no place for a project's hook/);
    assert.equal((await install("module", { scope: "user" })).error?.code, "usage");
    assert.deepEqual(await tree(), old);
  });
});
