import assert from "node:assert/strict";
import { approve, pendingApprovals, withdraw } from "../../src/plan/approve.ts";
import { loadAllMCPConfigs, type LoadOptions } from "../../src/plan/discover.ts";
import type { LoadedConfigs } from "../../src/model/plan.ts";
import type { SourceReport } from "../../src/model/source.ts";
import { readTrust } from "../../src/plan/trust_store.ts";
import { inPlace, type Place } from "./made.ts";

const FILE = "repo/.hotplug/hooks.json";
const SETTINGS = "home/.config/hotplug/settings.json";

const load = ({ machine, folders }: Place, options: LoadOptions = {}): Promise<LoadedConfigs> =>
  loadAllMCPConfigs({ machine, folders, ...options });

const commands = ({ hooks }: LoadedConfigs): readonly string[] =>
  hooks?.programs.map(({ command }) => command) ?? [];

function report({ plan }: LoadedConfigs, id: string): SourceReport {
  const found = plan.sources.find((source) => source.id === id);
  assert.ok(found !== undefined, id);
  return found;
}

const HOOKS = {
  "before-call": [{
    command: "./check.sh",
    args: ["--token=ghp_0123456789abcdefghijABCDEFGHIJ012345"],
  }],
  "discover": [{
    command: "node",
    args: ["tools/servers.js"],
    env: { API_KEY: "sk-0123456789abc" },
  }],
};

Deno.test("a repository's hooks run only once they are approved as they are [H01] [H02]", () =>
  inPlace(async (place) => {
    const { machine, folders, repo } = place;
    await place.write(FILE, { "before-call": [{ command: "./check.sh" }] });
    const first = await load(place);
    assert.deepEqual(commands(first), []);
    assert.deepEqual(first.hooks?.broken, []);
    assert.match(
      report(first, "hooks").warnings[0] ?? "",
      /^You did not approve them: its hook does not run\. .* mcp trust --hooks$/,
    );
    const { hooks } = await pendingApprovals({ machine, folders });
    await approve(folders, repo, [], { hooks });
    const approved = await load(place);
    assert.deepEqual(commands(approved), ["./check.sh"]);
    assert.deepEqual(report(approved, "hooks").warnings, []);
    assert.equal((await pendingApprovals({ machine, folders })).hooks, null);
    assert.equal(approved.hooks?.programs[0]?.cwd, repo);
    assert.equal(approved.hooks?.programs[0]?.scope, "project");

    await place.write(FILE, { "before-call": [{ command: "./check.sh", args: ["--off"] }] });
    const changed = await load(place);
    assert.deepEqual(commands(changed), []);
    assert.match(
      report(changed, "hooks").warnings[0] ?? "",
      /^They changed since you approved them/,
    );
    assert.equal((await pendingApprovals({ machine, folders })).hooks?.changed, true);
    // Other white space and comments say the same.
    await place.write(FILE, `// x\n{"before-call":[{"command":"./check.sh"},],}`);
    assert.deepEqual(commands(await load(place)), ["./check.sh"]);
  }));

Deno.test("what is approved of definitions and hooks is kept apart, and withdrawn apart", () =>
  inPlace(async (place) => {
    const { machine, folders, repo } = place;
    await place.write(FILE, { "after-call": [{ command: "note" }] });
    await place.write("repo/.mcp.json", { mcpServers: { lint: { command: "node" } } });
    const { hooks, pending } = await pendingApprovals({ machine, folders });
    await approve(folders, repo, pending, { hooks });
    await approve(folders, repo, [], { folder: true });
    assert.equal((await readTrust(folders, repo)).hooks?.length, 1);
    await withdraw(folders, repo, { names: ["lint"] });
    assert.deepEqual(commands(await load(place)), ["note"]);
    await withdraw(folders, repo, { hooks: true });
    const trust = await readTrust(folders, repo);
    assert.deepEqual([trust.folder, trust.hooks], [true, undefined]);
    assert.deepEqual(commands(await load(place)), []);
    await approve(folders, repo, [], { hooks });
    await withdraw(folders, repo);
    assert.deepEqual(commands(await load(place)), []);
  }));

Deno.test("an approval of hooks is none of the folder, nor the other way round", () =>
  inPlace(async (place) => {
    const { machine, folders, repo } = place;
    await place.write(FILE, { "after-call": [{ command: "note" }] });
    await approve(folders, repo, [], { folder: true });
    assert.deepEqual(commands(await load(place)), []);
    await withdraw(folders, repo);
    const { hooks } = await pendingApprovals({ machine, folders });
    await approve(folders, repo, [], { hooks });
    assert.equal((await readTrust(folders, repo)).folder, false);
  }));

