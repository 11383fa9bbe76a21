import assert from "node:assert/strict";
import { e2e } from "../../harness/e2e.ts";
import { npmServer, sdkServer, trap } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { answered, asking, codeOf, ModernRaw, saidIn } from "../modern_raw.ts";
import { type Message, RawHost } from "../raw_host.ts";

/** The first text of a result. */
function textOf(result: Message): string {
  const [first] = result["content"] as readonly { readonly text?: string }[];
  return first?.text ?? "";
}

/** Calls a tool through `call_tool`. */
async function through(host: RawHost, name: string, args?: unknown): Promise<Message> {
  return await host.call("call_tool", { name, ...(args === undefined ? {} : { arguments: args }) });
}

/** A host of a gateway whose three tools it has listed. */
async function lazyHost(world: ConstructorParameters<typeof RawHost>[0]): Promise<RawHost> {
  const host = new RawHost(world, { args: ["--lazy"] });
  await host.initialize();
  assert.deepEqual(await host.tools(), ["search_tools", "describe_tool", "call_tool"]);
  return host;
}

e2e("a call through call_tool is the call itself: result, error and progress", async (world) => {
  await world.userServers({
    everything: npmServer("everything"),
    bad: trap("bad-tool"),
    steps: trap("progress", "3", "250"),
  });
  await using host = await lazyHost(world);
  for (
    const [name, args] of [
      ["everything_echo", { message: "hi" }],
      ["everything_get-tiny-image", {}],
      ["everything_get-structured-content", { location: "Chicago" }],
      ["everything_get-resource-links", { count: 2 }],
      // The server's own refusal of what it was given.
      ["everything_echo", { message: 1 }],
    ] as const
  ) {
    const direct = await host.call(name, args);
    assert.deepEqual(await through(host, name, args), direct, name);
    assert.deepEqual(await through(host, name, JSON.stringify(args)), direct, `${name}, as text`);
  }
  const missing = await host.ask("tools/call", { name: "bad_nothing", arguments: {} });
  assert.equal((missing["error"] as Message)["code"], -32602);
  const id = await host.start("tools/call", {
    name: "call_tool",
    arguments: { name: "steps_go", arguments: {} },
    _meta: { progressToken: "t" },
  });
  assert.match(textOf((await host.answer(id))["result"] as Message), /./);
  const steps = host.messages.filter(({ method }) => method === "notifications/progress");
  assert.ok(steps.length >= 2, String(steps.length));
  assert.ok(steps.every(({ params }) => (params as Message)["progressToken"] === "t"));
});

e2e("a cancelled call through call_tool is cancelled at its server", async (world) => {
  await world.userServers({ everything: npmServer("everything") });
  await using host = await lazyHost(world);
  const id = await host.start("tools/call", {
    name: "call_tool",
    arguments: {
      name: "everything_trigger-long-running-operation",
      arguments: { duration: 600, steps: 6_000 },
    },
    _meta: { progressToken: 7 },
  });
  const steps = (): number =>
    host.messages.filter(({ method }) => method === "notifications/progress").length;
  await until(() => steps() > 0, 20_000);
  await host.notify("notifications/cancelled", { requestId: id });
  assert.equal(textOf(await through(host, "everything_echo", { message: "on" })), "Echo: on");
  const after = steps();
  assert.equal(textOf(await through(host, "everything_echo", { message: "on" })), "Echo: on");
  assert.equal(steps(), after);
  assert.ok(!host.messages.some((message) => message["id"] === id));
});

e2e(
  "servers of both eras ask through call_tool, and the retry goes on with the call",
  async (world) => {
    await world.userServers({ old: sdkServer("asking_legacy"), new: sdkServer("asking_modern") });
    await using host = new RawHost(world, { args: ["--lazy"] });
    const raw = new ModernRaw(host);
    const form = { action: "accept", content: { name: "Ada" } };
    for (
      const [name, given, expected] of [
        ["old_form", {}, form],
        ["old_form", "{}", form],
        ["new_form", {}, { inputResponses: { form }, state: true }],
      ] as const
    ) {
      const call = { arguments: { name, arguments: given } };
      const first = asking(await raw.call("call_tool", call));
      const { requestState } = first;
      const retry = { requestState, inputResponses: answered(first, form) };
      if (name === "old_form") {
        // The state was given out for the call as the host made it.
        assert.equal(codeOf(await raw.call(name, retry)), -32602);
      }
      assert.deepEqual(saidIn(await raw.call("call_tool", { ...call, ...retry })), expected, name);
    }
  },
);

