import assert from "node:assert/strict";
import {
  approve,
  type PendingApproval,
  pendingApprovals,
  withdraw,
} from "../../src/plan/approve.ts";
import { loadAllMCPConfigs } from "../../src/plan/discover.ts";
import { NO_TRUST, readTrust } from "../../src/plan/trust_store.ts";
import { given, inPlace, made, type Place, PROJECT } from "./made.ts";

async function pending(place: Place, name?: string): Promise<readonly PendingApproval[]> {
  const { machine, folders } = place;
  const { pending } = await pendingApprovals({ machine, folders });
  return pending.filter((one) => name === undefined || one.name === name);
}

async function stateOf(place: Place, name: string): Promise<string | undefined> {
  const { machine, folders } = place;
  const { plan } = await loadAllMCPConfigs({ machine, folders });
  return plan.servers.find((server) => server.name === name)?.verdict.state;
}

const PROJECT_FILE = "repo/.mcp.json";

function lint(args: readonly string[]): unknown {
  return { mcpServers: { lint: { command: "node", args, env: { T: "${TOKEN}" } } } };
}

Deno.test("what waits is shown with what it runs, its files and its variables [H01]", () =>
  inPlace(async (place) => {
    await place.write(PROJECT_FILE, {
      mcpServers: {
        lint: {
          command: "npx",
          args: ["@x/lint@1.2", "./tools/lint.js", "--config=lint.json", "docs", "other.js"],
          env: { T: "${TOKEN}", K: "!pass show k" },
        },
        api: { url: "https://api.example/mcp?key=sk-secret-value", headers: { A: "${KEY}" } },
      },
    });
    await place.write("repo/tools/lint.js", "");
    await place.write("repo/lint.json", "{}");
    await place.write("repo/docs/x.md", "");
    await place.write("repo/node_modules/.bin/lint", "");
    const [first, second] = await pending(place);
    assert.equal(first?.kind, "definition");
    assert.match(first?.runs ?? "", /npx .*lint\.js/);
    assert.deepEqual([...first?.repositoryFiles ?? []].sort(), [
      "lint.json",
      "node_modules/.bin/lint",
      "tools/lint.js",
    ]);
    assert.deepEqual(first?.variables, ["TOKEN"]);
    assert.deepEqual(first?.commands.map(({ command }) => command), ["pass show k"]);
    assert.match(first?.source.path ?? "", /\.mcp\.json$/);
    assert.equal(typeof first?.source.line, "number");
    assert.deepEqual(second?.variables, ["KEY"]);
    assert.equal(JSON.stringify([first, second]).includes("hunter2"), false);
    assert.equal(second?.runs.includes("sk-secret-value"), false);
  }, { TOKEN: "hunter2" }));

Deno.test("an approval holds for what was shown and for nothing else [H02]", () =>
  inPlace(async (place) => {
    const env = { ...place.machine.env, TOKEN: "t" };
    const here = { ...place, machine: { ...place.machine, env } };
    await place.write(PROJECT_FILE, lint(["a.js"]));
    await approve(place.folders, place.repo, await pending(here));
    assert.equal(await stateOf(here, "lint"), "run");
    assert.deepEqual(await pending(here), []);
    await place.write(PROJECT_FILE, lint(["b.js"]));
    assert.equal(await stateOf(here, "lint"), "untrusted");
    const [changed] = await pending(here);
    assert.equal(changed?.changed, true);
    assert.match(changed?.reason.message ?? "", /changed since you approved it/);
    await place.write(PROJECT_FILE, lint(["a.js"]));
    assert.equal(await stateOf(here, "lint"), "run");
  }));

Deno.test("a definition that changes between the look and the yes is not approved [H02]", () =>
  inPlace(async (place) => {
    const env = { ...place.machine.env, TOKEN: "t" };
    const here = { ...place, machine: { ...place.machine, env } };
    await place.write(PROJECT_FILE, lint(["a.js"]));
    const shown = await pending(here);
    await place.write(PROJECT_FILE, lint(["evil.js"]));
    await approve(place.folders, place.repo, shown);
    assert.equal(await stateOf(here, "lint"), "untrusted");
  }));

