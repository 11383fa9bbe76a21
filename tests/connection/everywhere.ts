import { createMcpHandler } from "@modelcontextprotocol/server";
import { callTool } from "../../src/connection/calls.ts";
import type { MCPServerConnection } from "../../src/model/connection.ts";
import type { ResolvedConfig } from "../../src/model/definition.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { type Bench, withBench } from "./harness.ts";
import { serveAskingLegacy } from "./servers/asking_legacy.ts";
import { factory } from "./servers/asking_modern.ts";
import { toolNamed } from "./tool_named.ts";

/** What a tool of the server answers. */
export const text = async (
  connection: MCPServerConnection,
  name: string,
  args: JsonObject = {},
): Promise<string> =>
  String((await callTool(connection, toolNamed(name), args)).content[0]?.["text"]);

/** One server that asks: its era and how it is reached. */
export interface Place {
  readonly era: "legacy" | "modern";
  readonly config: Partial<ResolvedConfig>;
  /** Tells all who listen that a resource has changed. */
  readonly touch: (connection: MCPServerConnection, uri: string) => Promise<unknown>;
}

/** Runs a test at servers of both eras over both transports. */
export async function everywhere(
  test: (place: Place, bench: Bench) => Promise<void>,
): Promise<void> {
  const legacy = serveAskingLegacy();
  const handler = createMcpHandler(factory, { legacy: "reject" });
  const modern = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) => handler.fetch(request),
  );
  const touch: Place["touch"] = (connection, uri) => text(connection, "touch", { uri });
  const places = (bench: Bench): readonly Place[] => [
    { era: "legacy", config: bench.program("asking_legacy.ts"), touch },
    { era: "legacy", config: { url: `http://127.0.0.1:${legacy.addr.port}/mcp` }, touch },
    {
      era: "modern",
      config: { ...bench.program("asking_modern.ts"), protocol: "2026-07-28" },
      touch,
    },
    {
      era: "modern",
      config: { url: `http://127.0.0.1:${modern.addr.port}/mcp` },
      touch: (_connection, uri) => Promise.resolve(handler.notify.resourceUpdated(uri)),
    },
  ];
  try {
    await withBench(async (bench) => {
      for (const place of places(bench)) await test(place, bench);
    });
  } finally {
    await handler.close();
    await legacy.shutdown();
    await modern.shutdown();
  }
}
