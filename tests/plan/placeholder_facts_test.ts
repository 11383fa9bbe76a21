import assert from "node:assert/strict";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { LoadedConfigs } from "../../src/model/plan.ts";
import type { SourceInfo } from "../../src/model/source.ts";
import { recordLooks } from "../../src/platform/looks.ts";
import { approve, type PendingApproval, pendingApprovals } from "../../src/plan/approve.ts";
import { loadAllMCPConfigs } from "../../src/plan/discover.ts";
import { given, inPlace, made, type Place, PROJECT, USER } from "./made.ts";

/** A definition in a file of the workspace, or of the user's folder `cfg`. */
function one(
  place: Place,
  config: ServerConfig,
  source: Partial<SourceInfo> = {},
): ReturnType<typeof given> {
  const scope = source.scope ?? "project";
  const path = scope === "project"
    ? `${place.repo}/opencode.json`
    : `${place.home}/cfg/opencode.json`;
  const base = scope === "project" ? PROJECT : USER;
  const info: SourceInfo = { ...base, path, dialect: "env-braces", ...source };
  return given({ definitions: [made("it", config, info)] });
}

async function load(place: Place, source: ReturnType<typeof given>): Promise<LoadedConfigs> {
  const { machine, folders } = place;
  return await loadAllMCPConfigs({ machine, folders, extraSources: [source] });
}

async function stateOf(place: Place, source: ReturnType<typeof given>): Promise<string> {
  const { verdict } = (await load(place, source)).plan.servers[0] ?? {};
  return verdict === undefined ? "" : `${verdict.state}`;
}

async function reasonOf(place: Place, source: ReturnType<typeof given>): Promise<string> {
  const { verdict } = (await load(place, source)).plan.servers[0] ?? {};
  return verdict === undefined || verdict.state === "run" ? "" : verdict.reason?.message ?? "";
}

async function pendingOf(
  place: Place,
  source: ReturnType<typeof given>,
): Promise<readonly PendingApproval[]> {
  const { machine, folders } = place;
  return (await pendingApprovals({ machine, folders, extraSources: [source] })).pending;
}

Deno.test("the content of a repository's file that a placeholder takes is approved with it [H02]", () =>
  inPlace(async (place) => {
    const source = one(place, {
      url: "https://h.example/",
      headers: { Authorization: "Bearer {file:./key}" },
    });
    const file = await place.write("repo/key", "first");
    const pending = await pendingOf(place, source);
    assert.deepEqual(pending[0]?.repositoryFiles, ["key"]);
    assert.deepEqual(pending[0]?.settings, [
      'headers.Authorization="Bearer {file:./key}"',
      `reads ${place.repo}/key`,
    ]);
    await approve(place.folders, place.repo, pending);
    assert.equal(await stateOf(place, source), "run");
    await Deno.writeTextFile(file, "second");
    assert.equal(await stateOf(place, source), "untrusted");
    await Deno.remove(file);
    assert.equal(await stateOf(place, source), "untrusted");
  }));

Deno.test("a file of the user's own binds no approval, and the review names it [H01]", () =>
  inPlace(async (place) => {
    const source = one(place, { command: "true", env: { K: "{file:~/.key}" } });
    await place.write("home/.key", "first");
    const pending = await pendingOf(place, source);
    assert.deepEqual(pending[0]?.settings, ["env.K={file:~/.key}", `reads ${place.home}/.key`]);
    assert.deepEqual(pending[0]?.repositoryFiles, []);
    await approve(place.folders, place.repo, pending);
    await place.write("home/.key", "second");
    assert.equal(await stateOf(place, source), "run");
  }));

Deno.test("a file that a variable or another file leads to cannot be approved [H02]", () =>
  inPlace(async (place) => {
    for (
      const config of [
        { command: "true", args: ["{file:{env:DIR}/key}"] },
        { command: "true", envFile: "{file:./where}" },
      ]
    ) {
      const source = one(place, config);
      assert.deepEqual(
        (await pendingOf(place, source)).map(({ approvable }) => approvable),
        [false],
      );
      assert.match(await reasonOf(place, source), /^Cannot be approved: the path of a file/);
    }
  }, { DIR: "/x" }));

