import assert from "node:assert/strict";
import {
  Client as ModernClient,
  type JSONRPCMessage as ModernMessage,
} from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import {
  type JSONRPCMessage,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { e2e, type World } from "../harness/e2e.ts";
import { npmServer, sdkServer, trap } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { ChildTransport } from "./child_transport.ts";

/** What a test does with whichever client it is. */
interface AnyClient {
  /** Names of all tools. */
  tools(): Promise<readonly string[]>;
  /** The first text of a tool's result. */
  text(name: string, args?: Record<string, unknown>): Promise<string>;
  /** Everything that a call reported before its answer. */
  progress(name: string, args: Record<string, unknown>): Promise<readonly number[]>;
  /** How often the host was told that the tools have changed. */
  changes(): number;
  /** What the gateway says of itself. */
  readonly instructions: string;
  /** The agreed revision. */
  readonly version: string | undefined;
  /** Ends it. */
  close(): Promise<void>;
}

const INFO = { name: "real", version: "1.0.0" };

/** A client of the SDK's 1.x line, which checks every list and result by its schemas. */
async function legacy(world: World): Promise<AnyClient> {
  const client = new LegacyClient(INFO, { capabilities: {} });
  let changes = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes++);
  await client.connect(new ChildTransport<JSONRPCMessage>(world));
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }: { name: string }) => name),
    text: async (name, args = {}) => firstText(await client.callTool({ name, arguments: args })),
    async progress(name, args): Promise<readonly number[]> {
      const steps: number[] = [];
      await client.callTool({ name, arguments: args }, undefined, {
        onprogress: ({ progress }: { progress: number }) => steps.push(progress),
      });
      return steps;
    },
    changes: () => changes,
    instructions: client.getInstructions() ?? "",
    version: "legacy",
    close: () => client.close(),
  };
}

/** A client of the SDK's 2.x line: in the legacy era, or in the one that it finds. */
async function second(world: World, mode: "legacy" | "auto"): Promise<AnyClient> {
  let changes = 0;
  const client = new ModernClient(INFO, {
    capabilities: {},
    versionNegotiation: { mode },
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void changes++ } },
  });
  await client.connect(new ChildTransport<ModernMessage>(world));
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    text: async (name, args = {}) => firstText(await client.callTool({ name, arguments: args })),
    async progress(name, args): Promise<readonly number[]> {
      const steps: number[] = [];
      await client.callTool({ name, arguments: args }, {
        onprogress: ({ progress }) => steps.push(progress),
      });
      return steps;
    },
    changes: () => changes,
    instructions: client.getInstructions() ?? "",
    version: client.getNegotiatedProtocolVersion(),
    close: () => client.close(),
  };
}

function firstText(result: Record<string, unknown>): string {
  const [first] = result["content"] as readonly { readonly text?: string }[];
  return first?.text ?? "";
}

const CLIENTS: readonly [string, (world: World) => Promise<AnyClient>, string][] = [
  ["the SDK's 1.x client", legacy, "legacy"],
  ["the SDK's 2.x client in the legacy era", (world) => second(world, "legacy"), "2025-11-25"],
  ["the SDK's 2.x client in the modern era", (world) => second(world, "auto"), "2026-07-28"],
];

for (const [name, connect, version] of CLIENTS) {
  e2e(
    `${name} calls servers of both eras, and those with broken tools, through the gateway`,
    async (world) => {
      await world.userServers({
        everything: npmServer("everything"),
        old: sdkServer("legacy"),
        new: sdkServer("modern"),
        bad: trap("bad-tool"),
        dangling: trap("dangling-schema"),
        dead: { command: "/nonexistent/program" },
        steps: trap("progress", "3", "250"),
      });
      const client = await connect(world);
      try {
        assert.equal(client.version, version);
        assert.match(client.instructions, /through Hotplug/);
        // A host whose kind is not known gets its first list whole, however long the servers took.
        const tools = await client.tools();
        const wanted = [
          "everything_echo",
          "old_whoami",
          "new_whoami",
          "bad_no-schema",
          "dangling_untyped",
          "steps_go",
        ];
        for (const tool of wanted) assert.ok(tools.includes(tool), `${tool} of ${tools}`);
        assert.equal(await client.text("everything_echo", { message: "hi" }), "Echo: hi");
        assert.match(await client.text("old_whoami"), /^legacy server/);
        assert.match(await client.text("new_whoami"), /^modern server/);
        assert.equal(await client.text("bad_no-schema"), "called");
        assert.equal(await client.text("dangling_dangling"), "fine");
        // The clients drop a report that comes in one piece with the answer.
        assert.deepEqual((await client.progress("steps_go", {})).slice(0, 2), [1, 2]);
      } finally {
        await client.close();
      }
    },
  );

  e2e(`${name} is told of a server that is added while it runs`, async (world) => {
    await world.userServers({ first: trap("good") });
    const client = await connect(world);
    try {
      assert.deepEqual(await client.tools(), ["first_echo", "first_add"]);
      const before = client.changes();
      await world.userServers({
        first: trap("good"),
        added: { ...trap("good"), env: { ...trap("good").env, INSTANCE: "other" } },
      });
      await until(() => client.changes() > before, 20_000);
      await until(async () => (await client.tools()).includes("added_echo"));
      assert.equal(await client.text("added_echo", { text: "new" }), "new");
    } finally {
      await client.close();
    }
  });
}
