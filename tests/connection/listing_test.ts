import assert from "node:assert/strict";
import { listPrompts, listResources, listTools } from "../../src/connection/listing.ts";
import type { MCPServerConnection } from "../../src/model/connection.ts";
import { HotplugError } from "../../src/model/errors.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { rejection } from "./harness.ts";

interface Script {
  readonly capabilities?: JsonObject;
  readonly era?: "legacy" | "modern";
  readonly page: (method: string, cursor: string | undefined, count: number) => JsonObject;
}

function serverOf(script: Script): { connection: MCPServerConnection; asked: string[] } {
  const asked: string[] = [];
  const connection = {
    name: "s",
    transport: "streamable_http",
    protocol: { era: script.era ?? "legacy", version: "" },
    server: { name: "", version: "" },
    capabilities: script.capabilities ?? { tools: {}, resources: {}, prompts: {} },
    instructions: "",
    pid: null,
    closed: new Promise(() => {}),
    confirm: () => Promise.resolve(true),
    warnings: () => [],
    // deno-lint-ignore require-await -- a script that throws must reject
    async request(method, params): Promise<JsonObject> {
      asked.push(method);
      return script.page(method, params["cursor"] as string | undefined, asked.length);
    },
    close: () => Promise.resolve(),
  } as Partial<MCPServerConnection> as MCPServerConnection;
  return { connection, asked };
}

const tool = (name: string): JsonObject => ({ name, inputSchema: { type: "object" } });

Deno.test("all pages are read, also behind a cursor that never changes [C14]", async () => {
  for (const cursor of [(count: number) => `c${count}`, () => "same"]) {
    const { connection } = serverOf({
      page: (_method, _cursor, count) => ({
        tools: [tool(`a${count}`), tool(`b${count}`)],
        ...(count < 3 ? { nextCursor: cursor(count) } : {}),
      }),
    });
    const { items, warnings } = await listTools(connection);
    assert.deepEqual(items.map(({ name }) => name), ["a1", "b1", "a2", "b2", "a3", "b3"]);
    assert.deepEqual(warnings, []);
  }
});

Deno.test("5,000 tools over 50 pages are read whole", async () => {
  const { connection } = serverOf({
    page: (_method, _cursor, count) => ({
      tools: Array.from({ length: 100 }, (_, i) => tool(`t${count}-${i}`)),
      ...(count < 50 ? { nextCursor: String(count) } : {}),
    }),
  });
  assert.equal((await listTools(connection)).items.length, 5_000);
});

Deno.test("a list without an end stops where nothing new comes, and keeps what was read", async () => {
  const repeating = serverOf({ page: () => ({ tools: [tool("a")], nextCursor: "more" }) });
  const first = await listTools(repeating.connection);
  assert.equal(first.items.length, 1);
  assert.match(first.warnings[0] ?? "", /stopped after page 2/);

  const empty = serverOf({
    page: (_method, _cursor, count) => ({ tools: [], nextCursor: String(count) }),
  });
  assert.match((await listTools(empty.connection)).warnings[0] ?? "", /stopped after page 10/);

  const growing = serverOf({
    page: (_method, _cursor, count) => ({ tools: [tool(`t${count}`)], nextCursor: String(count) }),
  });
  const last = await listTools(growing.connection);
  assert.equal(last.items.length, 1_000);
  assert.match(last.warnings[0] ?? "", /more than 1000 pages/);
});

Deno.test("an empty page in the middle is no end", async () => {
  const { connection } = serverOf({
    page: (_method, _cursor, count) => ({
      tools: count === 2 ? [] : [tool(`t${count}`)],
      ...(count < 3 ? { nextCursor: String(count) } : {}),
    }),
  });
  assert.equal((await listTools(connection)).items.length, 2);
});

Deno.test("a failing later page fails the list [D17]", async () => {
  const { connection } = serverOf({
    page: (_method, _cursor, count) => {
      if (count === 2) throw new HotplugError("protocol-error", "x", { details: { code: -32601 } });
      return { tools: [tool("a")], nextCursor: "n" };
    },
  });
  assert.equal((await rejection(listTools(connection))).code, "protocol-error");
});