Deno.test("nothing that an unapproved definition names is opened [H01]", () =>
  inPlace(async (place) => {
    const source = one(place, { command: "true", args: ["{file:~/.key}"] });
    await place.write("home/.key", "k");
    const opened = async (): Promise<boolean> => {
      const recorded = recordLooks();
      await load(place, source);
      return recorded().looks.some(({ how, path }) => how === "stat" && path.endsWith("/.key"));
    };
    assert.equal(await opened(), false);
    assert.equal(await stateOf(place, source), "untrusted");
    await approve(place.folders, place.repo, await pendingOf(place, source));
    assert.equal(await opened(), true);
    const mine = one(place, { command: "true", args: ["{file:none}"] }, { scope: "user" });
    assert.equal(
      await reasonOf(place, mine),
      `Cannot expand "args[0]": the file "${place.home}/cfg/none" does not exist or cannot be read`,
    );
  }));

Deno.test("the user's own server takes nothing of a workspace that is not approved [H01]", () =>
  inPlace(async (place) => {
    await place.write("repo/url", "https://evil.example/");
    for (
      const config of [{ url: "{file:$/url}" }, { command: "true", env: { A: "{file:$/url}" } }]
    ) {
      const text = JSON.stringify(config).replaceAll("$", place.repo);
      const source = one(place, JSON.parse(text) as ServerConfig, { scope: "user" });
      assert.equal(await stateOf(place, source), "untrusted");
      assert.match(await reasonOf(place, source), /Its placeholder's file would be taken/);
    }
    await approve(place.folders, place.repo, [], { folder: true });
    const source = one(place, { url: `{file:${place.repo}/url}` }, { scope: "user" });
    assert.equal(await stateOf(place, source), "run");
  }));

Deno.test("needs-input holds in every dialect, and ends when the variable is set [A19]", () =>
  inPlace(async (place) => {
    const cases = [
      ["dollar", "${input:api-key}", "HOTPLUG_INPUT_API_KEY"],
      ["common", "${secret:API_KEY}", "API_KEY"],
      ["secrets", "${{ secrets.API_KEY }}", "API_KEY"],
      ["env-colon", "${env:NOPE:-${input:api-key}}", "HOTPLUG_INPUT_API_KEY"],
    ] as const;
    for (const [dialect, text, variable] of cases) {
      const source = one(place, { command: "true", args: [text] }, { scope: "user", dialect });
      assert.equal(await stateOf(place, source), "needs-input", dialect);
      const { verdict } = (await load(place, source)).plan.servers[0] ?? {};
      assert.match(JSON.stringify(verdict), new RegExp(`Set the variable \\\\"${variable}\\\\"`));
      const env = { ...place.machine.env, [variable]: "k" };
      const set = { ...place, machine: { ...place.machine, env } };
      assert.equal(await stateOf(set, source), "run", dialect);
    }
  }));

Deno.test("the row names all values that must be given, and all variables to set [A19]", () =>
  inPlace(async (place) => {
    const config = { command: "true", env: { A: "${input:a}", B: "${input:b}" } };
    const source = one(place, config, { scope: "user", dialect: "vscode" });
    assert.equal(await stateOf(place, source), "needs-input");
    const { verdict } = (await load(place, source)).plan.servers[0] ?? {};
    const reason = verdict === undefined || verdict.state === "run" ? null : verdict.reason;
    assert.match(reason?.message ?? "", /the values "a" and "b" must be given by the user/);
    assert.match(reason?.hint ?? "", /Set the variables "HOTPLUG_INPUT_A" and "HOTPLUG_INPUT_B"/);
  }));

Deno.test("variables that are inherited by name are shown before an approval, and part of it [H01]", () =>
  inPlace(async (place) => {
    const config = { command: "true", inheritEnv: ["AWS_PROFILE", "TOKEN"] };
    const pending = await pendingOf(place, one(place, config));
    assert.deepEqual(pending[0]?.settings, ["inheritEnv: AWS_PROFILE, TOKEN"]);
    assert.deepEqual(pending[0]?.variables, ["AWS_PROFILE", "TOKEN"]);
    await approve(place.folders, place.repo, pending);
    assert.equal(await stateOf(place, one(place, config)), "run");
    const more = { ...config, inheritEnv: [...config.inheritEnv, "MORE"] };
    assert.equal(await stateOf(place, one(place, more)), "untrusted");
  }));
