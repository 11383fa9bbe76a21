import assert from "node:assert/strict";
import { join } from "node:path";
import { geminiCli } from "../../src/sources/gemini_cli.ts";
import { isEnabledIn } from "../../src/sources/gemini_extension_rules.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const EXTENSIONS = "home/.gemini/extensions";
const FILE = "home/.gemini/settings.json";
const PROJECT = "home/work/project/.gemini/settings.json";

/** What is read, as pairs of the file's folder and what is started. */
async function commands(machine: TempMachine, cwd?: string): Promise<readonly unknown[]> {
  const reading = await machine.read(geminiCli, cwd === undefined ? {} : { cwd });
  return reading.definitions.map(({ config }) => [config.command, config.enabled ?? true]);
}

Deno.test("an installed extension brings its servers, its folders in their texts", async () => {
  await using machine = await TempMachine.create();
  const path = await machine.write(`${EXTENSIONS}/docs/gemini-extension.json`, {
    name: "docs",
    version: "1.0.0",
    excludeTools: ["run_shell_command"],
    mcpServers: {
      docs: {
        command: "node",
        args: ["${extensionPath}${/}dist${pathSeparator}server.js", "--in=${workspacePath}"],
        cwd: "${extensionPath}",
        env: { TOKEN: "${DOCS_TOKEN}" },
        trust: true,
      },
      remote: { httpUrl: "https://a.example/mcp" },
    },
  });
  await machine.write(`${EXTENSIONS}/docs/.env`, "DOCS_TOKEN=x");
  await machine.write(`${EXTENSIONS}/theme/gemini-extension.json`, { name: "theme" });
  const reading = await machine.read(geminiCli);
  const folder = join(machine.home, ".gemini/extensions/docs");
  const { config, source, warnings } = only(reading, "docs");
  assert.deepEqual(config, {
    type: "stdio",
    command: "node",
    args: [`${folder}/dist/server.js`, `--in=${machine.workspace}`],
    cwd: folder,
    env: { TOKEN: "${DOCS_TOKEN}" },
    envFile: `${folder}/.env`,
  });
  assert.deepEqual([source.path, source.scope, source.rank, warnings], [path, "user", 60, []]);
  assert.equal(only(reading, "remote").config.envFile, undefined);
  assert.equal(report(reading, "theme/gemini-extension.json").error, null);
  const windows = await machine.read(geminiCli, { platform: "win32" });
  assert.match(only(windows, "docs").config.args?.[0] ?? "", /docs\\dist\\server\.js$/);
});

Deno.test("a linked extension lies elsewhere", async () => {
  await using machine = await TempMachine.create();
  const source = join(machine.root, "src");
  await machine.write("src/gemini-extension.json", {
    name: "dev",
    mcpServers: { dev: { command: "${extensionPath}/run" } },
  });
  await machine.write(`${EXTENSIONS}/dev/.gemini-extension-install.json`, { type: "link", source });
  assert.deepEqual(await commands(machine), [[`${source}/run`, true]]);
});

Deno.test("an extension that is off for this folder is shown and off", async () => {
  await using machine = await TempMachine.create();
  await machine.write(`${EXTENSIONS}/a/gemini-extension.json`, {
    name: "docs",
    mcpServers: { docs: { command: "a" } },
  });
  await machine.write(`${EXTENSIONS}/extension-enablement.json`, {
    docs: { overrides: [`!${machine.home}/*`, `${machine.workspace}/sub/*`] },
  });
  assert.deepEqual(await commands(machine), [["a", false]]);
  await machine.write("home/work/project/sub/x", "");
  assert.deepEqual(await commands(machine, "sub"), [["a", true]]);
  const reading = await machine.read(geminiCli);
  assert.deepEqual(only(reading, "docs").switchedOffBy, [{
    list: "docs",
    path: join(machine.root, EXTENSIONS, "extension-enablement.json"),
    remedy: 'Switch the extension "docs" on in Gemini CLI',
  }]);
  assert.equal(report(reading, "/extensions").state, "loaded");
  assert.equal(report(reading, "extension-enablement.json").state, "loaded");
});