Deno.test("what waits is shown with what runs, its files and no secret [H08]", () =>
  inPlace(async (place) => {
    const { machine, folders } = place;
    await place.write(FILE, HOOKS);
    await place.write("repo/check.sh", "");
    await place.write("repo/tools/servers.js", "");
    const { hooks } = await pendingApprovals({ machine, folders });
    assert.deepEqual(hooks?.hooks.map(({ event }) => event), ["discover", "before-call"]);
    assert.deepEqual(hooks?.hooks.map(({ repositoryFiles }) => repositoryFiles), [
      ["tools/servers.js"],
      ["check.sh"],
    ]);
    assert.match(hooks?.hooks[0]?.settings[0] ?? "", /^env\.API_KEY=\*+$/);
    assert.doesNotMatch(JSON.stringify(hooks), /0123456789abc/);
  }));

Deno.test("trust all approves hooks, a function of the host approves none", () =>
  inPlace(async (place) => {
    await place.write(FILE, { "after-call": [{ command: "note" }] });
    assert.deepEqual(commands(await load(place, { trust: "all" })), ["note"]);
    assert.deepEqual(commands(await load(place, { trust: () => true })), []);
    const env = { ...place.machine.env, HOTPLUG_TRUST: "all" };
    assert.deepEqual(commands(await load({ ...place, machine: { ...place.machine, env } })), [
      "note",
    ]);
    const without = await load(place, { trust: "all", enableProjectConfig: false });
    assert.deepEqual(commands(without), []);
    assert.equal(report(without, "hooks").state, "off");
  }));

Deno.test("a repository's hooks are asked before the user's, which have the last word", () =>
  inPlace(async (place) => {
    await place.write(FILE, { "before-call": [{ command: "theirs" }] });
    await place.write(SETTINGS, { hooks: { "before-call": [{ command: "mine" }] } });
    const loaded = await load(place, { trust: "all" });
    assert.deepEqual(commands(loaded), ["theirs", "mine"]);
    assert.deepEqual(loaded.hooks?.programs.map(({ cwd }) => cwd), [place.repo, place.home]);
  }));

Deno.test("a repository's file that cannot be used is told and stops nothing", () =>
  inPlace(async (place) => {
    for (const text of [`{"before-call": [`, `[]`]) {
      await place.write(FILE, text);
      const loaded = await load(place);
      assert.deepEqual(loaded.hooks, { programs: [], broken: [] }, text);
      assert.equal(report(loaded, "hooks").state, "malformed");
      assert.match(report(loaded, "hooks").error?.hint ?? "", /none of its hooks runs/);
      const { machine, folders } = place;
      assert.equal((await pendingApprovals({ machine, folders })).hooks, null);
    }
    // A broken entry waits like any other; once approved it stops what it would be asked about.
    await place.write(FILE, { "before-call": [{ args: [] }] });
    assert.deepEqual((await load(place)).hooks?.broken, []);
    assert.equal((await load(place, { trust: "all" })).hooks?.broken.length, 1);
  }));

Deno.test("settings that cannot be parsed stop calls when they speak of hooks, else nothing", () =>
  inPlace(async (place) => {
    await place.write(SETTINGS, `{ "watch": tru }`);
    assert.deepEqual((await load(place)).hooks, { programs: [], broken: [] });
    await place.write(SETTINGS, `{ "hooks": { "before-call": [{ "command": "x" } }`);
    const loaded = await load(place);
    assert.deepEqual(loaded.hooks?.broken.map(({ events }) => events), [
      ["before-connect", "before-call"],
    ]);
    assert.match(report(loaded, "settings").warnings.at(-1) ?? "", /no tool is called$/);
    await Deno.remove(`${place.root}/${SETTINGS}`);
    await Deno.mkdir(`${place.root}/${SETTINGS}`);
    assert.equal((await load(place)).hooks?.broken.length, 1);
  }));

Deno.test("a bad hook in the settings costs the other settings nothing", () =>
  inPlace(async (place) => {
    await place.write(SETTINGS, {
      watch: true,
      hooks: { "after-call": [{ command: 1 }, { command: "good" }] },
    });
    const loaded = await load(place);
    assert.equal(loaded.watch, true);
    assert.deepEqual(commands(loaded), ["good"]);
    assert.match(
      report(loaded, "settings").warnings[0] ?? "",
      /^"hooks\.after-call\[0\]\.command" must be .*, at line 6; it never runs$/,
    );
  }));
