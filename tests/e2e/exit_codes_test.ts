import assert from "node:assert/strict";
import type { ErrorDocument } from "../../src/cli/documents.ts";
import { e2e } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";
import { startHttpTrap } from "../servers/http_trap.ts";

e2e(
  "status and tools exit with 0 though servers failed, with 1 when --strict [I04]",
  async (world) => {
    await world.userServers({ dead: trap("dead"), fine: trap("good") });
    assert.equal((await world.mcp(["status"])).code, 0);
    assert.equal((await world.mcp(["tools"])).code, 0);
    assert.equal((await world.mcp(["status", "--strict"])).code, 1);
    assert.equal((await world.mcp(["status", "--strict", "fine"])).code, 0);
  },
);

e2e("--version, --help and the help of each command exit with 0", async (world) => {
  for (const args of [["--version"], ["--help"], ["status", "--help"], ["call", "--help"]]) {
    const run = await world.mcp(args);
    assert.equal(run.code, 0, args.join(" "));
    assert.notEqual(run.stdout, "");
    assert.equal(run.stderr, "");
  }
  const version = (await world.mcp(["--version", "--json"])).json<Record<string, unknown>>();
  assert.equal(version["name"], "hotplug");
});

e2e("usage errors exit with 2 and suggest what was meant [I04]", async (world) => {
  await world.userServers({ memory: trap("good") });
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [["sttaus"], /status/],
    [["status", "--wiat", "1s"], /wait/],
    [["status", "memroy"], /memory/],
    [["tools", "memroy"], /memory/],
    [["call", "memroy", "echo"], /memory/],
    [["call", "memory", "ehco"], /echo/],
    [["call", "memory"], /./],
    [["status", "--wait", "soon"], /wait|time|duration/i],
  ];
  for (const [args, said] of cases) {
    const run = await world.mcp(args);
    assert.equal(run.code, 2, `${args.join(" ")}: ${run.stdout}${run.stderr}`);
    assert.match(run.stderr, said);
    assert.equal(run.stdout, "");
  }
});

e2e("a failed command with --json prints one document with its error", async (world) => {
  await world.userServers({ memory: trap("good"), dead: trap("dead") });
  const cases = [
    [["call", "--json", "memroy", "echo"], "unknown-server"],
    [["call", "--json", "memory", "ehco"], "unknown-tool"],
    [["call", "--json", "memory", "add", "{"], "bad-arguments"],
    [["call", "--json", "dead", "echo"], "server-exited"],
    [["status", "--json", "memroy"], "unknown-server"],
    [["tools", "--json", "memroy"], "unknown-server"],
    [["status", "--json", "--wiat", "1s"], "usage"],
  ] as const;
  for (const [args, code] of cases) {
    const run = await world.mcp(args);
    const document = run.json<ErrorDocument>();
    assert.equal(document.schemaVersion, 1);
    assert.equal(document.error.code, code, args.join(" "));
    assert.notEqual(run.code, 0);
  }
});

e2e("a call to a server that may not run exits with 1 and the remedy", async (world) => {
  await world.userServers({ off: { ...trap("good"), disabled: true }, bad: { args: [] } });
  await world.projectServers({ theirs: trap("good") });
  await world.storeServers({ stored: trap("good", "s") });
  for (
    const [name, remedy] of [
      ["off", /mcp enable --in-place off/],
      ["theirs", /mcp trust/],
      ["stored", /mcp enable stored/],
    ]
  ) {
    const run = await world.mcp(["call", String(name), "echo", "text=x"]);
    assert.equal(run.code, 1, `${name}: ${run.stderr}`);
    assert.match(run.stderr, remedy as RegExp);
  }
  assert.equal((await world.mcp(["call", "bad", "echo"])).code, 1);
});

e2e("a call to a server that wants authorisation exits with 3", async (world) => {
  const remote = await startHttpTrap("unauthorized");
  try {
    await world.userServers({ remote: { type: "http", url: remote.url } });
    const run = await world.mcp(["call", "remote", "echo", "text=x"]);
    assert.equal(run.code, 3, run.stderr);
    assert.match(run.stderr, /set it in the "headers"/);
  } finally {
    await remote.close();
  }
});

e2e("a call to a server that is dead, silent or not there exits with 4", async (world) => {
  await world.userServers({
    dead: trap("dead"),
    hung: { ...trap("hang"), startupTimeout: 500 },
    lost: { command: "no-such-program-anywhere" },
    closed: { type: "http", url: "http://127.0.0.1:9/mcp" },
  });
  for (const name of ["dead", "hung", "lost", "closed"]) {
    const run = await world.mcp(["call", name, "echo", "text=x"]);
    assert.equal(run.code, 4, `${name}: ${run.stderr}`);
    assert.equal(run.stdout, "");
  }
});

e2e("a tool that says it failed exits with 5 [E08]", async (world) => {
  await world.userServers({ it: trap("results") });
  assert.equal((await world.mcp(["call", "it", "is-error"])).code, 5);
});
