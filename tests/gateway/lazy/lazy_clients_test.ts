import assert from "node:assert/strict";
import {
  Client as ModernClient,
  type JSONRPCMessage as ModernMessage,
} from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { e2e, type World } from "../../harness/e2e.ts";
import { npmServer, sdkServer, trap } from "../../harness/servers.ts";
import { ChildTransport } from "../child_transport.ts";

/** What a test does with whichever client it is. */
interface AnyClient {
  /** Names of all tools. */
  tools(): Promise<readonly string[]>;
  /** A tool's result; the clients check it by the schema that the tool declares. */
  call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Everything that a call reported before its answer. */
  progress(name: string, args: Record<string, unknown>): Promise<readonly number[]>;
  /** What the gateway says of itself. */
  readonly instructions: string;
  /** The agreed revision. */
  readonly version: string | undefined;
  /** Ends it. */
  close(): Promise<void>;
}

const INFO = { name: "real", version: "1.0.0" };

/** A client of the SDK's 1.x line. */
async function legacy(world: World): Promise<AnyClient> {
  const client = new LegacyClient(INFO, { capabilities: {} });
  await client.connect(new ChildTransport<JSONRPCMessage>(world, ["--lazy"]));
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }: { name: string }) => name),
    call: (name, args) => client.callTool({ name, arguments: args }),
    async progress(name, args): Promise<readonly number[]> {
      const steps: number[] = [];
      await client.callTool({ name, arguments: args }, undefined, {
        onprogress: ({ progress }: { progress: number }) => steps.push(progress),
      });
      return steps;
    },
    instructions: client.getInstructions() ?? "",
    version: "legacy",
    close: () => client.close(),
  };
}

/** A client of the SDK's 2.x line: in the legacy era, or in the one that it finds. */
async function second(world: World, mode: "legacy" | "auto"): Promise<AnyClient> {
  const client = new ModernClient(INFO, { capabilities: {}, versionNegotiation: { mode } });
  await client.connect(new ChildTransport<ModernMessage>(world, ["--lazy"]));
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args) => client.callTool({ name, arguments: args }),
    async progress(name, args): Promise<readonly number[]> {
      const steps: number[] = [];
      await client.callTool({ name, arguments: args }, {
        onprogress: ({ progress }) => steps.push(progress),
      });
      return steps;
    },
    instructions: client.getInstructions() ?? "",
    version: client.getNegotiatedProtocolVersion(),
    close: () => client.close(),
  };
}

function textOf(result: Record<string, unknown>): string {
  const [first] = result["content"] as readonly { readonly text?: string }[];
  return first?.text ?? "";
}

const CLIENTS: readonly [string, (world: World) => Promise<AnyClient>, string][] = [
  ["the SDK's 1.x client", legacy, "legacy"],
  ["the SDK's 2.x client in the legacy era", (world) => second(world, "legacy"), "2025-11-25"],
  ["the SDK's 2.x client in the modern era", (world) => second(world, "auto"), "2026-07-28"],
];

for (const [name, connect, version] of CLIENTS) {
  e2e(`${name} finds, describes and calls tools of both eras through three`, async (world) => {
    await world.userServers({
      everything: npmServer("everything"),
      memory: npmServer("memory"),
      files: npmServer("filesystem", world.project),
      old: sdkServer("legacy"),
      new: sdkServer("modern"),
      bad: trap("bad-tool"),
      steps: trap("progress", "3", "250"),
      dead: { command: "/nonexistent/program" },
    });
    await world.write("project/note.txt", "remember");
    const client = await connect(world);
    try {
      assert.equal(client.version, version);
      assert.match(client.instructions, /not listed: find them with search_tools/);
      assert.deepEqual(await client.tools(), ["search_tools", "describe_tool", "call_tool"]);
      const best = async (query: string): Promise<string | undefined> => {
        const { structuredContent } = await client.call("search_tools", { query });
        const { tools } = structuredContent as { tools: readonly { readonly name: string }[] };
        return tools[0]?.name;
      };
      const wanted: Readonly<Record<string, string>> = {
        "read a text file": "files_read_text_file",
        "create entities in the knowledge graph": "memory_create_entities",
        "sum of two numbers": "everything_get-sum",
        "rename a file": "files_move_file",
        "whoami of new": "new_whoami",
        "no-schema": "bad_no-schema",
      };
      for (const [query, tool] of Object.entries(wanted)) assert.equal(await best(query), tool);
      const told = await client.call("describe_tool", { name: "files_read_text_file" });
      assert.match(JSON.stringify(told["structuredContent"]), /"inputSchema":\{.*"path"/);
      const call = async (tool: string, args: unknown): Promise<string> =>
        textOf(await client.call("call_tool", { name: tool, arguments: args }));
      const path = `${world.project}/note.txt`;
      assert.equal(await call("files_read_text_file", { path }), "remember");
      assert.equal(await call("files_read_text_file", JSON.stringify({ path })), "remember");
      assert.match(await call("old_whoami", {}), /^legacy server/);
      assert.match(await call("new_whoami", {}), /^modern server/);
      assert.equal(await call("bad_no-schema", {}), "called");
      // A structured result, which the tool behind declares and call_tool does not.
      const weather = await client.call("call_tool", {
        name: "everything_get-structured-content",
        arguments: { location: "Chicago" },
      });
      assert.ok(weather["structuredContent"] !== undefined);
      const steps = await client.progress("call_tool", { name: "steps_go", arguments: {} });
      assert.deepEqual(steps.slice(0, 2), [1, 2]);
      const nothing = await client.call("search_tools", { query: "xyzzy" });
      assert.match(textOf(nothing), /Not available: "dead"/);
      // By its own name it is there as well.
      assert.match(textOf(await client.call("old_whoami", {})), /^legacy server/);
    } finally {
      await client.close();
    }
  });
}
