import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/model/json.ts";
import type { Agent } from "../agents.ts";
import { type AgentProcessOptions, startAgent } from "./agent_process.ts";
import type { RunningHost } from "./host_driver.ts";
import { jsonRpc } from "./json_rpc.ts";

/** Starts a host agent that speaks the Agent Client Protocol, with one session in the project. */
export async function startAcp(
  agent: Agent,
  args: readonly string[],
  options: AgentProcessOptions,
): Promise<RunningHost> {
  const running = await startAgent(agent, args, options);
  const rpc = jsonRpc(running, { "session/request_permission": allowed });
  try {
    await rpc.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false } },
    });
    const { sessionId } = await rpc.request("session/new", {
      cwd: options.home.project,
      mcpServers: [],
    });
    return {
      pid: running.pid,
      request: rpc.request,
      async prompt(text): Promise<void> {
        await rpc.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
      },
      tail: running.tail,
      close: running.end,
    };
  } catch (error) {
    await running.end();
    throw error;
  }
}

/** The answer that allows what is asked, once or for good. */
function allowed({ options }: JsonObject): JsonValue {
  const offered = Array.isArray(options) ? options.filter(isJsonObject) : [];
  const option = offered.find(({ kind }) => kind === "allow_always") ??
    offered.find(({ kind }) => kind === "allow_once");
  return { outcome: { outcome: "selected", optionId: option?.["optionId"] } };
}
