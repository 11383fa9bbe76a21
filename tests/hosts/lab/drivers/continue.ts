import type { JsonObject } from "../../../../src/model/json.ts";
import { until } from "../../../harness/until.ts";
import { CONTINUE } from "../../known_agents.ts";
import { LIMIT_MS, startAgent } from "../agent_process.ts";
import type { HostDriver, LabPlace, RunningHost } from "../host_driver.ts";

const CONFIG = "home/.continue/config.yaml";

/** Continue's program for the terminal, over its own HTTP server. It puts no prefix before names. */
export const CONTINUE_DRIVER: HostDriver = {
  agent: CONTINUE,
  kind: "continue",
  habits: { listChanged: "ignores", forgets: true, late: false, restartsServers: false },
  configure: (place) => configure(place),
  enter: (place, { command, args, env }) => {
    // A list of YAML may be written as JSON's.
    const servers = [{ name: "lab", command, args, env }];
    return configure(place, `mcpServers: ${JSON.stringify(servers)}\n`);
  },
  start,
};

async function configure({ home, model }: LabPlace, more = ""): Promise<void> {
  await home.write(
    CONFIG,
    `name: lab
version: 1.0.0
schema: v1
models:
  - name: fake-model
    provider: openai
    model: fake-model
    apiKey: made-up
    apiBase: ${model}/v1
    useResponsesApi: false
    capabilities: [tool_use]
    roles: [chat]
${more}`,
  );
}

async function start({ home }: LabPlace): Promise<RunningHost> {
  const port = freePort();
  const config = `${home.root}/${CONFIG}`;
  const flags = ["serve", "--config", config, "--auto", "--port", `${port}`];
  // It does not end with its stdin.
  const running = await startAgent(CONTINUE, flags, {
    home,
    env: { CONTINUE_GLOBAL_DIR: `${home.home}/.continue` },
    graceMs: 0,
  });
  const ask = async (path: string, message?: string): Promise<JsonObject> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      signal: AbortSignal.timeout(LIMIT_MS),
      ...(message === undefined ? {} : {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ message }),
      }),
    });
    return await response.json();
  };
  try {
    await until(() => ask("/state").then(() => true, () => false), LIMIT_MS);
    return {
      pid: running.pid,
      async prompt(text): Promise<void> {
        await ask("/message", text);
        await until(async () => (await ask("/state"))["isProcessing"] === false, LIMIT_MS);
      },
      tail: running.tail,
      close: running.end,
    };
  } catch (error) {
    await running.end();
    throw new Error(running.tail(), { cause: error });
  }
}

/** A port that was free a moment ago: the program cannot be told to choose one itself. */
function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}
