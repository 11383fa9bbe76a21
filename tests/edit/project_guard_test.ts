import assert from "node:assert/strict";
import { chown, lstat, mkdir, readdir, rm, symlink } from "node:fs/promises";
import { addServers } from "../../src/edit/add_servers.ts";
import { removeServer } from "../../src/edit/remove_server.ts";
import { switchServer } from "../../src/edit/switch_server.ts";
import type { NewServer } from "../../src/edit/new_server.ts";
import type { HotplugError } from "../../src/model/errors.ts";
import { type EditPlace, inEditPlace, STORE, SWITCHES } from "./made.ts";

const PROJECT = "home/work/project/.mcp.json";
const ROOT = "home/work/project";
const NEW: NewServer = { name: "new", config: { command: "a" }, dialect: "hotplug" };

/** The refusal of a link that leads out of the repository, naming where it leads. */
function leadsOut(target: string): (error: HotplugError) => boolean {
  return ({ code, message, hint }) =>
    code === "edit-refused" && message.includes("leads out of this repository") &&
    message.includes(target) && hint !== null;
}

/** A store with one server, in a workspace that is a repository. */
async function inRepository(test: (place: EditPlace) => Promise<void>): Promise<void> {
  await inEditPlace(async (place) => {
    await mkdir(place.path(`${ROOT}/.git`), { recursive: true });
    await place.write(STORE, '{ "mcpServers": { "db": { "command": "a" } } }\n');
    await test(place);
  });
}

Deno.test("enabling writes through no link of the repository that leads out of it", async () => {
  await inRepository(async ({ given, path, text, write }) => {
    const victim = await write("home/.claude/settings.json", '{ "mine": 1 }\n');
    await mkdir(path(`${ROOT}/.hotplug`));
    await symlink("../../../.claude/settings.json", path(SWITCHES));
    for (const dryRun of [true, false]) {
      await assert.rejects(switchServer("db", true, { ...given, dryRun }), leadsOut(victim));
    }
    await assert.rejects(switchServer("db", false, given), leadsOut(victim));
    assert.equal(await text("home/.claude/settings.json"), '{ "mine": 1 }\n');
    assert.deepEqual(await readdir(path("home/.claude")), ["settings.json"]);
  });
});

Deno.test("a link at a folder on the way, or to what is not there yet, is no way out either", async () => {
  await inRepository(async ({ given, path }) => {
    await mkdir(path("home/elsewhere"));
    await symlink(path("home/elsewhere"), path(`${ROOT}/.hotplug`));
    await assert.rejects(switchServer("db", true, given), leadsOut(path("home/elsewhere")));
    await rm(path(`${ROOT}/.hotplug`));
    await mkdir(path(`${ROOT}/.hotplug`));
    await symlink(path("home/.profile.json"), path(SWITCHES));
    await assert.rejects(switchServer("db", true, given), leadsOut(path("home/.profile.json")));
    await rm(path(`${ROOT}/.hotplug`), { recursive: true });
    await symlink(path("home/not-there"), path(`${ROOT}/.hotplug`));
    await assert.rejects(switchServer("db", true, given), { name: "HotplugError" });
    assert.deepEqual(await readdir(path("home/elsewhere")), []);
    assert.deepEqual((await readdir(path("home"))).sort(), [".config", "elsewhere", "work"]);
  });
});

Deno.test("adding to the project and removing from it follow no link out of it", async () => {
  await inRepository(async ({ given, path, text, write }) => {
    const victim = await write(
      "home/.claude.json",
      '{ "mcpServers": { "x": { "command": "b" } } }',
    );
    const before = await text("home/.claude.json");
    await symlink(victim, path(PROJECT));
    const target = { scope: "project" } as const;
    await assert.rejects(addServers([NEW], { ...given, target }), leadsOut(victim));
    await assert.rejects(removeServer("x", { ...given, target }), leadsOut(victim));
    assert.equal(await text("home/.claude.json"), before);
    assert.ok((await lstat(path(PROJECT))).isSymbolicLink());
  });
});

Deno.test("nothing is added to the store when it could not be enabled here", async () => {
  await inRepository(async ({ given, path, text }) => {
    const before = await text(STORE);
    await symlink(path("home"), path(`${ROOT}/.hotplug`));
    await assert.rejects(addServers([NEW], { ...given, enable: true }), /leads out/);
    assert.equal(await text(STORE), before);
    assert.deepEqual((await readdir(path("home"))).sort(), [".config", "work"]);
  });
});

Deno.test("a link within the repository is followed, and stays a link", async () => {
  await inRepository(async ({ given, path, text, write }) => {
    await write(`${ROOT}/config/mcp.json`, "{}\n");
    await symlink("config/mcp.json", path(PROJECT));
    const target = { scope: "project" } as const;
    await addServers([NEW], { ...given, target });
    assert.deepEqual(JSON.parse(await text(`${ROOT}/config/mcp.json`)).mcpServers, {
      new: { command: "a" },
    });
    assert.ok((await lstat(path(PROJECT))).isSymbolicLink());
  });
});

Deno.test("the user's own files may be links to anywhere", async () => {
  await inRepository(async ({ given, path, text, write }) => {
    await rm(path(STORE));
    await write("dotfiles/mcp.json", "{}\n");
    await symlink(path("dotfiles/mcp.json"), path(STORE));
    await addServers([NEW], given);
    assert.match(await text("dotfiles/mcp.json"), /"new"/);
  });
});

Deno.test("in the home folder itself links are the user's own", async () => {
  await inEditPlace(async ({ given, path, text, write }) => {
    await write("dotfiles/mcp.json", "{}\n");
    await symlink(path("dotfiles/mcp.json"), path("home/.mcp.json"));
    const machine = { ...given.machine, cwd: path("home") };
    await addServers([NEW], { ...given, machine, target: { scope: "project" } });
    assert.match(await text("dotfiles/mcp.json"), /"new"/);
  });
});

Deno.test({
  name: "a project file of another user is not written to, as it is not read",
  ignore: Deno.uid() !== 0,
  async fn(): Promise<void> {
    await inRepository(async ({ given, path, text, write }) => {
      await write(PROJECT, "{}\n");
      await chown(path(PROJECT), 4242, 4242);
      await assert.rejects(
        addServers([NEW], { ...given, target: { scope: "project" } }),
        /it belongs to another user/,
      );
      assert.equal(await text(PROJECT), "{}\n");
    });
  },
});