Deno.test("only declared lists are asked for, and -32601 is an empty one [C18]", async () => {
  const { connection, asked } = serverOf({
    capabilities: { tools: true, prompts: {}, resources: null },
    page: (method) => {
      if (method !== "prompts/list") return { tools: [tool("a")] };
      throw new HotplugError("protocol-error", "x", { details: { code: -32601 } });
    },
  });
  assert.equal((await listTools(connection)).items.length, 1);
  assert.deepEqual((await listPrompts(connection)).items, []);
  assert.deepEqual((await listResources(connection)).items, []);
  assert.deepEqual(asked, ["tools/list", "prompts/list"]);
});

Deno.test("one odd tool costs no other [C10] [C11] [C12] [D07] [D18]", async () => {
  const dangling = {
    type: "object",
    properties: { s: { $ref: "#/$defs/Missing" } },
  };
  const { connection } = serverOf({
    page: () => ({
      tools: [
        { name: "ping" },
        { name: "p2", inputSchema: {} },
        { name: "p3", inputSchema: null, description: null, outputSchema: { $id: "x" } },
        { name: "p4", inputSchema: { type: "object", "x-order": 1 }, outputSchema: dangling },
        { name: "constructor", inputSchema: { type: "object" }, title: "T" },
        { name: "__proto__", annotations: { title: "A" }, description: "d".repeat(200_000) },
        { name: 7 },
        null,
      ],
    }),
  });
  const { items, warnings } = await listTools(connection);
  const names = ["ping", "p2", "p3", "p4", "constructor", "__proto__"];
  assert.deepEqual(items.map(({ name }) => name), names);
  for (const item of items.slice(0, 3)) {
    assert.deepEqual(item.inputSchema, { type: "object", properties: {} });
    assert.equal(item.description, "");
  }
  assert.deepEqual(items[3]?.outputSchema, dangling);
  assert.equal(items[4]?.title, "T");
  assert.equal(items[5]?.title, "A");
  assert.equal(items[5]?.description.length, 200_000);
  assert.equal(warnings.length, 2);
});

Deno.test("a tool that is listed twice counts once; a differing one is warned about [D05]", async () => {
  const { connection } = serverOf({
    page: () => ({ tools: [tool("run"), tool("run"), { ...tool("run"), description: "other" }] }),
  });
  const { items, warnings } = await listTools(connection);
  assert.equal(items.length, 1);
  assert.deepEqual(items[0]?.raw, tool("run"));
  assert.deepEqual(warnings, ['"run" is listed twice and differs; the first is kept']);
});

Deno.test("an answer without a list is an empty list with a warning", async () => {
  const { connection } = serverOf({ page: () => ({ tools: "none" }) });
  const { items, warnings } = await listTools(connection);
  assert.deepEqual(items, []);
  assert.equal(warnings.length, 1);
});

Deno.test("freshness is the strictest of the pages", async () => {
  const { connection } = serverOf({
    page: (_method, _cursor, count) =>
      count === 1
        ? { tools: [tool("a")], nextCursor: "n", ttlMs: 1_000, cacheScope: "public" }
        : { tools: [tool("b")], ttlMs: 500, cacheScope: "private" },
  });
  const { ttlMs, cacheScope } = await listTools(connection);
  assert.deepEqual({ ttlMs, cacheScope }, { ttlMs: 500, cacheScope: "private" });
});

Deno.test("resources keep their uri as key", async () => {
  const { connection } = serverOf({
    page: () => ({ resources: [{ uri: "file:///a", name: "A" }, { uri: "file:///b" }, {}] }),
  });
  const { items, warnings } = await listResources(connection);
  assert.deepEqual(items.map(({ key, name }) => [key, name]), [
    ["file:///a", "A"],
    ["file:///b", "file:///b"],
  ]);
  assert.equal(warnings.length, 1);
});

Deno.test("the time-out of a list counts for all its pages together", async () => {
  const given: number[] = [];
  const { connection } = serverOf({ page: () => ({}) });
  const slow: MCPServerConnection = {
    ...connection,
    async request(_method, _params, options): Promise<JsonObject> {
      const timeout = options?.timeout ?? 0;
      given.push(timeout);
      if (timeout < 20) throw new HotplugError("request-timeout", "no answer");
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { tools: [tool(`t${given.length}`)], nextCursor: `c${given.length}` };
    },
  };
  const error = await rejection(listTools(slow, { timeout: 100 }));
  assert.equal(error.code, "request-timeout");
  assert.match(error.message, /page \d was not there within 0\.1 s/);
  assert.ok(given.length <= 6, `${given.length} pages were asked for`);
});