Deno.test("the text of an envFile belongs to what is approved [H02]", () =>
  inPlace(async (place) => {
    await place.write(PROJECT_FILE, { mcpServers: { p: { command: "true", envFile: ".env" } } });
    const file = await place.write("repo/.env", "A=1");
    const [first] = await pending(place, "p");
    assert.deepEqual(first?.repositoryFiles, [".env"]);
    await approve(place.folders, place.repo, await pending(place));
    assert.equal(await stateOf(place, "p"), "run");
    await Deno.writeTextFile(file, "NODE_OPTIONS=--require=./evil.js");
    assert.equal(await stateOf(place, "p"), "untrusted");
    await Deno.remove(file);
    assert.equal(await stateOf(place, "p"), "untrusted");
  }));

Deno.test("an envFile that a variable leads to cannot be approved, and is not looked for", () =>
  inPlace(async (place) => {
    const config = { command: "true", envFile: "${PWD}/.env" };
    const extraSources = [given({ definitions: [made("p", config, PROJECT)] })];
    const { machine, folders } = place;
    const { pending } = await pendingApprovals({ machine, folders, extraSources });
    assert.deepEqual(pending.map(({ approvable }) => approvable), [false]);
    const { approved, refused } = await approve(folders, place.repo, pending);
    assert.deepEqual([approved.length, refused.length], [0, 1]);
    assert.deepEqual(await readTrust(folders, place.repo), NO_TRUST);
    const { plan } = await loadAllMCPConfigs({ machine, folders, extraSources, trust: "all" });
    assert.deepEqual(plan.servers.map(({ verdict }) => verdict.state), ["run"]);
  }, { PWD: "/x" }));

Deno.test("enabling is approved by name, the folder by what waits for it", () =>
  inPlace(async (place) => {
    await place.write("home/.config/hotplug/mcp.json", { mcpServers: { db: { command: "true" } } });
    await place.write("repo/.hotplug/workspace.json", { enabledMcpServers: ["db"] });
    await place.write("repo/s.js", "");
    await place.write("home/.claude.json", {
      mcpServers: { u: { type: "stdio", command: "node", args: [`${place.repo}/s.js`] } },
    });
    const waiting = await pending(place);
    assert.deepEqual(waiting.map(({ name, kind }) => [name, kind]), [
      ["db", "enabling"],
      ["u", "folder"],
    ]);
    assert.deepEqual(waiting[1]?.repositoryFiles, ["s.js"]);
    await approve(place.folders, place.repo, waiting.slice(0, 1));
    assert.deepEqual([await stateOf(place, "db"), await stateOf(place, "u")], ["run", "untrusted"]);
    await approve(place.folders, place.repo, [], { folder: true });
    assert.equal(await stateOf(place, "u"), "run");
  }));

Deno.test("an approved definition approves its folder", () =>
  inPlace(async (place) => {
    await place.write(PROJECT_FILE, { mcpServers: { p: { command: "true" } } });
    await place.write("home/.claude.json", { mcpServers: { u: { command: "true", args: ["u"] } } });
    const cwdOfU = async (): Promise<string | undefined> => {
      const { machine, folders } = place;
      return (await loadAllMCPConfigs({ machine, folders })).configs["u"]?.cwd;
    };
    assert.equal(await cwdOfU(), place.home);
    await approve(place.folders, place.repo, await pending(place));
    assert.equal(await cwdOfU(), place.repo);
  }));

Deno.test("approvals are withdrawn by name, for the folder, or all", () =>
  inPlace(async (place) => {
    const { folders, repo } = place;
    await place.write(PROJECT_FILE, {
      mcpServers: { a: { command: "true" }, b: { command: "true", args: ["b"] } },
    });
    await approve(folders, repo, await pending(place), { folder: true });
    await withdraw(folders, repo, { names: ["a"] });
    assert.deepEqual([await stateOf(place, "a"), await stateOf(place, "b")], ["untrusted", "run"]);
    await withdraw(folders, repo, { folder: true });
    assert.equal((await readTrust(folders, repo)).folder, false);
    assert.equal(await stateOf(place, "b"), "run");
    await withdraw(folders, repo);
    assert.deepEqual(await readTrust(folders, repo), NO_TRUST);
  }));

Deno.test("an approval of one checkout is none of another [A41]", () =>
  inPlace(async (place) => {
    await place.write(PROJECT_FILE, { mcpServers: { p: { command: "true" } } });
    await approve(place.folders, place.repo, await pending(place));
    await place.write("other/.mcp.json", { mcpServers: { p: { command: "true" } } });
    await Deno.mkdir(`${place.root}/other/.git`);
    const other = { ...place, machine: { ...place.machine, cwd: `${place.root}/other` } };
    assert.equal(await stateOf(place, "p"), "run");
    assert.equal(await stateOf(other, "p"), "untrusted");
  }));
