import assert from "node:assert/strict";
import { addServers } from "../../src/edit/add_servers.ts";
import { importServers } from "../../src/edit/import_servers.ts";
import type { NewServer } from "../../src/edit/new_server.ts";
import { newNameProblem } from "../../src/edit/new_name.ts";
import { removeServer } from "../../src/edit/remove_server.ts";
import { switchServer } from "../../src/edit/switch_server.ts";
import { inEditPlace, STORE } from "./made.ts";

const USUAL = ["a", "A-b_c.d", "io.github/x", "plugin:p:s", "@scope/n", "a+b", "größe", "日本"];
const REFUSED = [
  "a b",
  "a\tb",
  "it's",
  'q"u',
  "a`b",
  "a;b",
  "a|b",
  "$a",
  "a&b",
  "a*",
  "(a)",
  "a\\b",
];

Deno.test("a new name holds nothing that a shell would take apart [H11]", () => {
  for (const name of USUAL) assert.equal(newNameProblem(name), null, name);
  for (const name of REFUSED) {
    const problem = newNameProblem(name);
    assert.ok(problem !== null && problem.hint !== null, name);
    assert.ok(!problem.message.includes(name), name);
  }
});

function named(name: string, command = "a"): NewServer {
  return { name, config: { command }, dialect: "hotplug" };
}

Deno.test("a new server with such a name is refused alone; one that is there is edited as ever [H11]", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    await write(STORE, { mcpServers: { "my server": { command: "a" } } });
    const added = await addServers([named("new one"), named("fine")], given);
    assert.deepEqual(added.servers.map(({ done }) => done), ["refused", "added"]);
    assert.match(added.servers[0]?.error?.message ?? "", /white space/);
    const again = await addServers([named("my server")], given);
    assert.equal(again.servers[0]?.done, "unchanged");
    const replaced = await addServers([named("my server", "b")], { ...given, replace: true });
    assert.equal(replaced.servers[0]?.done, "replaced");
    assert.equal((await switchServer("my server", true, given)).servers[0]?.done, "enabled");
    assert.equal((await removeServer("my server", given)).servers[0]?.done, "removed");
    assert.deepEqual(Object.keys(JSON.parse(await text(STORE)).mcpServers), ["fine"]);
  });
});

Deno.test("what a file already names so is copied under its name", async () => {
  await inEditPlace(async ({ given, write }) => {
    await write("home/.cursor/mcp.json", { mcpServers: { "my server": { command: "a" } } });
    const { servers } = await importServers("cursor", [], given);
    assert.deepEqual(servers.map(({ name, done }) => [name, done]), [["my server", "added"]]);
  });
});
