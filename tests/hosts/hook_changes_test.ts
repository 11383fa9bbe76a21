import assert from "node:assert/strict";
import { join } from "node:path";
import { readHookHeader, withHookHeader } from "../../src/hosts/hook_header.ts";
import { readRecords, recordsFile } from "../../src/hosts/hook_records.ts";
import { type HookPlace, inHookPlace } from "./hook_place.ts";

const CURSOR = "home/.cursor/mcp.json";
const CODEX = "home/.codex/config.toml";
const PI = "home/.pi/agent/extensions/hotplug.js";

/** The entry of a file, and the file again. */
async function changed(
  { text, write }: HookPlace,
  file: string,
  change: (text: string) => string,
): Promise<string> {
  const after = change(await text(file));
  assert.notEqual(after, await text(file));
  await write(file, after);
  return after;
}

Deno.test("an entry that the user changed is refused, and replaced by force alone", async () => {
  await inHookPlace(async (place) => {
    const { install, inspect, text } = place;
    await install("cursor");
    const mine = await changed(
      place,
      CURSOR,
      (old) => old.replace('"cursor"', '"cursor", "--lazy"'),
    );
    const refused = await install("cursor");
    assert.deepEqual([refused.done, refused.error?.code], ["refused", "edit-refused"]);
    assert.match(refused.error?.message ?? "", /its entry "hotplug" was changed since/);
    assert.match(refused.error?.hint ?? "", /--force/);
    assert.equal(await text(CURSOR), mine);
    assert.deepEqual((await inspect("cursor")).isChanged, true);
    assert.equal((await install("cursor", { force: true })).done, "updated");
    assert.equal((await inspect("cursor")).isChanged, false);
  });
});

Deno.test("what the user adds to the entry stays when the hook is installed again", async () => {
  await inHookPlace(async (place) => {
    await place.install("cursor");
    const mine = await changed(
      place,
      CURSOR,
      (old) => old.replace('"command"', '"env": { "A": "1" }, "command"'),
    );
    assert.equal((await place.install("cursor")).done, "unchanged");
    assert.equal(await place.text(CURSOR), mine);
    assert.equal((await place.uninstall("cursor")).done, "removed");
  });
});

Deno.test("another server that is called hotplug is left alone, and put back after force", async () => {
  await inHookPlace(async ({ install, uninstall, text, write }) => {
    const before = `{ "mcpServers": { "hotplug": { "command": "mine" } } }\n`;
    await write(CURSOR, before);
    const refused = await install("cursor");
    assert.match(refused.error?.message ?? "", /its entry "hotplug" is another one/);
    assert.equal((await uninstall("cursor")).error?.code, "edit-refused");
    assert.equal(await text(CURSOR), before);
    assert.equal((await install("cursor", { force: true })).error, null);
    // The user changes something else, so that the text cannot be put back as it was.
    await write(CURSOR, (await text(CURSOR)).replace("{ ", '{ "x": 1, '));
    assert.equal((await uninstall("cursor")).error, null);
    assert.deepEqual(JSON.parse(await text(CURSOR)), {
      x: 1,
      mcpServers: { hotplug: { command: "mine" } },
    });
  });
});

Deno.test("when others changed the file meanwhile the entry alone goes, and what was made for it", async () => {
  await inHookPlace(async ({ install, uninstall, text, write }) => {
    await write(CODEX, 'model = "a"\n');
    await install("codex");
    const after = await text(CODEX);
    await write(CODEX, `${after}\n[mcp_servers.new]\ncommand = "new" # mine\n`);
    assert.equal((await uninstall("codex")).done, "removed");
    assert.equal(
      (await text(CODEX)).replaceAll(/\n+/g, "\n"),
      'model = "a"\n[mcp_servers.new]\ncommand = "new" # mine\n',
    );
  });
});