e2e("what is wrong with a call is said so that a model can put it right", async (world) => {
  await world.userServers({ files: npmServer("filesystem", world.project), s: trap("good") });
  await using host = await lazyHost(world);
  const wrong = async (name: string, args: Message): Promise<string> => {
    const result = await host.call(name, args);
    assert.equal(result["isError"], true, JSON.stringify(result));
    return textOf(result);
  };
  const call = (args: Message): Promise<string> => wrong("call_tool", args);
  assert.match(await call({ name: "files_read_txt_file" }), /Did you mean "files_read_text_file"/);
  assert.match(await call({ name: "read_text_file" }), /Did you mean "files_read_text_file"/);
  assert.match(
    await call({ name: "mcp__hotplug__files_move_file", arguments: {} }),
    /Did you mean "files_move_file"/,
  );
  assert.match(await call({}), /needs "name"/);
  assert.match(await call({ name: 5 }), /needs "name"/);
  assert.match(await call({ name: "search_tools" }), /itself, not through call_tool/);
  for (const given of ["path=x", "[]", [1], 5]) {
    const text = await call({ name: "files_read_text_file", arguments: given });
    assert.match(text, /one object under "arguments".*It takes \(path: string, /);
  }
  // Arguments beside the name, where "arguments" was forgotten.
  assert.match(await call({ name: "files_read_text_file", path: "x" }), /under "arguments"/);
  assert.match(await wrong("describe_tool", { name: "s_ech" }), /Did you mean "s_echo"/);
  assert.match(await wrong("describe_tool", {}), /needs "name"/);
  assert.match(await wrong("search_tools", { query: "x", server: "fils" }), /mean "files"/);
});

e2e("describe_tool gives a tool as a host would get it, repaired", async (world) => {
  await world.userServers({
    files: npmServer("filesystem", world.project),
    dangling: trap("dangling-schema"),
  });
  await using host = await lazyHost(world);
  await using direct = new RawHost(world);
  await direct.initialize();
  const { result } = await direct.ask("tools/list");
  const listed = (result as Message)["tools"] as readonly Message[];
  assert.ok(listed.length > 10);
  for (
    const { name, title, description, inputSchema, outputSchema, annotations, _meta } of listed
  ) {
    const told = await host.call("describe_tool", { name });
    const expected = JSON.parse(JSON.stringify({
      name,
      server: (_meta as Message)["dev.hotplug/server"],
      title,
      description,
      inputSchema,
      outputSchema,
      annotations,
    })) as Message;
    assert.deepEqual(told["structuredContent"], expected);
    assert.deepEqual(JSON.parse(textOf(told)), expected);
  }
});

e2e("--only, --except, --for and --naming hold for what is searched and called", async (world) => {
  await world.ompServers({ files: trap("good", "files"), git: trap("good", "git") });
  await using host = new RawHost(world, {
    args: [
      "--lazy",
      "--except",
      "git",
      "--except",
      "files/add",
      "--for",
      "claude-code",
      "--naming",
      "bare",
    ],
  });
  await host.initialize();
  const found = async (): Promise<readonly unknown[]> => {
    const { structuredContent } = await host.call("search_tools", { query: "" });
    return ((structuredContent as Message)["tools"] as readonly Message[]).map(({ name }) => name);
  };
  await until(async () => (await found()).length > 0, 20_000);
  assert.deepEqual(await found(), ["echo"]);
  const { result } = await host.ask("tools/list");
  for (const { _meta } of (result as Message)["tools"] as readonly Message[]) {
    const { "dev.hotplug/via": _via, ...meta } = _meta as Record<string, unknown>;
    assert.deepEqual(meta, { "anthropic/alwaysLoad": true });
  }
  assert.equal(textOf(await through(host, "echo", { text: "bare" })), "bare");
  await using only = new RawHost(world, {
    args: ["--lazy", "--only", "git", "--except", "git/add"],
  });
  await only.initialize();
  await only.tools();
  const refused = await through(only, "git_add", { a: 1, b: 2 });
  assert.match(textOf(refused), /There is no tool "git_add"/);
  assert.equal(textOf(await through(only, "git_echo", { text: "x" })), "x");
});

e2e("a real tool of the same name as one of the three is called through it", async (world) => {
  const LINES = await world.write("lines", "search_tools\ncall_tool\n");
  const server = trap("lines-of");
  await world.userServers({ lines: { ...server, env: { ...server.env, LINES } } });
  await using host = new RawHost(world, { args: ["--lazy", "--naming", "bare"] });
  await host.initialize();
  assert.deepEqual(await host.tools(), ["search_tools", "describe_tool", "call_tool"]);
  const { structuredContent } = await host.call("search_tools", { query: "" });
  assert.deepEqual((structuredContent as Message)["tools"], [
    { name: "search_tools", server: "lines", arguments: "", description: "Tool search_tools" },
    { name: "call_tool", server: "lines", arguments: "", description: "Tool call_tool" },
  ]);
  for (const name of ["search_tools", "call_tool"]) {
    assert.equal(textOf(await through(host, name)), `called ${name}`);
  }
});

e2e("list_changed is sent only when the three tools say something else", async (world) => {
  const servers = (disabledTools: readonly string[]): Record<string, unknown> => ({
    everything: { ...npmServer("everything"), disabledTools },
  });
  await world.userServers(servers([]));
  await using host = await lazyHost(world);
  await using direct = new RawHost(world);
  await direct.initialize();
  await direct.listing("everything_echo");
  const changes = ({ messages }: RawHost): number =>
    messages.filter(({ method }) => method === "notifications/tools/list_changed").length;
  const found = async (name: string): Promise<boolean> => {
    const { structuredContent } = await host.call("search_tools", { query: name });
    const tools = (structuredContent as Message)["tools"] as readonly Message[];
    return tools.some((tool) => tool["name"] === name);
  };
  // What is said of a server names its first tools: another one is gone.
  const last = "simulate-research-query";
  await until(() => found(`everything_${last}`), 20_000);
  const before = [changes(host), changes(direct)];
  await world.userServers(servers([last]));
  await until(() => changes(direct) > (before[1] ?? 0), 20_000);
  await until(async () => !await found(`everything_${last}`), 20_000);
  assert.equal(changes(host), before[0]);
  // A new server, which is named.
  await world.userServers({ ...servers([last]), added: trap("good") });
  await until(() => changes(host) > (before[0] ?? 0), 20_000);
  assert.ok(await found("added_echo"));
  const { result } = await host.ask("tools/list");
  assert.match(JSON.stringify(result), /- added: echo, add/);
});

e2e("a reload tells that a host with the three tools has the new ones", async (world) => {
  await world.userServers({ everything: npmServer("everything") });
  await using host = new RawHost(world, { args: ["--lazy", "--no-watch"] });
  await host.initialize();
  await host.tools();
  const disabledTools = ["simulate-research-query"];
  await world.userServers({ everything: { ...npmServer("everything"), disabledTools } });
  const run = await world.mcp(["reload", "--json"]);
  const { sessions } = run.json<
    { readonly sessions: readonly { readonly report: { readonly host: string } }[] }
  >();
  assert.equal(sessions[0]?.report.host, "refreshed", run.stdout);
});

e2e(
  "a host of the modern era hears of a new server, and gets results of its era",
  async (world) => {
    await world.userServers({ a: trap("good", "a") });
    await using host = new RawHost(world, { args: ["--lazy"] });
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "modern", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const ask = async (method: string, params: Message = {}): Promise<Message> =>
      (await host.ask(method, { ...params, _meta }))["result"] as Message;
    const { tools } = await ask("tools/list");
    assert.equal((tools as readonly unknown[]).length, 3);
    await host.start("subscriptions/listen", { _meta, notifications: { toolsListChanged: true } });
    await world.userServers({ a: trap("good", "a"), b: trap("good", "b") });
    await host.first(({ method }) => method === "notifications/tools/list_changed");
    for (
      const [name, args] of [
        ["search_tools", { query: "b_echo" }],
        ["describe_tool", { name: "b_echo" }],
        ["call_tool", { name: "b_echo", arguments: { text: "b_echo" } }],
        ["call_tool", { name: "b_ech", arguments: {} }],
      ] as const
    ) {
      const result = await ask("tools/call", { name, arguments: args });
      assert.equal(result["resultType"], "complete");
      assert.match(textOf(result), /b_echo/);
    }
  },
);
