import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { EditDocument, ErrorDocument, ExplainDocument } from "../../src/cli/documents.ts";
import { e2e, row, states, succeeded, toolNames, type World } from "../harness/e2e.ts";
import { npmServer, type ServerCommand } from "../harness/servers.ts";

/** The words of `mcp add` for a server that a config file would start. */
function added(name: string, server: ServerCommand): readonly string[] {
  const env = Object.entries(server.env).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
  return ["add", name, ...env, "--", server.command, ...server.args];
}

/** The text of Hotplug's store. */
function store({ config }: World): Promise<string> {
  return readFile(join(config, "mcp.json"), "utf8");
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(() => true, () => false);
}

e2e(
  "a real server is added, enabled, connected, called, disabled and removed again",
  async (world) => {
    const add = succeeded(await world.mcp(added("everything", npmServer("everything"))));
    assert.match(add.stdout, /^everything: added \(.*mcp\.json\)\n/);
    assert.match(add.stdout, /now: disabled from Hotplug store/);
    assert.match(add.stdout, /hint: To use it here: mcp enable everything/);
    assert.equal(row(await world.status(), "everything").state, "disabled");
    const enable = succeeded(await world.mcp(["enable", "everything"]));
    assert.match(
      enable.stdout,
      /^everything: enabled \(\.hotplug\/workspace\.json\)\n {2}now: runs here/,
    );
    const connected = row(await world.status("--wait", "30s"), "everything");
    assert.deepEqual([connected.state, connected.server?.name], [
      "connected",
      "mcp-servers/everything",
    ]);
    assert.ok(toolNames(await world.tools(), "everything").includes("echo"));
    assert.match(await world.callText("everything", "echo", "message=hi"), /hi/);
    succeeded(await world.mcp(["disable", "everything"]));
    assert.equal(row(await world.status(), "everything").state, "disabled");
    const remove = succeeded(await world.mcp(["remove", "everything"]));
    assert.match(
      remove.stdout,
      /everything: removed .*\n {2}nothing is defined as everything any more/,
    );
    assert.deepEqual(states(await world.status()), {});
  },
);

e2e("Claude's form, --url and --header are written as they are meant", async (world) => {
  const url = "https://h.example/mcp";
  for (
    const args of [
      ["--transport", "http", "claude", url, "--header", "Authorization: Bearer ${TOKEN}"],
      ["-t", "sse", "old", url],
      ["--url", url, "plain"],
      ["--transport", "stdio", "--env", "A=1", "local", "--", "npx", "-y", "--flag", "x"],
      ["folder", "--cwd", "/tmp", "--", "npx"],
    ]
  ) succeeded(await world.mcp(["add", ...args]));
  assert.deepEqual(JSON.parse(await store(world)).mcpServers, {
    claude: { type: "http", url, headers: { Authorization: "Bearer ${TOKEN}" } },
    old: { type: "sse", url },
    plain: { url },
    local: { command: "npx", args: ["-y", "--flag", "x"], env: { A: "1" } },
    folder: { command: "npx", cwd: "/tmp" },
  });
  assert.equal((await stat(join(world.config, "mcp.json"))).mode & 0o777, 0o600);
});

e2e("a folder is stored as the one that it is here, a placeholder as it is", async (world) => {
  for (
    const [name, cwd] of [["rel", "./tools"], ["home", "~/x"], ["var", "${workspaceFolder}/x"]]
  ) {
    succeeded(await world.mcp(["add", name ?? "", "--cwd", cwd ?? "", "--", "npx"]));
  }
  const { rel, home, var: variable } = JSON.parse(await store(world)).mcpServers;
  assert.deepEqual([rel.cwd, home.cwd, variable.cwd], [
    join(world.project, "tools"),
    "~/x",
    "${workspaceFolder}/x",
  ]);
});

e2e("help says which file a removal and an import mean", async (world) => {
  const help = async (command: string): Promise<string> =>
    succeeded(await world.mcp([command, "--help"])).stdout;
  const remove = await help("remove");
  assert.doesNotMatch(remove, /default: store/);
  assert.match(remove, /Whose file \[default: that of the definition which stands here\]/);
  const copy = await help("import");
  assert.match(copy, /Whose file to write to/);
  assert.match(copy, /Agent into whose file to write/);
});

