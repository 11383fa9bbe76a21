import assert from "node:assert/strict";
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  LoggingMessageNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { e2e } from "../../harness/e2e.ts";
import { offeringServer } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { Served } from "./served.ts";

const INFO = { name: "real", version: "1.0.0" };

/** A host of the legacy era, and what it was told. */
interface LegacyHost {
  readonly client: Client;
  readonly updates: string[];
  readonly logs: unknown[];
  /** How often the resources have changed. */
  readonly changes: { count: number };
  /** The first text of a tool's result. */
  text(name: string, args?: Record<string, unknown>): Promise<string>;
  /** Ends its session. */
  leave(): Promise<void>;
}

async function legacyHost({ url, token }: Served): Promise<LegacyHost> {
  const client = new Client(INFO, { capabilities: {} });
  const updates: string[] = [];
  const logs: unknown[] = [];
  const changes = { count: 0 };
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }: { params: { uri: string } }) => void updates.push(params.uri),
  );
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ params }: { params: { data?: unknown } }) => void logs.push(params.data),
  );
  client.setNotificationHandler(
    ResourceListChangedNotificationSchema,
    () => void changes.count++,
  );
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport as Transport);
  return {
    client,
    updates,
    logs,
    changes,
    async text(name, args = {}): Promise<string> {
      const { content } = await client.callTool({ name, arguments: args });
      return (content as readonly { readonly text: string }[])[0]?.text ?? "";
    },
    async leave(): Promise<void> {
      await transport.terminateSession();
      await client.close();
    },
  };
}

e2e("a server tells of a resource until the last of several hosts has left", async (world) => {
  await world.userServers({ a: offeringServer("legacy", "a") });
  await using served = await Served.start(world);
  const one = await legacyHost(served);
  const two = await legacyHost(served);
  const modern = new ModernClient(INFO, { capabilities: {}, versionNegotiation: { mode: "auto" } });
  await modern.connect(
    new ModernTransport(new URL(served.url), {
      requestInit: { headers: { authorization: `Bearer ${served.token}` } },
    }),
  );
  const heard: unknown[] = [];
  modern.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    heard.push(params.uri);
  });
  try {
    const uri = "shared:note";
    await one.client.subscribeResource({ uri });
    await two.client.subscribeResource({ uri });
    const stream = await modern.listen({ resourceSubscriptions: [uri] });
    const calls = async (): Promise<readonly string[]> =>
      (JSON.parse(await one.text("a_wishes")) as { calls: readonly string[] }).calls;
    assert.deepEqual(await calls(), ["subscribe shared:note"]);
    await one.text("a_touch", { uri });
    await until(() => one.updates.length === 1 && two.updates.length === 1 && heard.length === 1);
    await one.client.unsubscribeResource({ uri });
    await two.leave();
    await one.text("a_touch", { uri });
    await until(() => heard.length === 2);
    assert.deepEqual(await calls(), ["subscribe shared:note"]);
    await stream.close();
    await until(async () => (await calls()).length === 2);
    assert.deepEqual(await calls(), ["subscribe shared:note", "unsubscribe shared:note"]);
    assert.equal(one.updates.length, 1);
  } finally {
    await modern.close();
    await one.leave();
  }
});

e2e(
  "each of several hosts gets the log level that it wants, and changes of lists",
  async (world) => {
    await world.userServers({ a: offeringServer("legacy", "a") });
    await using served = await Served.start(world);
    const one = await legacyHost(served);
    const two = await legacyHost(served);
    try {
      await one.client.setLoggingLevel("error");
      await two.client.setLoggingLevel("debug");
      await until(async () => (await one.text("a_wishes")).endsWith('"level debug"]}'));
      await one.text("a_log", { level: "info", text: "little" });
      await one.text("a_log", { level: "critical", text: "grave" });
      await until(() => two.logs.length === 2 && one.logs.length === 1);
      assert.deepEqual([one.logs, two.logs], [["grave"], ["little", "grave"]]);
      await two.leave();
      await until(async () => (await one.text("a_wishes")).endsWith('"level error"]}'));
      const { resources } = await one.client.listResources();
      const before = one.changes.count;
      await one.text("a_grow");
      await until(() => one.changes.count > before);
      assert.equal((await one.client.listResources()).resources.length, resources.length + 1);
    } finally {
      await one.leave();
    }
  },
);

e2e("what each host has of its own is on offer for it, and tells it alone", async (world) => {
  await world.userServers({
    own: { ...offeringServer("legacy", "own"), share: false },
    all: offeringServer("legacy", "all"),
  });
  await using served = await Served.start(world);
  const one = await legacyHost(served);
  const two = await legacyHost(served);
  try {
    for (const { client } of [one, two]) {
      const { resources } = await client.listResources();
      const uris = resources.map(({ uri }: { uri: string }) => uri);
      assert.deepEqual(uris, ["shared:note", "own:only", "mcp+all:shared:note", "all:only"]);
      await client.subscribeResource({ uri: "own:only" });
      await client.subscribeResource({ uri: "all:only" });
    }
    await one.text("own_touch", { uri: "own:only" });
    await two.text("all_touch", { uri: "all:only" });
    await until(() => one.updates.length === 2 && two.updates.length === 1);
    assert.deepEqual([one.updates, two.updates], [["own:only", "all:only"], ["all:only"]]);
    const before = [one.changes.count, two.changes.count];
    await one.text("own_grow");
    await until(() => one.changes.count > (before[0] ?? 0));
    const grown = await one.client.listResources();
    const known = await two.client.listResources();
    assert.deepEqual([grown.resources.length, known.resources.length], [5, 4]);
    assert.equal(two.changes.count, before[1]);
  } finally {
    await one.leave();
    await two.leave();
  }
});
