import type { ServerCommand } from "../../../harness/servers.ts";
import type { Agent } from "../../agents.ts";
import { FORMER_PI, PI } from "../../known_agents.ts";
import { startAgent } from "../agent_process.ts";
import type { HostDriver, LabPlace, RunningHost } from "../host_driver.ts";

/** pi 1.6. */
export const PI_DRIVER: HostDriver = {
  agent: PI,
  kind: "pi",
  habits: { listChanged: "refreshes", forgets: true, late: false, restartsServers: true },
  configure,
  async enter({ home }, server: ServerCommand): Promise<void> {
    const lab = { ...server, exposure: "direct" };
    await home.write("home/.pi/agent/mcp.json", { mcpServers: { lab } });
  },
  start: (place) => start(PI, "agent_settled", place),
};

/** pi 0.73, which has no servers of its own. */
export const FORMER_PI_DRIVER: HostDriver = {
  agent: FORMER_PI,
  kind: "pi",
  habits: { listChanged: "ignores", forgets: true, late: false, restartsServers: false },
  withHook: { listChanged: "refreshes", restartsServers: true },
  configure,
  enter: null,
  start: (place) => start(FORMER_PI, "agent_end", place),
};

async function configure({ home, model }: LabPlace): Promise<void> {
  const fake = { id: "fake-model", contextWindow: 100_000, maxTokens: 1_000 };
  const lab = {
    baseUrl: `${model}/v1`,
    api: "openai-completions",
    apiKey: "made-up",
    compat: { supportsDeveloperRole: false },
    models: [fake],
  };
  await home.write("home/.pi/agent/models.json", { providers: { lab } });
}

async function start(agent: Agent, last: string, { home }: LabPlace): Promise<RunningHost> {
  const model = ["--provider", "lab", "--model", "fake-model"];
  const flags = ["--mode", "rpc", "--offline", "--no-session", ...model];
  return await startRpc(agent, flags, last, home);
}

/** Starts pi or what is made like it in its mode for programs; `last` is the event of a turn's end. */
export async function startRpc(
  agent: Agent,
  flags: readonly string[],
  last: string,
  home: LabPlace["home"],
): Promise<RunningHost> {
  const running = await startAgent(agent, flags, { home });
  let prompts = 0;
  return {
    pid: running.pid,
    async prompt(message): Promise<void> {
      const done = running.next(({ type }) => type === last, "end of the turn");
      running.send({ id: `p${++prompts}`, type: "prompt", message });
      await done;
    },
    tail: running.tail,
    close: running.end,
  };
}
