import assert from "node:assert/strict";
import {
  Client as ModernClient,
  type JSONRPCMessage as ModernMessage,
} from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { e2e, type World } from "../harness/e2e.ts";
import { npmServer, offeringServer } from "../harness/servers.ts";
import { ChildTransport } from "./child_transport.ts";

/** What either client gives, as far as this looks at it. */
interface AnyClient {
  listPrompts(): Promise<{ readonly prompts: readonly { readonly name: string }[] }>;
  listResources(): Promise<{ readonly resources: readonly { readonly uri: string }[] }>;
  listResourceTemplates(): Promise<
    { readonly resourceTemplates: readonly { readonly uriTemplate: string }[] }
  >;
  getPrompt(asked: {
    readonly name: string;
    readonly arguments?: Record<string, string>;
  }): Promise<{ readonly messages: readonly { readonly content: unknown }[] }>;
  readResource(
    asked: { readonly uri: string },
  ): Promise<{ readonly contents: readonly { readonly uri: string }[] }>;
  complete(asked: {
    readonly ref: { readonly type: "ref/prompt"; readonly name: string };
    readonly argument: { readonly name: string; readonly value: string };
    readonly context?: { readonly arguments: Record<string, string> };
  }): Promise<{ readonly completion: { readonly values: readonly string[] } }>;
  close(): Promise<void>;
}

const INFO = { name: "real", version: "1.0.0" };

async function legacy(world: World): Promise<AnyClient> {
  const client = new LegacyClient(INFO, { capabilities: {} });
  await client.connect(new ChildTransport<JSONRPCMessage>(world));
  return client;
}

async function second(world: World, mode: "legacy" | "auto"): Promise<AnyClient> {
  const client = new ModernClient(INFO, { capabilities: {}, versionNegotiation: { mode } });
  await client.connect(new ChildTransport<ModernMessage>(world));
  return client as unknown as AnyClient;
}

const CLIENTS: readonly [string, (world: World) => Promise<AnyClient>][] = [
  ["the SDK's 1.x client", legacy],
  ["the SDK's 2.x client in the legacy era", (world) => second(world, "legacy")],
  ["the SDK's 2.x client in the modern era", (world) => second(world, "auto")],
];

for (const [name, connect] of CLIENTS) {
  e2e(
    `${name} takes every list and result besides tools from servers of both eras`,
    async (world) => {
      await world.userServers({
        everything: npmServer("everything"),
        old: offeringServer("legacy", "old"),
        new: offeringServer("modern", "new"),
      });
      const client = await connect(world);
      try {
        const { prompts } = await client.listPrompts();
        const names = prompts.map((prompt) => prompt.name);
        for (const wanted of ["everything_simple-prompt", "old_ask", "new_ask"]) {
          assert.ok(names.includes(wanted), `${wanted} of ${names}`);
        }
        const { resources } = await client.listResources();
        const uris = resources.map(({ uri }) => uri);
        for (const wanted of ["shared:note", "old:only", "mcp+new:shared:note", "new:only"]) {
          assert.ok(uris.includes(wanted), `${wanted} of ${uris}`);
        }
        const { resourceTemplates } = await client.listResourceTemplates();
        assert.deepEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate), [
          "demo://resource/dynamic/text/{resourceId}",
          "demo://resource/dynamic/blob/{resourceId}",
          "shared://{id}",
          "old://item/{id}",
          "mcp+new:shared://{id}",
          "new://item/{id}",
        ]);
        for (const uri of [...uris, "demo://resource/dynamic/blob/2", "mcp+new:shared://x"]) {
          const { contents } = await client.readResource({ uri });
          assert.equal(contents[0]?.uri, uri);
        }
        for (const prompt of ["old_ask", "new_ask"]) {
          const { messages } = await client.getPrompt({
            name: prompt,
            arguments: { what: "time" },
          });
          assert.equal(messages.length, 1);
        }
        const { completion } = await client.complete({
          ref: { type: "ref/prompt", name: "everything_completable-prompt" },
          argument: { name: "name", value: "A" },
          context: { arguments: { department: "Engineering" } },
        });
        assert.deepEqual(completion.values, ["Alice"]);
        await assert.rejects(client.readResource({ uri: "nobody:has" }), /nobody:has/);
        await assert.rejects(client.getPrompt({ name: "old_nothing" }), /Unknown prompt/);
      } finally {
        await client.close();
      }
    },
  );
}