e2e("--dry-run shows a masked diff and writes nothing at all", async (world) => {
  const add = [
    "add",
    "x",
    "--env",
    "TOKEN=s3cr3tvalue",
    "--enable",
    "--",
    "npx",
    "--key=s3cr3targ",
  ];
  const run = succeeded(await world.mcp([...add.slice(0, 1), "--dry-run", ...add.slice(1)]));
  assert.match(run.stdout, /^x: would be added/);
  assert.match(run.stdout, /\n\+ +"TOKEN": "\*\*\*"\n/);
  assert.match(run.stdout, /\n\+ +"enabledMcpServers": \["x"\]\n/);
  assert.match(run.stdout, /Nothing was written \(--dry-run\)\.\n$/);
  const json = succeeded(
    await world.mcp([...add.slice(0, 1), "--dry-run", "--json", ...add.slice(1)]),
  );
  const document = json.json<EditDocument>();
  assert.deepEqual(
    [document.dryRun, document.effective, document.files.map(({ created }) => created)],
    [true, [], [true, true]],
  );
  assert.doesNotMatch(run.stdout + json.stdout, /s3cr3t/);
  for (const path of [world.config, join(world.project, ".hotplug")]) {
    assert.equal(await isThere(path), false, path);
  }
});

e2e("--json tells each server, each file, and what became effective", async (world) => {
  const run = succeeded(await world.mcp(["add", "--json", "x", "--enable", "--", "npx", "s3cr3t"]));
  const document = run.json<EditDocument>();
  assert.deepEqual(document.servers.map(({ name, done, error }) => [name, done, error]), [
    ["x", "added", null],
  ]);
  assert.deepEqual(document.files, [
    { path: join(world.config, "mcp.json"), created: true, diff: null },
    { path: join(world.project, ".hotplug", "workspace.json"), created: true, diff: null },
  ]);
  assert.equal(document.effective[0]?.state, "run");
});

e2e(
  "every file that was changed is named, also beside the one that defines the server",
  async (world) => {
    const add = ["add", "x", "--enable"];
    const dry = succeeded(await world.mcp([...add, "--dry-run", "--", "npx"]));
    assert.match(dry.stdout, /^would also be changed: \.hotplug\/workspace\.json$/m);
    const run = succeeded(await world.mcp([...add, "--", "npx"]));
    assert.match(run.stdout, /^x: added \(.*mcp\.json\)$/m);
    assert.match(run.stdout, /^also changed: \.hotplug\/workspace\.json$/m);
    const again = succeeded(await world.mcp([...add, "--", "npx"]));
    assert.doesNotMatch(again.stdout, /also changed/);
  },
);

