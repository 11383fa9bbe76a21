import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ErrorDocument, SourcesDocument, StatusDocument } from "../../src/cli/documents.ts";
import { inPlace } from "./in_memory.ts";

/** A project with a server that waits, one that is off and one that is wrong. */
const PROJECT = `{
  // what this project uses
  "mcpServers": {
    "waits": { "command": "node", "args": ["server.mjs", "--token", "s3cr3t-t0ken"],
      "env": { "API_KEY": "\${API_KEY}", "PASSWORD": "s3cr3t-passw0rd" } },
    "off": { "command": "node", "disabled": true },
    "wrong": { "args": ["x"] }
  }
}
`;

Deno.test("mistakes on the command line end with 2, a suggestion and where to read on", async () => {
  await inPlace(async ({ run }) => {
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [
        ["statsu"],
        /^Error: Cannot run "statsu": there is no such command; did you mean "status"\?\n {2}hint: See "mcp --help"\n$/,
      ],
      [["list"], /there is no such command; did you mean "status"\?/],
      [["version"], /there is no such command; did you mean --version\?/],
      [["frobnicate"], /^Error: Cannot run "frobnicate": there is no such command\n/],
      [["call", "--text", "x"], /Cannot use --text: .*\n {2}hint: .* are written key=value\n/],
      [["status", "-x"], /Cannot use -x: there is no such option\n/],
      [["status", "--cachde"], /did you mean --cached\?\n {2}hint: See "mcp status --help"\n$/],
      [
        ["status", "--wait", "soon"],
        /Cannot use --wait: "soon" is no duration; write it as 250ms, 5s or 2m/,
      ],
      [["status", "--wait"], /Cannot use --wait: it needs a value/],
      [["status", "--json=maybe"], /Cannot use --json: Cannot convert maybe to a boolean/],
      [["sources", "x"], /Cannot use "x": this command takes no more arguments/],
      [["call"], /Cannot call a tool: no server is named/],
      [["call", "x"], /Cannot call a tool: no tool is named/],
      [["status", "--json", "--plain"], /./],
    ];
    for (const [args, message] of cases) {
      const { code, stdout, stderr } = await run(args);
      assert.equal(code, 2, args.join(" "));
      assert.match(stdout + stderr, message);
    }
  });
});

Deno.test("with --json a mistake on the command line is one document, too", async () => {
  await inPlace(async ({ run }) => {
    const { code, stdout, stderr } = await run(["status", "--json", "--bogus"]);
    assert.deepEqual([code, stderr], [2, ""]);
    const { error } = JSON.parse(stdout) as ErrorDocument;
    assert.equal(error.code, "usage");
    assert.equal(error.hint, 'See "mcp status --help"');
  });
});

Deno.test("status without any server says what to do next", async () => {
  await inPlace(async ({ run, workspace, home }) => {
    const { code, stdout, stderr } = await run(["status"]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(
      stdout,
      /^No MCP server is defined for this workspace\.\n {2}hint: define one in /,
    );
    assert.ok(stdout.includes(`store=${home}/.config/hotplug/mcp.json\n`), stdout);
    assert.ok(stdout.includes(`workspaceConfig=${workspace}/.hotplug/workspace.json\n`), stdout);
  });
});

Deno.test("status points at files that look like configs and are none [A45]", async () => {
  await inPlace(async ({ run, write }) => {
    await write(".cursor/mcp.config.json", '{"mcpServers": {"a": {"command": "b"}}}');
    await write("mcp.config.json", '{"mcpServers": {"a": {"command": "b"}}}');
    const { stdout } = await run(["status"]);
    assert.match(stdout, /note: .*mcp\.config\.json/);
  });
});

Deno.test("status shows rows that do not run, with reasons, and starts nothing", async () => {
  await inPlace(async ({ run, write }) => {
    await write(".mcp.json", PROJECT);
    const { code, stdout, stderr } = await run(["status", "--plain"]);
    assert.deepEqual([code, stderr], [0, ""]);
    const [waits, off, wrong] = stdout.split("\n");
    assert.match(waits ?? "", /^waits stdio untrusted workspace=\w+ paused=no tools=- error=./);
    assert.match(off ?? "", /^off stdio disabled workspace=\w+ paused=no tools=-/);
    assert.match(wrong ?? "", /^wrong \S+ error workspace=\w+ paused=no tools=- error=./);
    assert.equal((await run(["status", "--strict"])).code, 1);
    assert.equal((await run(["status", "waits", "--strict"])).code, 0);
  });
});

Deno.test("status --json has every row and every path, with lines", async () => {
  await inPlace(async ({ run, write, workspace }) => {
    await write(".mcp.json", PROJECT);
    const { code, stdout } = await run(["status", "--cached", "--json"]);
    assert.equal(code, 0);
    const document = JSON.parse(stdout) as StatusDocument;
    assert.equal(document.schemaVersion, 1);
    assert.equal(document.workspacePath, workspace);
    assert.deepEqual(
      document.servers.map(({ name, state, source }) => [name, state, source?.line]),
      [
        ["waits", "untrusted", 4],
        ["off", "disabled", 6],
        ["wrong", "error", 7],
      ],
    );
    assert.ok(document.sources.some(({ state, servers }) => state === "loaded" && servers === 3));
    assert.deepEqual(document.summary, { connected: 0, failed: 1, waiting: 1, off: 1, tools: 0 });
  });
});

Deno.test("a server that may run is shown as not started by --cached", async () => {
  await inPlace(async ({ run, write, home }) => {
    const config = { mcpServers: { mine: { command: join(home, "no-such-program") } } };
    await writeFile(join(home, ".claude.json"), JSON.stringify(config));
    await write("README.md", "x");
    const { stdout } = await run(["status", "--cached", "--plain"]);
    assert.match(stdout, /^mine stdio disconnected workspace=enabled paused=no tools=-\n/);
  });
});

Deno.test("unknown servers and tools end with 2 on every command [I04]", async () => {
  await inPlace(async ({ run, write }) => {
    await write(".mcp.json", PROJECT);
    for (const args of [["status"], ["tools"], ["resources"], ["prompts"], ["trust"]]) {
      const { code, stderr } = await run([...args, "wiats"]);
      assert.equal(code, 2, args.join(" "));
      assert.match(stderr, /Cannot find server "wiats".*\n {2}hint: Did you mean "waits"\?/);
    }
    assert.equal((await run(["call", "wiats", "x"])).code, 2);
    assert.equal((await run(["untrust", "waits"])).code, 2);
  });
});

Deno.test("a call of a server that may not run ends with 1 and the remedy", async () => {
  await inPlace(async ({ run, write }) => {
    await write(".mcp.json", PROJECT);
    const { code, stdout, stderr } = await run(["call", "waits", "x"]);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /^Error: Cannot start server "waits": it is not approved/);
    assert.match(stderr, /hint: .*mcp trust waits/);
    const json = await run(["call", "waits", "x", "--json"]);
    assert.deepEqual([json.code, json.stderr], [1, ""]);
    assert.equal((JSON.parse(json.stdout) as ErrorDocument).error.code, "server-not-runnable");
  });
});

