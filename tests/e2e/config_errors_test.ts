import assert from "node:assert/strict";
import type { SourcesDocument } from "../../src/cli/documents.ts";
import { e2e, row, states, succeeded, type World } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";

/** State and error of the project's `.mcp.json` among the sources. */
async function projectFile(world: World): Promise<SourcesDocument["sources"][number]> {
  const run = succeeded(await world.mcp(["sources", "--json"]));
  const { sources } = run.json<SourcesDocument>();
  const found = sources.find(({ path }) => path === `${world.project}/.mcp.json`);
  assert.ok(found !== undefined, run.stdout);
  return found;
}

/** An entry of the trap as JSON text. */
function entry(): string {
  return JSON.stringify(trap("good"));
}

const ODD_BUT_READ = {
  "comments and trailing commas [A01] [A02]":
    `{ // servers\n "mcpServers": { /* one */ "it": ENTRY, },}\n`,
  "a byte order mark [A03]": `\ufeff{"mcpServers":{"it":ENTRY}}`,
  "Windows line ends [A29]": `{\r\n"mcpServers":\r\n{"it":ENTRY}\r\n}\r\n`,
};

for (const [what, text] of Object.entries(ODD_BUT_READ)) {
  e2e(`a config file with ${what} is read`, async (world) => {
    await world.write("home/.claude.json", text.replace("ENTRY", entry()));
    assert.equal(row(await world.status(), "it").state, "connected");
  });
}

e2e("a file in UTF-16 is read or named, never taken as empty [A03]", async (world) => {
  const text = `\ufeff{"mcpServers":{"it":${entry()}}}`;
  const units = Uint16Array.from(text, (character) => character.charCodeAt(0));
  await Deno.writeFile(`${world.project}/.mcp.json`, new Uint8Array(units.buffer));
  const { state, error, warnings } = await projectFile(world);
  assert.ok(state === "loaded" || state === "malformed", state);
  assert.match(JSON.stringify([error, warnings]), /UTF-16/);
});

e2e("one bad entry is a row with its reason, its siblings live [A05] [I09]", async (world) => {
  await world.userServers({
    fine: trap("good"),
    bare: { args: ["x.py"] },
    urlless: { type: "sse" },
    words: { command: "deno", args: "run -A server.ts" },
    odd: { type: "carrier-pigeon", url: "http://127.0.0.1:9/" },
    list: [],
    number: 7,
  });
  const document = await world.status();
  const shown = states(document);
  assert.equal(shown["fine"], "connected");
  for (const name of ["bare", "urlless", "words", "odd", "list", "number"]) {
    assert.equal(shown[name], "error", name);
    assert.equal(row(document, name).error?.code, "config-invalid", name);
  }
  assert.match(row(document, "urlless").error?.message ?? "", /sse transport requires url/);
});

e2e("a broken file is malformed with line and column, not absent [A10]", async (world) => {
  await world.write("project/.mcp.json", `{\n  "mcpServers": {\n    "a": ]\n`);
  const { state, error } = await projectFile(world);
  assert.equal(state, "malformed");
  assert.match(error?.message ?? "", /\b3\b/);
});

e2e(
  "absent, empty, unreadable and malformed are four different things [A10] [A43]",
  async (world) => {
    assert.equal((await projectFile(world)).state, "absent");
    await world.write("project/.mcp.json", "");
    assert.equal((await projectFile(world)).state, "empty");
    await Deno.remove(`${world.project}/.mcp.json`);
    await Deno.mkdir(`${world.project}/.mcp.json`);
    assert.equal((await projectFile(world)).state, "unreadable");
    await Deno.remove(`${world.project}/.mcp.json`);
    await world.write("project/.mcp.json", "{{");
    assert.equal((await projectFile(world)).state, "malformed");
  },
);

e2e("a link that leads to itself is unreadable, and no more [A42]", async (world) => {
  await world.userServers({ fine: trap("good") });
  await Deno.symlink(`${world.project}/b`, `${world.project}/.mcp.json`);
  await Deno.symlink(`${world.project}/.mcp.json`, `${world.project}/b`);
  assert.equal((await projectFile(world)).state, "unreadable");
  assert.equal(row(await world.status(), "fine").state, "connected");
});

e2e("a wrong top-level key is hinted at, not passed over [A07] [A08] [A39]", async (world) => {
  for (const document of [{ servers: { a: trap("good") } }, { a: trap("good") }]) {
    await world.write("project/.mcp.json", document);
    const file = await projectFile(world);
    assert.match(JSON.stringify([file.error, file.warnings]), /mcpServers/);
  }
  await world.write("project/.mcp.json", { mcpServers: [{ notion: { command: "npx" } }] });
  assert.match(JSON.stringify(await projectFile(world)), /mcpServers/);
});

e2e("numbers and booleans in env are text, lists are that server's error [A11]", async (world) => {
  const dump = trap("env-dump");
  await world.userServers({
    it: { ...dump, env: { ...dump.env, PORT: 5432, DEBUG: true } },
    bad: { ...dump, env: { LIST: ["a"] } },
  });
  assert.equal(row(await world.status(), "bad").state, "error");
  const env = JSON.parse(await world.callText("it", "env")) as Record<string, string>;
  assert.deepEqual([env["PORT"], env["DEBUG"]], ["5432", "true"]);
});

e2e("other hosts' spellings are understood, unknown keys named [A12] [A13]", async (world) => {
  const { command, args, env } = trap("good");
  await world.userServers({
    it: { cmd: command, args, environment: env, transport: "STDIO", startuptimeout: 5 },
  });
  const it = row(await world.status(), "it");
  assert.equal(it.state, "connected", JSON.stringify(it.error));
  assert.match(it.warnings.join("\n"), /startuptimeout.*startupTimeout/i);
});

