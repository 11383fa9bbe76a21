import assert from "node:assert/strict";
import { e2e, succeeded, type World } from "../../harness/e2e.ts";
import { type HttpServer, startConformanceServer } from "../../harness/http_servers.ts";
import { conformanceServer } from "../../harness/servers.ts";
import { hasPassed, score, summary } from "../results.ts";
import type { Revision } from "../suite_process.ts";
import { expectedFailures } from "./expected_failures.ts";
import { serveGateway } from "./served_gateway.ts";
import { runServerSuite, type ServerRun } from "./server_suite.ts";

type Era = "legacy" | "modern";
type Transport = "stdio" | "http";

/** How many scenarios each revision requires. */
const REQUIRED: readonly (readonly [Revision, number])[] = [["2025-11-25", 30], ["2026-07-28", 37]];

for (const era of ["legacy", "modern"] as const) {
  for (const transport of ["stdio", "http"] as const) {
    for (const [revision, required] of REQUIRED) {
      e2e(
        `a gateway before the ${era} fixture over ${transport} speaks ${revision} to the suite`,
        async (world) => {
          const run = await runThroughGateway(world, era, transport, revision);
          const list = `gateway before the ${era} fixture, ${revision}`;
          const split = score(
            [...run.required, ...run.unscored],
            await expectedFailures(list),
          );
          assert.equal(run.required.length, required, run.output);
          assert.deepEqual(split.unexpected, [], split.unexpected.join("\n"));
          assert.deepEqual(split.stale, [], "These pass: take them out of expected_failures.yml");
          assert.ok(run.required.filter(hasPassed).length >= required - 5, summary(list, split));
        },
      );
    }
  }
}

/** Runs the suite against a gateway with one server, of which each host has its own. */
async function runThroughGateway(
  world: World,
  era: Era,
  transport: Transport,
  revision: Revision,
): Promise<ServerRun> {
  const server = transport === "http" ? await startConformanceServer(world, era) : null;
  try {
    await world.storeServers({ fixture: { ...entryOf(era, server), share: false } });
    succeeded(await world.mcp(["enable", "fixture"]));
    const gateway = await serveGateway(world);
    try {
      await callOnce(gateway.url);
      const run = await runServerSuite(gateway.url, revision);
      return { ...run, output: `${run.output}\n${gateway.said()}` };
    } finally {
      await gateway.close();
    }
  } finally {
    await server?.close();
  }
}

/**
 * Calls a tool as a host that can elicit. The suite does so once with 600 ms for the answer, in which
 * a busy machine cannot start a server for the first host that can do just this.
 */
async function callOnce(url: string): Promise<void> {
  const name = "test_simple_text";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: {}, _meta },
    }),
  });
  assert.equal(response.status, 200, await response.text());
}

/** The definition of a fixture: by its command, or by where it is served. */
function entryOf(era: Era, server: HttpServer | null): object {
  return server === null ? { ...conformanceServer(era) } : { url: server.url };
}
