// A host with a tracer of its own: starts the servers of the JSON in its argument, makes one call
// that works and one that fails, and prints the frames that were sent.
import type { ServerConfig } from "../../../src/model/definition.ts";
import type { WireTraceEvent } from "../../../src/model/wire_trace.ts";
import { MCPManager } from "../../../src/runtime/manager.ts";
import { Telemetry } from "../../../src/runtime/telemetry.ts";

const configs = JSON.parse(Deno.args[0] ?? "{}") as Readonly<Record<string, ServerConfig>>;
const frames: WireTraceEvent[] = [];
await using manager = new MCPManager({ trace: (event) => frames.push(event), logs: null });
await manager.connectServers(configs);
await manager.settled();
const telemetry = new Telemetry(undefined);
for (const target of ["echo", "no-such-tool"]) {
  const args = { text: "a value" };
  const connection = manager.getConnection("it");
  const operation = { method: "tools/call", server: "it", target, args, connection };
  await telemetry.around(
    operation,
    ({ meta }) => manager.callTool("it", target, args, { meta }),
    ({ isError }) => isError,
  ).catch(() => {});
}
const sent = frames.filter(({ direction }) => direction === "sent");
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(sent)));