Deno.test("rules of extensions that cannot be parsed are told, with what counts until then", async () => {
  await using machine = await TempMachine.create();
  assert.equal(report(await machine.read(geminiCli), "/extensions").state, "absent");
  await machine.write(`${EXTENSIONS}/a/gemini-extension.json`, { name: "docs" });
  await machine.write(`${EXTENSIONS}/extension-enablement.json`, "{");
  const { state, error } = report(await machine.read(geminiCli), "extension-enablement.json");
  assert.equal(state, "malformed");
  assert.match(error?.hint ?? "", /what it switches off is on/);
});

Deno.test("the last rule that fits a folder counts", () => {
  const on = (overrides: readonly string[], folder = "/home/me/work"): boolean =>
    isEnabledIn({ overrides }, folder);
  assert.equal(isEnabledIn(undefined, "/a"), true);
  assert.equal(on([]), true);
  assert.equal(on(["!/home/me/*"]), false);
  assert.equal(on(["!/home/me/work/*"]), false);
  assert.equal(on(["!/home/me/wor/*"]), true);
  assert.equal(on(["!/home/me/"]), true);
  assert.equal(on(["!/home/me/work/"]), false);
  assert.equal(on(["!/*", "/home/me/work/"]), true);
  assert.equal(on(["/home/me/work/", "!/*"]), false);
  assert.equal(on(["!/home/*/work/"]), false);
  assert.equal(on(["!/home/*/other/*"]), true);
  assert.equal(on(["!/C:/Users/me/*"], "C:\\Users\\me\\work"), false);
});

Deno.test("settings change the server of an extension: excludes are united", async () => {
  await using machine = await TempMachine.create();
  await machine.write(`${EXTENSIONS}/x/gemini-extension.json`, {
    name: "x",
    mcpServers: {
      gh: {
        command: "gh-mcp",
        env: { TOKEN: "$SECRET", LEVEL: "1" },
        includeTools: ["a", "b", "c"],
        excludeTools: ["x"],
      },
    },
  });
  await machine.write(FILE, {
    mcpServers: { gh: { includeTools: ["b", "z"], excludeTools: ["y"], env: { LEVEL: "2" } } },
  });
  const [user] = (await machine.read(geminiCli)).definitions;
  assert.deepEqual([user?.source.path, user?.problems], [join(machine.root, FILE), []]);
  assert.deepEqual(user?.config, {
    type: "stdio",
    command: "gh-mcp",
    env: { TOKEN: "$SECRET", LEVEL: "2" },
    enabledTools: ["b"],
    disabledTools: ["x", "y"],
  });
  await machine.write(PROJECT, { mcpServers: { gh: { command: "other", excludeTools: ["p"] } } });
  const [project] = (await machine.read(geminiCli)).definitions;
  assert.deepEqual(project?.config, {
    type: "stdio",
    command: "other",
    enabledTools: ["a", "b", "c"],
    disabledTools: ["x", "p"],
  });
});

Deno.test("a broken manifest costs its extension alone [A05] [A10]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(`${EXTENSIONS}/bad/gemini-extension.json`, '{\n"name": }');
  await machine.write(`${EXTENSIONS}/good/gemini-extension.json`, {
    name: "good",
    mcpServers: { good: { command: "a" } },
  });
  await machine.write(FILE, { mcpServers: { own: { command: "b" } } });
  const reading = await machine.read(geminiCli);
  assert.deepEqual(reading.definitions.map(({ name }) => name), ["own", "good"]);
  assert.match(
    report(reading, "bad/gemini-extension.json").error?.message ?? "",
    /line 2, column 9/,
  );
});

Deno.test("an extension in the project's folder is a near miss [A45]", async () => {
  await using machine = await TempMachine.create();
  const path = "home/work/project/.gemini/extensions/x/gemini-extension.json";
  await machine.write(path, { name: "x", mcpServers: { x: { command: "a" } } });
  const reading = await machine.read(geminiCli);
  assert.equal(report(reading, path).state, "near-miss");
  assert.deepEqual(reading.definitions, []);
});
