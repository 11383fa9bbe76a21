import { isJsonObject, type JsonValue } from "../../../../src/model/json.ts";
import { CODEX } from "../../known_agents.ts";
import { startAgent } from "../agent_process.ts";
import type { HostDriver, LabPlace, RunningHost } from "../host_driver.ts";
import { jsonRpc } from "../json_rpc.ts";

const CONFIG = "home/.codex/config.toml";

/** Codex. It declares tools itself only for a model that it does not know. */
export const CODEX_DRIVER: HostDriver = {
  agent: CODEX,
  kind: "codex",
  habits: { listChanged: "refreshes", forgets: true, late: true, restartsServers: false },
  configure: (place) => configure(place),
  async enter(place, { command, args, env }): Promise<void> {
    const pairs = Object.entries(env).map(([name, value]) => `${name} = ${toml(value)}`);
    await configure(
      place,
      `[features]
mcp_tool_list_changed = true

[mcp_servers.lab]
command = ${toml(command)}
args = ${toml(args)}
env = { ${pairs.join(", ")} }
`,
    );
  },
  start,
};

/** TOML's strings and lists of them are written as JSON's are. */
function toml(value: JsonValue): string {
  return JSON.stringify(value);
}

async function configure({ home, model }: LabPlace, more = ""): Promise<void> {
  await home.write(
    CONFIG,
    `model = "fake-model"
model_provider = "lab"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.lab]
name = "lab"
base_url = "${model}/v1"
wire_api = "responses"
env_key = "LAB_KEY"
request_max_retries = 0
stream_max_retries = 0

[projects.${toml(home.project)}]
trust_level = "trusted"

${more}`,
  );
}

async function start({ home }: LabPlace): Promise<RunningHost> {
  const running = await startAgent(CODEX, ["app-server"], {
    home,
    env: { CODEX_HOME: `${home.home}/.codex`, LAB_KEY: "made-up" },
  });
  const rpc = jsonRpc(running);
  try {
    await rpc.request("initialize", {
      clientInfo: { name: "lab", title: "lab", version: "1" },
      capabilities: { experimentalApi: true },
    });
    rpc.notify("initialized", {});
    const { thread } = await rpc.request("thread/start", { cwd: home.project });
    const threadId = isJsonObject(thread) ? thread["id"] : undefined;
    return {
      pid: running.pid,
      request: rpc.request,
      async prompt(text): Promise<void> {
        const done = running.next(({ method }) => method === "turn/completed", "turn/completed");
        await rpc.request("turn/start", { threadId, input: [{ type: "text", text }] });
        await done;
      },
      tail: running.tail,
      close: running.end,
    };
  } catch (error) {
    await running.end();
    throw error;
  }
}
