// A host with a tracer of its own: starts the servers of the JSON in its argument, makes one call
// that works and one that fails, and prints the frames that were sent. With a traceparent as its second
// argument it forwards another call of that trace.
import type { ServerConfig } from "../../../src/model/definition.ts";
import type { WireTraceEvent } from "../../../src/model/wire_trace.ts";
import { MCPManager } from "../../../src/runtime/manager.ts";

const configs = JSON.parse(Deno.args[0] ?? "{}") as Readonly<Record<string, ServerConfig>>;
const frames: WireTraceEvent[] = [];
await using manager = new MCPManager({ trace: (event) => frames.push(event), logs: null });
await manager.connectServers(configs);
await manager.settled();
await manager.callTool("it", "echo", { text: "a value" });
await manager.getPrompt("it", "no-such-prompt", { topic: "a value" }).catch(() => {});
const [, traceparent] = Deno.args;
if (traceparent !== undefined) {
  const params = { name: "add", arguments: { a: 1, b: 2 }, _meta: { traceparent } };
  await manager.forward("it", "tools/call", params);
}
const sent = frames.filter(({ direction }) => direction === "sent");
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(sent)));
