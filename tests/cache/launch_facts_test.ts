import assert from "node:assert/strict";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { type LaunchFacts, launchFacts, type LaunchInput } from "../../src/cache/launch_facts.ts";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { SourceInfo } from "../../src/model/source.ts";

const SOURCE: SourceInfo = {
  id: "store",
  label: "Store",
  scope: "user",
  path: "/nowhere/mcp.json",
  line: null,
  rank: 100,
  dialect: "hotplug",
  environment: "base",
  store: true,
};

async function withInput(
  config: ServerConfig,
  action: (input: LaunchInput, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const bin = join(folder, "bin");
    await mkdir(bin);
    await writeFile(join(bin, "server"), "#!/bin/sh\n");
    await chmod(join(bin, "server"), 0o700);
    await mkdir(join(folder, "home"));
    await action({
      name: "srv",
      config,
      source: SOURCE,
      machine: {
        platform: "linux",
        env: { PATH: bin, HOME: join(folder, "home"), KEY: "sesame-sesame" },
        home: join(folder, "home"),
        tmp: folder,
        cwd: folder,
        uid: null,
      },
      folders: { config: folder, state: join(folder, "state"), cache: folder, runtime: folder },
      workspacePath: join(folder, "work"),
    }, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function factsOf(input: LaunchInput): Promise<LaunchFacts> {
  const result = await launchFacts(input);
  if (!result.ok) assert.fail(JSON.stringify(result.problems));
  return result.facts;
}

Deno.test("the facts hold what a process would get", () =>
  withInput(
    { command: "server", args: ["--key", "${KEY}"], env: { API_KEY: "${KEY}" } },
    async (input, folder) => {
      const facts = await factsOf(input);
      assert.deepEqual(facts.config.args, ["--key", "sesame-sesame"]);
      assert.equal(facts.environment["API_KEY"], "sesame-sesame");
      assert.equal(facts.program?.path, join(folder, "bin", "server"));
      assert.match(facts.fingerprint, /^[0-9a-f]{64}$/);
      assert.ok(facts.secrets.includes("sesame-sesame"));
      assert.equal((await factsOf(input)).fingerprint, facts.fingerprint);
    },
  ));

Deno.test("declared capabilities change the fingerprint, none are the default", () =>
  withInput({ command: "server" }, async (input) => {
    const none = await factsOf(input);
    assert.equal((await factsOf({ ...input, capabilities: {} })).fingerprint, none.fingerprint);
    const roots = await factsOf({ ...input, capabilities: { roots: {} } });
    assert.notEqual(roots.fingerprint, none.fingerprint);
  }));

Deno.test("a missing variable is a problem and nothing is looked up", () =>
  withInput({ command: "server", args: ["${NOT_THERE}"] }, async (input, folder) => {
    const result = await launchFacts(input);
    assert.equal(result.ok, false);
    assert.match(result.ok ? "" : result.problems[0]?.message ?? "", /NOT_THERE/);
    assert.deepEqual((await readdir(folder)).sort(), ["bin", "home"]);
  }));

Deno.test("commands of values are told, not run", () =>
  withInput({ command: "server", env: { T: "!touch ran" } }, async (input, folder) => {
    const facts = await factsOf({ ...input, config: { ...input.config, cwd: folder } });
    assert.deepEqual(facts.commands, [{ field: "env", key: "T", command: "touch ran" }]);
    assert.equal(facts.environment["T"], undefined);
    assert.ok(!(await readdir(folder)).includes("ran"));
    const other = { ...input.config, cwd: folder, env: { T: "!touch other" } };
    assert.notEqual((await factsOf({ ...input, config: other })).fingerprint, facts.fingerprint);
  }));

Deno.test("a program that is not found is no problem yet", () =>
  withInput({ command: "no-such-program" }, async (input, folder) => {
    const { program } = await factsOf(input);
    assert.equal(program?.path, null);
    assert.deepEqual(program?.searched, [join(folder, "bin")]);
  }));

Deno.test("variables of an envFile stand below the definition's own", () =>
  withInput({ command: "server", env: { B: "own" } }, async (input, folder) => {
    const envFile = join(folder, "vars");
    await writeFile(envFile, "A=file\nB=file\n");
    const { environment } = await factsOf({ ...input, config: { ...input.config, envFile } });
    assert.deepEqual([environment["A"], environment["B"]], ["file", "own"]);
  }));

Deno.test("an envFile that is not there is a problem that names it", () =>
  withInput({ command: "server", envFile: "/nowhere/vars" }, async (input) => {
    const result = await launchFacts(input);
    assert.equal(result.ok, false);
    const [problem] = result.ok ? [] : result.problems;
    assert.equal(problem?.code, "config-unreadable");
    assert.match(problem?.message ?? "", /"srv".*"\/nowhere\/vars"/);
  }));

Deno.test("without a working folder a file's server runs at home, a host's in the workspace", () =>
  withInput({ command: "server" }, async (input) => {
    assert.equal((await factsOf(input)).cwd, input.machine.home);
    assert.equal((await factsOf({ ...input, source: undefined })).cwd, input.workspacePath);
  }));

Deno.test("a remote server has neither program nor environment", () =>
  withInput(
    { url: "https://x.org/mcp", headers: { Authorization: "Bearer ${KEY}" } },
    async (input) => {
      const facts = await factsOf(input);
      assert.equal(facts.program, null);
      assert.deepEqual(facts.environment, {});
      assert.deepEqual(facts.config.headers, { Authorization: "Bearer sesame-sesame" });
    },
  ));

Deno.test("a variable that is inherited by name changes the fingerprint, whatever it tells of", () =>
  withInput({ command: "server" }, async (input) => {
    const named = { ...input, config: { ...input.config, inheritEnv: ["SSH_AGENT", "KEY"] } };
    const at = (more: Readonly<Record<string, string>>, from: LaunchInput): LaunchInput => ({
      ...from,
      machine: { ...from.machine, env: { ...from.machine.env, ...more } },
    });
    const prints = await Promise.all(
      [at({}, named), at({ SSH_AGENT: "1" }, named), at({ KEY: "other" }, named)].map(factsOf),
    );
    assert.equal(new Set(prints.map(({ fingerprint }) => fingerprint)).size, 3);
    assert.equal(prints[0]?.environment["KEY"], "sesame-sesame");
    const plain = await factsOf(input);
    const same = await factsOf(at({ SSH_AGENT: "1", KEY: "other" }, input));
    assert.equal(same.fingerprint, plain.fingerprint);
  }));

Deno.test("the content of a file that a placeholder names is used, masked and in the fingerprint", () =>
  withInput({ command: "server", args: ["--name", "{file:key}"] }, async (input, folder) => {
    const path = join(folder, "host", "config.json");
    const own = { ...input, source: { ...SOURCE, path, dialect: "env-braces" as const } };
    const [absent] = await launchFacts(own).then((result) => result.ok ? [] : result.problems);
    assert.match(absent?.message ?? "", /^Cannot expand "args\[1\]": the file ".*\/host\/key"/);
    await mkdir(join(folder, "host"));
    await writeFile(join(folder, "host", "key"), "first-content\n");
    const first = await factsOf(own);
    assert.deepEqual(first.config.args, ["--name", "first-content"]);
    assert.ok(first.secrets.includes("first-content"));
    await writeFile(join(folder, "host", "key"), "other-content\n");
    assert.notEqual((await factsOf(own)).fingerprint, first.fingerprint);
  }));