Deno.test("arguments are read before anything starts", async () => {
  await inPlace(async ({ run }) => {
    const { code, stderr } = await run(["call", "x", "y", "{bad"]);
    assert.equal(code, 2);
    assert.match(stderr, /Cannot read the arguments: no JSON/);
    assert.equal((await run(["call", "x", "y", "-"], { stdin: "[1]" })).code, 2);
  });
});

Deno.test("tools tells of servers that gave nothing on stderr, one line each", async () => {
  await inPlace(async ({ run, write }) => {
    await write(".mcp.json", PROJECT);
    const { code, stdout, stderr } = await run(["tools"]);
    assert.equal(code, 0);
    assert.equal(stdout, "0 tools of 0 servers\n");
    assert.match(stderr, /^Warning: MCP unavailable: wrong: .+$/m);
    assert.match(stderr, /^note: not approved: waits \(see "mcp trust"\)$/m);
    assert.doesNotMatch(stderr, /\boff\b/);
    assert.equal((await run(["tools", "off"])).code, 1);
  });
});

Deno.test("sources lists every path, and --found only those with something", async () => {
  await inPlace(async ({ run, write }) => {
    await write(".mcp.json", PROJECT);
    const all = await run(["sources"]);
    assert.equal(all.code, 0);
    assert.match(all.stdout, /^SOURCE +SCOPE +STATE +SERVERS +PATH$/m);
    assert.match(all.stdout, /project +loaded +3 +\.mcp\.json$/m);
    assert.match(all.stdout, /absent/);
    assert.doesNotMatch((await run(["sources", "--found"])).stdout, /absent/);
    const document = JSON.parse((await run(["sources", "--json"])).stdout) as SourcesDocument;
    assert.ok(document.sources.length > 3);
  });
});

Deno.test("a broken file is told with its place, and the other files still count", async () => {
  await inPlace(async ({ run, write, home }) => {
    await write(".mcp.json", '{\n  "mcpServers": {\n');
    await writeFile(join(home, ".claude.json"), '{"mcpServers": {"mine": {"command": "x"}}}');
    const { code, stdout } = await run(["status", "--cached"]);
    assert.equal(code, 0);
    assert.match(stdout, /^mine /m);
    assert.match(stdout, /^\.mcp\.json: .*\d/m);
  });
});

Deno.test("--no-project leaves the project's rows visible and does not run them", async () => {
  await inPlace(async ({ run, write }) => {
    await write(".mcp.json", PROJECT);
    const { stdout } = await run(["status", "--no-project", "--trust", "--plain"]);
    assert.match(stdout, /^waits stdio filtered /m);
  });
});

Deno.test("--cwd names the folder to work in", async () => {
  await inPlace(async ({ run, write }) => {
    await write("sub/.mcp.json", '{"mcpServers": {"below": {"command": "x"}}}');
    await write("file", "");
    assert.match(
      (await run(["status", "--cwd", "sub", "--plain"])).stdout,
      /^below stdio untrusted/,
    );
    for (const folder of ["nowhere", "file"]) {
      const { code, stderr } = await run(["status", "--cwd", folder]);
      assert.equal(code, 2);
      assert.match(stderr, /Cannot work in/);
    }
  });
});

Deno.test("secrets of definitions are printed by no command [H08]", async () => {
  await inPlace(async ({ run, write }) => {
    await write(".mcp.json", PROJECT);
    const commands = [
      ["status", "--cached", "--verbose"],
      ["status", "--cached", "--json"],
      ["sources", "--json"],
      ["tools", "--json"],
      ["trust"],
      ["trust", "--json"],
    ];
    for (const args of commands) {
      const { stdout, stderr } = await run(args);
      assert.doesNotMatch(stdout + stderr, /s3cr3t/, args.join(" "));
      assert.match(stdout + stderr, /waits|work/);
    }
  });
});

Deno.test("a name that looks like an option is one only after -- [H11]", async () => {
  await inPlace(async ({ run, write }) => {
    await write(".mcp.json", '{"mcpServers": {"--json": {"command": "x"}}}');
    const all = await run(["status", "--cached", "--plain"]);
    assert.match(all.stdout, /^--json stdio error /);
    assert.match((await run(["status", "--plain", "--", "--json"])).stdout, /^--json stdio error /);
  });
});
