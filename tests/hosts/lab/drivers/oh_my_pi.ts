import { OH_MY_PI } from "../../known_agents.ts";
import type { HostDriver, RunningHost } from "../host_driver.ts";
import { startRpc } from "./pi.ts";

/** oh-my-pi. */
export const OH_MY_PI_DRIVER: HostDriver = {
  agent: OH_MY_PI,
  kind: "omp",
  habits: { listChanged: "refreshes", forgets: true, late: true, restartsServers: true },
  async configure({ home, model }): Promise<void> {
    await home.write(
      "home/.omp/agent/models.yml",
      `providers:
  lab:
    baseUrl: ${model}/v1
    api: openai-completions
    apiKey: made-up
    models:
      - { id: fake-model, name: fake-model, contextWindow: 100000, maxTokens: 1000 }
`,
    );
  },
  async enter({ home }, lab): Promise<void> {
    await home.write("home/.omp/agent/mcp.json", { mcpServers: { lab } });
    // It shows servers' tools as devices otherwise.
    await home.write("home/.omp/agent/config.yml", "tools:\n  xdev: false\n");
  },
  start({ home }): Promise<RunningHost> {
    const flags = ["--mode", "rpc", "--model", "lab/fake-model", "--no-session", "--no-title"];
    return startRpc(OH_MY_PI, [...flags, "--no-lsp"], "agent_end", home);
  },
};
