import assert from "node:assert/strict";
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { e2e } from "../../harness/e2e.ts";
import { npmServer, sdkServer, trap } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { Served } from "./served.ts";

/** What a test does with whichever client it is. */
interface AnyClient {
  /** Names of all tools. */
  tools(): Promise<readonly string[]>;
  /** The first text of a tool's result. */
  text(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<string>;
  /** Everything that a call reported before its answer. */
  progress(name: string, args: Record<string, unknown>): Promise<readonly number[]>;
  /** How often the host was told that the tools have changed. */
  changes(): number;
  /** The agreed revision. */
  readonly version: string | undefined;
  /** Ends it, as a host does. */
  close(): Promise<void>;
}

const INFO = { name: "real", version: "1.0.0" };

/** A client of the SDK's 1.x line, which checks every list and result by its schemas. */
async function legacy({ url, token }: Served): Promise<AnyClient> {
  const client = new LegacyClient(INFO, { capabilities: {} });
  let changes = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes++);
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport as Transport);
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }: { name: string }) => name),
    text: async (name, args = {}, signal) =>
      firstText(
        await client.callTool(
          { name, arguments: args },
          undefined,
          signal === undefined ? {} : { signal },
        ),
      ),
    async progress(name, args): Promise<readonly number[]> {
      const steps: number[] = [];
      await client.callTool({ name, arguments: args }, undefined, {
        onprogress: ({ progress }: { progress: number }) => steps.push(progress),
      });
      return steps;
    },
    changes: () => changes,
    version: "legacy",
    async close(): Promise<void> {
      await transport.terminateSession();
      await client.close();
    },
  };
}

/** A client of the SDK's 2.x line: in the legacy era, or in the one that it finds. */
async function second({ url, token }: Served, mode: "legacy" | "auto"): Promise<AnyClient> {
  let changes = 0;
  const client = new ModernClient(INFO, {
    capabilities: {},
    versionNegotiation: { mode },
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void changes++ } },
  });
  const transport = new ModernTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    text: async (name, args = {}, signal) =>
      firstText(
        await client.callTool({ name, arguments: args }, signal === undefined ? {} : { signal }),
      ),
    async progress(name, args): Promise<readonly number[]> {
      const steps: number[] = [];
      await client.callTool({ name, arguments: args }, {
        onprogress: ({ progress }) => steps.push(progress),
      });
      return steps;
    },
    changes: () => changes,
    version: client.getNegotiatedProtocolVersion(),
    async close(): Promise<void> {
      if (mode === "legacy") await transport.terminateSession();
      await client.close();
    },
  };
}

function firstText(result: Record<string, unknown>): string {
  const [first] = result["content"] as readonly { readonly text?: string }[];
  return first?.text ?? "";
}

const CLIENTS: readonly [string, (served: Served) => Promise<AnyClient>, string][] = [
  ["the SDK's 1.x client", legacy, "legacy"],
  ["the SDK's 2.x client in the legacy era", (at) => second(at, "legacy"), "2025-11-25"],
  ["the SDK's 2.x client in the modern era", (at) => second(at, "auto"), "2026-07-28"],
];

for (const [name, connect, version] of CLIENTS) {
  e2e(`${name} calls servers of both eras over HTTP`, async (world) => {
    await world.userServers({
      everything: npmServer("everything"),
      old: sdkServer("legacy"),
      new: sdkServer("modern"),
      dead: { command: "/nonexistent/program" },
      steps: trap("progress", "3", "250"),
    });
    await using served = await Served.start(world);
    const client = await connect(served);
    try {
      assert.equal(client.version, version);
      const wanted = ["everything_echo", "old_whoami", "new_whoami", "steps_go"];
      await until(async () => {
        const tools = await client.tools();
        return wanted.every((tool) => tools.includes(tool));
      }, 20_000);
      assert.equal(await client.text("everything_echo", { message: "hi" }), "Echo: hi");
      assert.match(await client.text("old_whoami"), /^legacy server/);
      assert.match(await client.text("new_whoami"), /^modern server/);
      // The clients drop a report that comes in one piece with the answer.
      assert.deepEqual((await client.progress("steps_go", {})).slice(0, 2), [1, 2]);
      const answers = await Promise.all(
        Array.from(
          { length: 20 },
          (_, index) => client.text("everything_echo", { message: `${index}` }),
        ),
      );
      assert.deepEqual(answers, answers.map((_, index) => `Echo: ${index}`));
    } finally {
      await client.close();
    }
  });

  e2e(`${name} is told over HTTP of a server that is added`, async (world) => {
    await world.userServers({ first: trap("good") });
    await using served = await Served.start(world);
    const client = await connect(served);
    try {
      await until(async () => (await client.tools()).includes("first_echo"));
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