e2e("variables are expanded in every field, and a default is used [A15] [A16]", async (world) => {
  const { command, args, env } = trap("env-dump", "${WHO}", "${PORT:-8080}");
  await world.userServers({ it: { command, args, env: { ...env, TOKEN: "${TOKEN_OF_USER}" } } });
  const run = (tool: string): ReturnType<World["mcp"]> =>
    world.mcp(["call", "it", tool], { env: { WHO: "me", TOKEN_OF_USER: "t-1" } });
  assert.deepEqual(JSON.parse((await run("argv")).stdout), ["env-dump", "me", "8080"]);
  assert.equal(JSON.parse((await run("env")).stdout).TOKEN, "t-1");
});

e2e("a missing variable is that server's error, named, and nothing starts [A16]", async (world) => {
  const mark = `${world.root}/ran`;
  const { command, args, env } = trap("marker", mark);
  await world.userServers({
    it: { command, args, env: { ...env, K: "${NOPE}" } },
    ok: trap("good"),
  });
  const document = await world.status();
  assert.equal(row(document, "it").error?.code, "missing-variable");
  assert.match(row(document, "it").error?.message ?? "", /NOPE/);
  assert.equal(row(document, "ok").state, "connected");
  await assert.rejects(() => Deno.stat(mark), Deno.errors.NotFound);
});

e2e("a working folder that is not there is named, not the program [A20] [A21]", async (world) => {
  await world.userServers({ it: { ...trap("good"), cwd: `${world.root}/nowhere` } });
  const { error } = row(await world.status(), "it");
  assert.match(error?.message ?? "", /nowhere/);
  assert.match(error?.message ?? "", /folder|cwd/i);
});

e2e("a leading ~ in cwd is the home folder [A20]", async (world) => {
  await Deno.mkdir(`${world.home}/tools`);
  await world.userServers({ it: { ...trap("env-dump"), cwd: "~/tools" } });
  assert.equal(await world.callText("it", "cwd"), `${world.home}/tools`);
});

e2e("a whole command line as command is hinted at [A37]", async (world) => {
  await world.userServers({ it: { command: "npx -y some-mcp /tmp", args: [] } });
  const { error } = row(await world.status(), "it");
  assert.match(error?.hint ?? "", /args/);
});

e2e("from a folder below, the nearest project file up to the root is used [A41]", async (world) => {
  await world.projectServers({ outer: trap("good"), both: trap("good", "outer") });
  await world.write("project/sub/.mcp.json", { mcpServers: { both: trap("good", "inner") } });
  const sub = `${world.project}/sub`;
  const run = succeeded(await world.mcp(["status", "--json", "--cached"], { cwd: sub }));
  const document = run.json<Awaited<ReturnType<World["status"]>>>();
  assert.equal(document.workspacePath, world.project);
  assert.equal(row(document, "both").source?.path, `${sub}/.mcp.json`);
  assert.equal(row(document, "both").others.length, 1);
  assert.equal(row(document, "outer").source?.path, `${world.project}/.mcp.json`);
});

e2e("a worktree, whose .git is a file, is a workspace of its own [A41]", async (world) => {
  await world.write("tree/.git", "gitdir: /elsewhere\n");
  await world.write("tree/.mcp.json", { mcpServers: { it: trap("good") } });
  await world.write("tree/sub/file", "");
  const run = await world.mcp(["status", "--json", "--cached"], { cwd: `${world.root}/tree/sub` });
  assert.equal(run.json<{ workspacePath: string }>().workspacePath, `${world.root}/tree`);
});

e2e("a near-miss name is reported [A45]", async (world) => {
  await world.write("project/.cursor/mcp.config.json", { mcpServers: {} });
  await world.write("project/mcp.json", { mcpServers: { it: trap("good") } });
  const { sources } = succeeded(await world.mcp(["sources", "--json"])).json<SourcesDocument>();
  assert.ok(sources.some(({ path }) => path === `${world.project}/mcp.json`));
});

e2e("two definitions of a name: the stronger wins, the other is shown [A24]", async (world) => {
  await world.write("home/.claude.json", {
    mcpServers: { it: trap("good", "user") },
    projects: { [world.project]: { mcpServers: { it: trap("good", "local") } } },
  });
  const it = row(await world.status(), "it");
  assert.deepEqual([it.source?.scope, it.server?.name], ["local", "local"]);
  assert.deepEqual(it.others.map(({ state, source }) => [state, source.scope]), [[
    "shadowed",
    "user",
  ]]);
});

e2e("a host's state file of megabytes is read at once [A44]", async (world) => {
  const projects = Object.fromEntries(
    Array.from({ length: 120 }, (_, n) => [`/p/${n}`, { history: ["x".repeat(20_000)] }]),
  );
  await world.write("home/.claude.json", { mcpServers: { it: trap("good") }, projects });
  const run = succeeded(await world.mcp(["status", "--json", "--cached"]));
  assert.ok(run.elapsedMs < 2_000, `took ${run.elapsedMs} ms`);
});

e2e("prototype names are names", async (world) => {
  const text = `{"mcpServers": {"__proto__": ${entry()}, "constructor": ${entry()}}}`;
  await world.write("home/.claude.json", text);
  const document = await world.status();
  assert.equal(row(document, "__proto__").state, "connected");
  assert.equal(row(document, "constructor").state, "duplicate");
});
