import assert from "node:assert/strict";
import fc from "fast-check";
import type { PlannedServer } from "../../src/model/plan.ts";
import { loadAllMCPConfigs } from "../../src/plan/discover.ts";
import { acpSource } from "../../src/sources/acp.ts";
import { readSources } from "../../src/sources/read_all.ts";
import { TempMachine } from "./temp_machine.ts";

/** The plan of the servers that a client sends, with nothing else on the machine. */
async function planOf(
  servers: unknown,
  files: Readonly<Record<string, object>> = {},
): Promise<readonly PlannedServer[]> {
  await using temp = await TempMachine.create();
  await temp.write("home/work/project/.git/HEAD", "ref: refs/heads/main\n");
  for (const [path, content] of Object.entries(files)) await temp.write(path, content);
  const { machine, folders } = temp.context();
  const extraSources = [acpSource(servers)];
  const { plan } = await loadAllMCPConfigs({ machine, folders, trust: "store", extraSources });
  return plan.servers;
}

Deno.test("servers of an ACP client run as it sent them, each in the session's scope (A9)", async () => {
  const [program, remote, old] = await planOf([
    {
      name: "files",
      command: "/usr/bin/files-mcp",
      args: ["--root", "${NOT_A_PLACEHOLDER}"],
      env: [{ name: "TOKEN", value: "${literal}", _meta: {} }, { name: "EMPTY", value: "" }],
      _meta: { from: "editor" },
    },
    {
      type: "http",
      name: "remote",
      url: "https://a.example/mcp",
      headers: [{ name: "Authorization", value: "Bearer t" }],
    },
    { type: "sse", name: "old", url: "https://a.example/sse", headers: [] },
  ]);
  assert.deepEqual(program?.definition?.config, {
    type: "stdio",
    command: "/usr/bin/files-mcp",
    args: ["--root", "${NOT_A_PLACEHOLDER}"],
    env: { TOKEN: "${literal}", EMPTY: "" },
  });
  assert.deepEqual(remote?.definition?.config, {
    type: "streamable_http",
    url: "https://a.example/mcp",
    headers: { Authorization: "Bearer t" },
  });
  assert.equal(old?.definition?.config.type, "sse");
  for (const server of [program, remote, old]) {
    assert.equal(server?.verdict.state, "run");
    assert.deepEqual(server?.definition?.warnings, []);
    const source = server?.definition?.source;
    assert.deepEqual(
      [source?.label, source?.scope, source?.path, source?.environment, source?.dialect],
      ["ACP client", "session", null, "base", "literal"],
    );
  }
});

Deno.test("a server of the client's comes before one of its name in any file", async () => {
  const [server] = await planOf([{ name: "x", command: "/bin/acp", args: [], env: [] }], {
    "home/.claude.json": { mcpServers: { x: { command: "user" } } },
  });
  assert.equal(server?.definition?.config.command, "/bin/acp");
  assert.equal(server?.others.length, 1);
});

Deno.test("each server is judged alone, and what is wrong says where [A05]", async () => {
  const servers = await planOf([
    { name: "good", command: "a" },
    { name: "no-command", args: [] },
    { name: "no-url", type: "http" },
    { name: "pair", command: "a", env: [{ name: "A" }] },
    { name: "number", command: "a", env: [{ name: "A", value: {} }] },
    { name: "future", type: "_carrier", url: "https://a.example" },
    { name: "channel", type: "acp", serverId: "1" },
    "nonsense",
  ]);
  const found = servers.map(({ name, verdict, definition }) => [
    name,
    verdict.state,
    definition?.problems[0]?.message.slice(0, 40),
  ]);
  assert.deepEqual(found.map(([name, state]) => [name, state]), [
    ["good", "run"],
    ["no-command", "error"],
    ["no-url", "error"],
    ["pair", "error"],
    ["number", "error"],
    ["future", "error"],
    ["channel", "error"],
    ["mcp-7", "error"],
  ]);
  assert.match(String(found[3]?.[2]), /"env\[0\]"/);
  for (const server of [5, 6]) {
    assert.match(String(found[server]?.[2]), /Cannot reach this server/);
  }
});

