import assert from "node:assert/strict";
import { approve, pendingApprovals } from "../../src/plan/approve.ts";
import { loadAllMCPConfigs } from "../../src/plan/discover.ts";
import type { LoadedConfigs } from "../../src/model/plan.ts";
import { recordLooks } from "../../src/platform/looks.ts";
import { inPlace, type Place } from "./made.ts";

const SETTINGS = "home/.config/hotplug/settings.json";

const load = ({ machine, folders }: Place): Promise<LoadedConfigs> =>
  loadAllMCPConfigs({ machine, folders });

const discover = (script: string): object => ({
  discover: [{ command: "/bin/sh", args: ["-c", script], timeout: 5_000 }],
});

const print = (value: unknown): string => `echo '${JSON.stringify(value)}'`;

const ONE = {
  mcpServers: { found: { command: "node", args: ["server.js"], env: { K: "${KEY}" } } },
};

Deno.test("a user's program declares servers of the user's", () =>
  inPlace(async (place) => {
    const script = `cat > "$HOME/event"; ${print(ONE)}`;
    await place.write(SETTINGS, { hooks: discover(script) });
    const { plan, configs } = await load({
      ...place,
      machine: { ...place.machine, env: { ...place.machine.env, KEY: "x" } },
    });
    const [row] = plan.servers;
    assert.deepEqual([row?.name, row?.verdict.state], ["found", "run"]);
    assert.equal(configs["found"]?.cwd, place.home);
    const { source } = row?.definition ?? {};
    assert.deepEqual([source?.id, source?.label, source?.scope, source?.keyPath], [
      "discover-hook",
      "Discover hook",
      "user",
      undefined,
    ]);
    assert.equal(source?.path, `${place.root}/${SETTINGS}`);
    assert.equal(source?.line, 4);
    assert.deepEqual(JSON.parse(await Deno.readTextFile(`${place.home}/event`)), {
      event: "discover",
      workspacePath: place.repo,
      cwd: place.repo,
    });
    const report = plan.sources.find(({ path }) => path === "discover hook 1: sh");
    assert.deepEqual([report?.state, report?.servers], ["loaded", 1]);
  }));

Deno.test("a repository's program runs once it is approved, its servers once they are [H01]", () =>
  inPlace(async (place) => {
    const { machine, folders, repo } = place;
    await place.write("repo/.hotplug/hooks.json", discover(`: > ran; ${print(ONE)}`));
    assert.deepEqual((await load(place)).plan.servers, []);
    await assert.rejects(() => Deno.stat(`${repo}/ran`), Deno.errors.NotFound);
    const { hooks } = await pendingApprovals({ machine, folders });
    await assert.rejects(() => Deno.stat(`${repo}/ran`), Deno.errors.NotFound);
    await approve(folders, repo, [], { hooks });
    const [row] = (await load(place)).plan.servers;
    await Deno.stat(`${repo}/ran`);
    assert.deepEqual([row?.name, row?.verdict.state], ["found", "untrusted"]);
    assert.equal(row?.definition?.source.scope, "project");
    assert.equal(row?.definition?.source.environment, "safe");
    const { pending } = await pendingApprovals({ machine, folders });
    await approve(folders, repo, pending);
    const env = { ...machine.env, KEY: "x" };
    const [approved] = (await load({ ...place, machine: { ...machine, env } })).plan.servers;
    assert.equal(approved?.verdict.state, "run");
  }));

Deno.test("a program that fails or prints nonsense costs only itself, and that is told", () =>
  inPlace(async (place) => {
    const cases: Readonly<Record<string, RegExp>> = {
      "echo broken >&2; exit 4": /^Cannot ask the hook "sh" .*: it ended with status 4$/,
      "echo nonsense": /^Cannot use the discover hook 1: sh: it printed no JSON: /,
      "echo '[]'": /it printed JSON that is not an object/,
      "printf '\\377'": /not UTF-8/,
    };
    await place.write("home/.claude.json", { mcpServers: { other: { command: "node" } } });
    for (const [script, said] of Object.entries(cases)) {
      await place.write(SETTINGS, { hooks: discover(script) });
      const { plan } = await load(place);
      assert.deepEqual(plan.servers.map(({ name }) => name), ["other"], script);
      const report = plan.sources.find(({ id }) => id === "discover-hook");
      assert.match(report?.error?.message ?? "", said);
    }
    for (const script of ["true", "echo '{}'", `echo '{"mcpServers":{}}'`]) {
      await place.write(SETTINGS, { hooks: discover(script) });
      const { plan } = await load(place);
      const report = plan.sources.find(({ id }) => id === "discover-hook");
      assert.deepEqual([report?.state, report?.error], ["empty", null], script);
    }
  }));

Deno.test("what a program printed last stands in for it, and then it is not run", () =>
  inPlace(async (place) => {
    const { machine, folders, home } = place;
    await place.write(SETTINGS, { hooks: discover(`: > ran; ${print(ONE)}`) });
    const held = new Map([["discover hook 1: sh", `{"mcpServers":{"old":{"command":"node"}}}`]]);
    const { plan } = await loadAllMCPConfigs({ machine, folders, held });
    assert.deepEqual(plan.servers.map(({ name }) => name), ["old"]);
    await assert.rejects(() => Deno.stat(`${home}/ran`), Deno.errors.NotFound);
  }));

Deno.test("whoever keeps a record of looks learns that a program had a say", () =>
  inPlace(async (place) => {
    const recorded = async (): Promise<boolean> => {
      const end = recordLooks();
      await load(place);
      return end().unseen;
    };
    await place.write(SETTINGS, { hooks: { "after-call": [{ command: "x" }] } });
    assert.equal(await recorded(), false);
    await place.write(SETTINGS, { hooks: discover("true") });
    assert.equal(await recorded(), true);
  }));

Deno.test("with local sources off, as for an ACP client, no program is asked for servers", () =>
  inPlace(async (place) => {
    const { machine, folders, home } = place;
    await place.write(SETTINGS, { hooks: discover(": > ran") });
    const loaded = await loadAllMCPConfigs({ machine, folders, localSources: false });
    assert.equal(loaded.hooks?.programs.length, 1);
    await assert.rejects(() => Deno.stat(`${home}/ran`), Deno.errors.NotFound);
  }));
