import assert from "node:assert/strict";

import { isAbortError } from "../../src/model/errors.ts";
import type { Progress, Tool, ToolResult } from "../../src/model/tool.ts";
import { executorOf } from "../../src/tools/tool_executor.ts";
import { sdkServer, trap } from "../harness/servers.ts";
import { inHome, withManager } from "../runtime/running_manager.ts";
import { madeToolResult, offeredTool, textsOf } from "./made.ts";

async function textOf(tools: readonly Tool[], name: string, args: unknown): Promise<string> {
  const { content, isError, details } = await executorOf(tools).execute(name, args);
  assert.equal(isError, textsOf(content)[0]?.startsWith("MCP error: "));
  assert.equal(details.result === null, isError);
  return textsOf(content).join("\n");
}

withManager("calls go to the server whose tool has the public name (A6)", async (world) => {
  const manager = world.manager();
  const servers = { one: trap("good"), two: sdkServer("legacy") };
  await manager.connectServers(inHome(world, servers));
  const executor = executorOf(() => manager.getTools());
  const echoed = await executor.execute("mcp_one_echo", '{"text":"hi"}');
  assert.deepEqual([echoed.details.server, echoed.details.tool], ["one", "echo"]);
  assert.match(textsOf(echoed.content).join(), /hi/);
  const legacy = await executor.execute("mcp_two_whoami", "");
  assert.match(textsOf(legacy.content).join(), /^legacy server/);
  await manager.disconnectServer("two");
  assert.equal(executor.has("mcp_two_whoami"), false);
  assert.equal((await executor.execute("mcp_two_whoami", {})).isError, true);
});

Deno.test("arguments are an object, its JSON, or nothing", async () => {
  const tools = [offeredTool("a")];
  assert.equal(await textOf(tools, "a", { q: 1 }), 'srv.search {"q":1}');
  assert.equal(await textOf(tools, "a", ' {"q":1} '), 'srv.search {"q":1}');
  for (const none of ["", "  ", "null", null, undefined]) {
    assert.equal(await textOf(tools, "a", none), "srv.search {}");
  }
});

Deno.test("a model's broken arguments are a result that says what is wrong", async () => {
  const tools = [offeredTool("a")];
  const again = "Send the arguments again as one JSON object";
  for (const broken of ['{"q": "unfinish', "{q: 1}", "search for it", "{} {}"]) {
    const text = await textOf(tools, "a", broken);
    assert.match(
      text,
      /^MCP error: Cannot call "a": the arguments are not valid JSON \(.+\)\. Send/,
    );
  }
  const kinds = { "[1]": "an array", "1": "a number", '"{}"': "a string" };
  for (const [args, kind] of Object.entries(kinds)) {
    assert.equal(
      await textOf(tools, "a", args),
      `MCP error: Cannot call "a": the arguments must be an object, not ${kind}. ${again}`,
    );
  }
  assert.match(await textOf(tools, "a", 7), /must be an object, not a number/);
});

Deno.test("an unknown name is a result that suggests the names it may stand for", async () => {
  const tools = [
    offeredTool("mcp_git_status", { name: "status" }),
    offeredTool("mcp_git_stash", { name: "stash" }),
    offeredTool("mcp_mail_send", { name: "send" }),
    offeredTool("mcp_chat_send", { name: "send" }),
  ];
  const after = async (name: string): Promise<string> =>
    (await textOf(tools, name, {})).replace(`MCP error: Unknown tool "${name}". `, "");
  assert.equal(
    await after("mcp__git__status"),
    'Did you mean "mcp_git_status" or "mcp_git_stash"',
  );
  assert.match(await after("send"), /^Did you mean "mcp_mail_send" or "mcp_chat_send"/);
  assert.equal(await after("fly_to_the_moon"), "Call a tool of the current list");
  assert.equal(
    await textOf([], "mcp_git_status", {}),
    'MCP error: Unknown tool "mcp_git_status". No MCP tool is offered at the moment',
  );
  assert.ok((await textOf(tools, "x".repeat(100_000), {})).length < 300);
  assert.equal(await textOf(tools, "a\u{200b}b", {}).then((text) => text.includes("ab")), true);
});

Deno.test("a name that is not offered any more is called through the session's lookup", async () => {
  const old = offeredTool("old", {}, { server: "gone" });
  const lookup = (name: string): Tool | null => name === "old" ? old : null;
  const executor = executorOf([offeredTool("new")], { lookup });
  assert.deepEqual(["old", "new", "never"].map((name) => executor.has(name)), [true, true, false]);
  const result = await executor.execute("old", {});
  assert.deepEqual(textsOf(result.content), ["gone.search {}"]);
});

Deno.test("the tools of the moment are asked at each call", async () => {
  let tools: readonly Tool[] = [];
  const executor = executorOf(() => tools);
  assert.equal(executor.has("a"), false);
  tools = [offeredTool("a")];
  assert.equal(executor.has("a"), true);
  assert.equal((await executor.execute("a", {})).isError, false);
  tools = [];
  assert.equal((await executor.execute("a", {})).isError, true);
});

Deno.test("names of prototypes mean no tool", () => {
  const executor = executorOf([offeredTool("a")]);
  for (const name of ["__proto__", "constructor", "toString", ""]) {
    assert.equal(executor.has(name), false);
  }
});

Deno.test("an abort stays an abort, before and during a call", async () => {
  const controller = new AbortController();
  const hanging: Tool = {
    ...offeredTool("a"),
    execute: (_args, options) =>
      new Promise((_, reject) =>
        options?.signal?.addEventListener("abort", () => reject(options.signal?.reason))
      ),
  };
  const executor = executorOf([hanging]);
  const running = executor.execute("a", {}, { signal: controller.signal });
  controller.abort();
  await assert.rejects(running, isAbortError);
  await assert.rejects(executor.execute("a", {}, { signal: controller.signal }), isAbortError);
  await assert.rejects(executor.execute("none", "{", { signal: controller.signal }), isAbortError);
});

Deno.test("a tool that throws for anything else is a failed call", async () => {
  const bad: Tool = { ...offeredTool("a"), execute: () => Promise.reject(new Error("broken")) };
  assert.equal(await textOf([bad], "a", {}), 'MCP error: server "srv": broken');
});

Deno.test("signal and progress reach the tool", async () => {
  const steps: Progress[] = [];
  const signal = new AbortController().signal;
  const tool: Tool = {
    ...offeredTool("a"),
    execute(_args, options): Promise<ToolResult> {
      assert.equal(options?.signal, signal);
      options?.onProgress?.({ progress: 1 }, {});
      return Promise.resolve(madeToolResult([]));
    },
  };
  const onProgress = (step: Progress): void => void steps.push(step);
  await executorOf([tool]).execute("a", {}, { signal, onProgress });
  assert.deepEqual(steps, [{ progress: 1 }]);
});