Deno.test("what most clients get wrong is taken with a warning, a name by its position", async () => {
  const [first, second, third] = await planOf([
    { command: "a", args: [] },
    { name: "objects", command: "b", env: { A: "b" } },
    {
      name: "twice",
      type: "http",
      url: "https://a.example",
      headers: [{ name: "A", value: "1" }, { name: "a", value: "2" }],
    },
  ]);
  assert.deepEqual([first?.name, first?.verdict.state], ["mcp-0", "run"]);
  assert.match(first?.definition?.warnings[0] ?? "", /no name; it is called "mcp-0"/);
  assert.deepEqual(second?.definition?.config.env, { A: "b" });
  assert.match(second?.definition?.warnings[0] ?? "", /"env" should be an array/);
  assert.deepEqual(third?.definition?.config.headers, { a: "2" });
  assert.match(third?.definition?.warnings[0] ?? "", /"a" more than once/);
});

Deno.test("every server that is sent counts as on, whatever it or a workspace file says (A9)", async () => {
  const [server] = await planOf(
    [{ name: "x", command: "/bin/acp", args: [], env: [], enabled: false, disabled: true }],
    { "home/work/project/.hotplug/workspace.json": { disabledMcpServers: ["x"] } },
  );
  assert.deepEqual([server?.verdict.state, server?.workspace], ["run", "enabled"]);
  assert.deepEqual(server?.definition?.warnings, [
    '"enabled" has no effect: every server that the client sends is on',
    '"disabled" has no effect: every server that the client sends is on',
  ]);
});

Deno.test("lists that are null are empty, and text stays as it was sent", async () => {
  const servers = await planOf([
    { name: "a", command: "/Program Files/a b", args: null, env: null, _meta: null },
    { name: "b", type: "http", url: "https://a.example/mcp", headers: null },
    { name: "c", command: "/bin/c", args: ["", " x ", "~/y"], env: [{ name: "E", value: " v " }] },
  ]);
  assert.deepEqual(servers.map(({ definition }) => definition?.config), [
    { type: "stdio", command: "/Program Files/a b" },
    { type: "streamable_http", url: "https://a.example/mcp" },
    { type: "stdio", command: "/bin/c", args: ["", " x ", "~/y"], env: { E: " v " } },
  ]);
});

Deno.test("of two servers with one name the last counts, and says so", async () => {
  const servers = await planOf([
    { name: "x", command: "first" },
    { name: "y", command: "other" },
    { name: " x ", command: "last" },
  ]);
  assert.deepEqual(servers.map(({ name, definition }) => [name, definition?.config.command]), [
    ["x", "last"],
    ["y", "other"],
  ]);
  assert.match(servers[0]?.definition?.warnings.join() ?? "", /more than one server named "x"/);
});

Deno.test("no servers are no servers, and anything but an array is one report", async () => {
  await using temp = await TempMachine.create();
  for (const none of [undefined, null, []]) {
    const { definitions, reports } = await readSources(temp.context(), [acpSource(none)]);
    assert.deepEqual([definitions, reports], [[], []]);
  }
  const { reports } = await readSources(temp.context(), [acpSource({ x: { command: "a" } })]);
  const [report] = reports;
  assert.deepEqual([reports.length, report?.state, report?.scope], [1, "malformed", "session"]);
  assert.match(report?.error?.message ?? "", /expected an array, found an object/);
});

Deno.test("whatever a client sends, the well-formed server beside it is kept", async () => {
  await using temp = await TempMachine.create();
  const context = temp.context();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 4 }), async (others) => {
      const good = { name: "the good one", command: "/bin/true", args: [], env: [] };
      const { definitions } = await acpSource([...others, good]).read(context);
      const found = definitions.find(({ name }) => name === good.name);
      assert.deepEqual(found?.problems, []);
      const names = definitions.map(({ name }) => name);
      assert.equal(new Set(names).size, names.length);
    }),
  );
});