Deno.test("settings that were there before keep their values when the hook goes", async () => {
  await inHookPlace(async ({ install, uninstall, text, write }) => {
    const before = `suppress_unstable_features_warning = false
[features]
mcp_tool_list_changed = false # not yet
`;
    await write(CODEX, before);
    const change = await install("codex");
    assert.match(
      change.warnings.join(),
      /"suppress_unstable_features_warning" .* stays as you set it/,
    );
    assert.match(await text(CODEX), /^suppress_unstable_features_warning = false$/m);
    assert.match(await text(CODEX), /^mcp_tool_list_changed = true # not yet$/m);
    await write(CODEX, `# more\n${await text(CODEX)}`);
    await uninstall("codex");
    assert.equal((await text(CODEX)).trimEnd(), `# more\n${before}`.trimEnd());
    // What the user sets since is the user's.
    await write(CODEX, before);
    await install("codex");
    const off = (await text(CODEX)).replace("list_changed = true", "list_changed = false");
    await write(CODEX, off);
    await uninstall("codex");
    assert.match(await text(CODEX), /^mcp_tool_list_changed = false # not yet$/m);
  });
});

Deno.test("a newer version and another place of the program are written, and undone to the first text", async () => {
  await inHookPlace(async ({ install, uninstall, inspect, text, tree, write }) => {
    await write(CODEX, "# mine\n");
    const old = await tree();
    for (const kind of ["codex", "pi", "claude-code"]) {
      await install(kind, { version: "1.0.0" });
      const change = await install(kind, { program: ["/usr/bin/hotplug"], version: "2.0.0" });
      assert.deepEqual([change.done, change.error], ["updated", null]);
      const { version, program } = await inspect(kind);
      assert.deepEqual([version, program], ["2.0.0", ["/usr/bin/hotplug"]]);
      await uninstall(kind);
    }
    assert.equal(await text(CODEX), "# mine\n");
    assert.deepEqual(await tree(), old);
  });
});

Deno.test("a hook file that was changed is refused; force keeps the old text elsewhere", async () => {
  await inHookPlace(async (place) => {
    const { install, uninstall, text, state } = place;
    await install("pi");
    const mine = await changed(place, PI, (old) => `${old}// mine\n`);
    assert.equal((await place.inspect("pi")).isChanged, true);
    assert.equal((await install("pi")).error?.code, "edit-refused");
    assert.equal((await uninstall("pi")).error?.code, "edit-refused");
    assert.equal(await text(PI), mine);
    const change = await install("pi", { force: true });
    const [, kept = ""] = /"(.+)"/.exec(change.warnings.join()) ?? [];
    assert.ok(kept.startsWith(join(state, "hooks")), change.warnings.join());
    assert.equal(await Deno.readTextFile(kept), mine);
    assert.equal((await place.inspect("pi")).isChanged, false);
    assert.equal((await uninstall("pi")).done, "removed");
  });
});

Deno.test("a script of the user's that stands in the hook's place is never touched", async () => {
  await inHookPlace(async ({ install, uninstall, text, write, inspect }) => {
    await write(PI, "export default () => {};\n");
    assert.equal((await inspect("pi")).isInstalled, false);
    assert.equal((await install("pi")).error?.code, "edit-refused");
    assert.equal((await uninstall("pi")).done, "absent");
    assert.equal(await text(PI), "export default () => {};\n");
  });
});

Deno.test("hooks are found and removed although nothing is remembered of them", async () => {
  await inHookPlace(async ({ install, uninstall, inspect, context, text, write, tree }) => {
    await write(CURSOR, `{ "mcpServers": {} }\n`);
    const old = await tree();
    await install("cursor");
    await install("pi");
    await install("omp");
    for (const damage of ["", "{", "[]", '{"hooks":[{"kind":"cursor"}]}', '{"hooks":{}}']) {
      await write(recordsFile(context.folders), damage);
      assert.deepEqual(readRecords(context.folders), [], damage);
    }
    assert.deepEqual((await inspect("pi")).isInstalled, true);
    assert.deepEqual((await install("cursor")).done, "unchanged");
    await Deno.remove(recordsFile(context.folders));
    // An older one has the same keys.
    assert.deepEqual((await install("cursor", { program: ["/other"] })).done, "updated");
    await Deno.remove(recordsFile(context.folders));
    for (const kind of ["cursor", "pi", "omp"]) {
      assert.equal((await uninstall(kind)).done, "removed", kind);
    }
    assert.equal(await text(CURSOR), `{ "mcpServers": {} }\n`);
    const files = [...await tree()].filter(([, what]) => what !== "folder");
    assert.deepEqual(files, [...old].filter(([, what]) => what !== "folder"));
  });
});

Deno.test("a part that is refused keeps the others from being written", async () => {
  await inHookPlace(async ({ install, write, tree }) => {
    await write("home/.claude/skills/hotplug/.mcp.json", "{}\n");
    const old = await tree();
    assert.equal((await install("claude-code")).done, "refused");
    assert.deepEqual(await tree(), old);
  });
});

Deno.test("hooks of two projects are two, and other projects are not touched", async () => {
  await inHookPlace(async ({ install, uninstall, root, context, inspect }) => {
    await install("cursor", { scope: "project" });
    const [record] = readRecords(context.folders);
    assert.equal(record?.workspacePath, join(root, "project"));
    assert.equal((await inspect("cursor", "user")).isInstalled, false);
    assert.equal((await uninstall("cursor", { scope: "user" })).done, "absent");
    assert.equal((await inspect("cursor", "project")).isInstalled, true);
    const { mode } = await Deno.stat(join(root, "project/.cursor/mcp.json"));
    assert.equal((mode ?? 0) & 0o777, 0o644);
  });
});

Deno.test("the first line of a hook file tells of any change but that of its line ends", () => {
  const text = withHookHeader("pi", "1.0.0", "let a;\nlet b;\n");
  const intact = { kind: "pi", version: "1.0.0", isUnchanged: true };
  assert.deepEqual(readHookHeader(text), intact);
  assert.deepEqual(readHookHeader(text.replaceAll("\n", "\r\n")), intact);
  assert.deepEqual(readHookHeader(`\ufeff${text}`), intact);
  assert.deepEqual(readHookHeader(text.replace("let b", "let c")), {
    ...intact,
    isUnchanged: false,
  });
  assert.deepEqual(readHookHeader(`${text}\n`), { ...intact, isUnchanged: false });
  assert.equal(readHookHeader("// hotplug hook pi v1 sha256:12\n"), null);
  assert.equal(readHookHeader("let a;\n"), null);
  assert.equal(readHookHeader(""), null);
});
