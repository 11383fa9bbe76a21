import assert from "node:assert/strict";

import { HotplugError, isAbortError } from "../../src/model/errors.ts";
import type { ToolCaller } from "../../src/model/tool.ts";
import { DeferredMCPTool } from "../../src/tools/deferred_mcp_tool.ts";
import { MCPTool, type ToolOffer } from "../../src/tools/mcp_tool.ts";
import { madeResult, madeTool, textsOf } from "./made.ts";

function offer(parts: Partial<ToolOffer> = {}): ToolOffer {
  return {
    name: "mcp_srv_search",
    server: "srv",
    provider: "Claude Code",
    info: madeTool(),
    autoApprove: false,
    cacheFolder: null,
    ...parts,
  };
}

function answering(text: string): ToolCaller {
  return { callTool: () => Promise.resolve(madeResult([{ type: "text", text }])) };
}

function failing(thrown: unknown): ToolCaller {
  return { callTool: () => Promise.reject(thrown) };
}

async function errorText(thrown: unknown): Promise<string> {
  const result = await new MCPTool(offer(), failing(thrown)).execute({});
  assert.equal(result.isError, true);
  assert.equal(result.details.result, null);
  return textsOf(result.content).join("\n");
}

Deno.test("a tool tells where it comes from", () => {
  assert.equal(new MCPTool(offer(), answering("")).path, "mcp:srv via Claude Code");
  assert.equal(new MCPTool(offer({ provider: null }), answering("")).path, "mcp:srv");
});

Deno.test("a tool's label is its title, else the annotated one, else its raw name", () => {
  const label = (parts: Parameters<typeof madeTool>[0]): string =>
    new MCPTool(offer({ info: madeTool(parts) }), answering("")).label;
  assert.equal(label({ title: "Search", annotations: { title: "Other" } }), "Search");
  assert.equal(label({ annotations: { title: "Other" } }), "Other");
  assert.equal(label({}), "search");
});

Deno.test("arguments are an object schema also when the server gave none [D07]", () => {
  const parameters = (inputSchema: ToolOffer["info"]["inputSchema"]): unknown =>
    new MCPTool(offer({ info: madeTool({ inputSchema }) }), answering("")).parameters;
  assert.deepEqual(parameters({}), { type: "object", properties: {} });
  assert.deepEqual(parameters({ properties: { a: {} } }), {
    type: "object",
    properties: { a: {} },
  });
});

Deno.test("a call passes the server's own tool, the arguments and the options", async () => {
  const calls: unknown[] = [];
  const caller: ToolCaller = {
    callTool(...call): ReturnType<ToolCaller["callTool"]> {
      calls.push(call);
      return Promise.resolve(madeResult([{ type: "text", text: "found" }]));
    },
  };
  const info = madeTool();
  const options = { timeout: 5, signal: new AbortController().signal };
  const result = await new MCPTool(offer({ info }), caller).execute({ q: 1 }, options);
  assert.deepEqual(calls, [[info, { q: 1 }, options]]);
  assert.deepEqual(textsOf(result.content), ["found"]);
  assert.equal(result.isError, false);
});

Deno.test("every failure becomes MCP error content with server, message and hint", async () => {
  assert.equal(
    await errorText(
      new HotplugError("server-exited", "The process ended", { hint: "See the log" }),
    ),
    'MCP error: server "srv": The process ended. See the log',
  );
  assert.equal(
    await errorText(
      new HotplugError("request-timeout", 'Cannot call "search" of "srv": no answer'),
    ),
    'MCP error: Cannot call "search" of "srv": no answer',
  );
  assert.equal(await errorText("odd"), 'MCP error: server "srv": odd');
  assert.equal(await errorText(new TypeError("bad")), 'MCP error: server "srv": bad');
});

Deno.test("an abort stays an abort, whatever reason the host gave", async () => {
  for (
    const reason of [undefined, new Error("stop"), "stop", new DOMException("t", "TimeoutError")]
  ) {
    const controller = new AbortController();
    const caller: ToolCaller = {
      callTool(_tool, _args, { signal }): Promise<never> {
        controller.abort(reason);
        return Promise.reject(signal?.reason);
      },
    };
    await assert.rejects(
      new MCPTool(offer(), caller).execute({}, { signal: controller.signal }),
      isAbortError,
    );
  }
});

Deno.test("a call that is aborted before it begins is never sent", async () => {
  const caller: ToolCaller = { callTool: () => assert.fail("sent") };
  await assert.rejects(
    new MCPTool(offer(), caller).execute({}, { signal: AbortSignal.abort() }),
    isAbortError,
  );
});

Deno.test("an abort that no host asked for is a failure", async () => {
  assert.match(await errorText(new DOMException("gone", "AbortError")), /^MCP error: /);
  assert.match(await errorText(new HotplugError("aborted", "Aborted")), /^MCP error: /);
});

Deno.test("a deferred tool waits for the connection, at each call anew", async () => {
  const first = Promise.withResolvers<ToolCaller>();
  const waits = [first.promise, Promise.resolve(answering("second"))];
  const tool = new DeferredMCPTool(offer(), () => waits.shift() ?? assert.fail("a third wait"));
  const pending = tool.execute({});
  first.resolve(answering("first"));
  assert.deepEqual(textsOf((await pending).content), ["first"]);
  assert.deepEqual(textsOf((await tool.execute({})).content), ["second"]);
});

Deno.test("a deferred tool whose server does not come says why", async () => {
  const failure = new HotplugError("start-timeout", "Not ready in 30 s", { hint: "Retry" });
  const tool = new DeferredMCPTool(offer(), () => Promise.reject(failure));
  const { content, isError } = await tool.execute({});
  assert.deepEqual(textsOf(content), ['MCP error: server "srv": Not ready in 30 s. Retry']);
  assert.equal(isError, true);
});

Deno.test("an abort ends the waiting at once, also when the wait ignores it", async () => {
  const controller = new AbortController();
  let given: AbortSignal | undefined;
  const tool = new DeferredMCPTool(offer(), ({ signal }) => {
    given = signal;
    return new Promise(() => {});
  });
  const pending = tool.execute({}, { signal: controller.signal });
  controller.abort();
  await assert.rejects(pending, isAbortError);
  assert.equal(given, controller.signal);
});