e2e("edits exit with 0 when done, 1 when refused, 2 for words that mean nothing", async (world) => {
  const broken = '{ "mcpServers": { "x": ';
  await world.userServers({ off: { type: "stdio", command: "a", enabled: false } });
  await world.storeServers({ taken: { command: "a" } });
  await world.write("home/.cursor/mcp.json", broken);
  const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
    [["add", "taken", "--", "b"], 1, /--replace/],
    [["add", "taken", "--replace", "--", "b"], 0, /replaced/],
    [["add", "taken", "--replace", "--", "b"], 0, /unchanged/],
    [["add", "x", "--url", "ftp://h"], 1, /http or https/],
    [["add"], 2, /stdin is empty[\s\S]*mcp add <name> -- <command>[\s\S]*mcp add - </],
    [["add", "-"], 2, /stdin is empty/],
    [["add", "a b", "--", "b"], 1, /white space/],
    [["add", "x"], 2, /command or url/],
    [["add", "x", "npx", "-y"], 2, /-y/],
    [["add", "--", "npx", "-y", "x"], 2, /command is an option/],
    [["add", "x", "--host", "cursr", "--", "b"], 2, /Did you mean "cursor"/],
    [["add", "x", "--host", "windsurf", "--scope", "project", "--", "b"], 2, /--scope user/],
    [["add", "x", "--host", "cursor", "--enable", "--", "b"], 2, /on already/],
    [["add", "x", "--host", "cursor", "--", "b"], 1, /line 1/],
    [["add", "--cwd", "/x", "-"], 2, /further settings/],
    [["enable", "of"], 2, /Did you mean "off"/],
    [["enable", "off"], 1, /mcp enable --in-place off/],
    [["enable", "--in-place", "off"], 0, /enabled/],
    [["remove", "nothing"], 2, /mcp status/],
    [["remove", "taken", "--host", "cursor"], 2, /It is defined in/],
    [["import", "cursr"], 2, /cursor/],
    [["import", "zed"], 2, /it defines no server here/],
    [["export", "taken"], 2, /--to/],
    [["export", "--to", "zed", "nothing"], 2, /mcp status/],
    [["explain", "takn"], 2, /Did you mean "taken"/],
    [["explain", "taken"], 0, /disabled/],
  ];
  for (const [args, code, said] of cases) {
    const run = await world.mcp(args, { stdin: "" });
    assert.equal(run.code, code, `${args.join(" ")}: ${run.stdout}${run.stderr}`);
    assert.match(run.stdout + run.stderr, said, args.join(" "));
  }
  assert.equal(await readFile(join(world.home, ".cursor", "mcp.json"), "utf8"), broken);
  const failed = await world.mcp(["remove", "--json", "nothing"]);
  assert.equal(failed.json<ErrorDocument>().error.code, "unknown-server");
});

e2e("a repository's link out of it is not written through [A43]", async (world) => {
  await world.storeServers({ db: { command: "a" } });
  const victim = await world.write("home/.bashrc.json", '{ "mine": true }\n');
  await Deno.mkdir(join(world.project, ".hotplug"));
  await Deno.symlink(victim, join(world.project, ".hotplug", "workspace.json"));
  const run = await world.mcp(["enable", "db"]);
  assert.equal(run.code, 1);
  assert.match(run.stderr, /leads out of this repository/);
  assert.equal(await readFile(victim, "utf8"), '{ "mine": true }\n');
});

e2e("servers go from one agent to the store, and from there to another", async (world) => {
  await world.write("home/.cursor/mcp.json", {
    mcpServers: { db: { command: "npx", args: ["db"], env: { DB_TOKEN: "${env:DB_TOKEN}" } } },
  });
  const env = { DB_TOKEN: "s3cr3tvalue" };
  const imported = succeeded(await world.mcp(["import", "cursor", "--enable"], { env }));
  assert.match(imported.stdout, /db: added/);
  const exported = succeeded(await world.mcp(["export", "--to", "codex", "db"], { env }));
  assert.match(exported.stdout, /db: added \(~\/\.codex\/config\.toml\)/);
  const toml = await readFile(join(world.home, ".codex", "config.toml"), "utf8");
  assert.match(toml, /\[mcp_servers\.db\]/);
  assert.doesNotMatch(toml + await store(world), /s3cr3tvalue/);
});

e2e(
  "explain shows the definitions, the rule and the line that would start, masked",
  async (world) => {
    await world.userServers({
      db: { type: "stdio", command: "npx", args: ["db", "--token", "${DB_TOKEN}"] },
    });
    await world.projectServers({ db: { command: "theirs" } });
    const env = { DB_TOKEN: "s3cr3tvalue" };
    const text = succeeded(await world.mcp(["explain", "db"], { env }));
    assert.match(text.stdout, /^db: runs here\n/);
    assert.match(text.stdout, /\* db from Claude Code/);
    assert.match(text.stdout, /expanded npx db --token \*\*\*/);
    assert.match(text.stdout, /FAIL approval: The repository declares it/);
    const { definitions, next, server } = succeeded(
      await world.mcp(["explain", "--json", "db"], { env }),
    ).json<ExplainDocument>();
    assert.deepEqual([definitions.length, next, server.state], [2, null, "disconnected"]);
    assert.doesNotMatch(text.stdout + JSON.stringify(definitions), /s3cr3tvalue/);
  },
);
