import { COPILOT } from "../../known_agents.ts";
import { startAcp } from "../acp.ts";
import type { HostDriver } from "../host_driver.ts";

/** Copilot's program for the terminal. It lists again when it builds its next request. */
export const COPILOT_DRIVER: HostDriver = {
  agent: COPILOT,
  kind: "copilot",
  habits: { listChanged: "refreshes", forgets: true, late: false, restartsServers: false },
  configure: () => Promise.resolve(),
  async enter({ home }, server): Promise<void> {
    const lab = { type: "local", ...server, tools: ["*"] };
    await home.write("home/.copilot/mcp-config.json", { mcpServers: { lab } });
  },
  start: ({ home, model }) =>
    startAcp(COPILOT, ["--acp", "--allow-all-tools", "--no-auto-update"], {
      home,
      env: {
        COPILOT_HOME: `${home.home}/.copilot`,
        COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
        COPILOT_PROVIDER_TYPE: "openai",
        COPILOT_PROVIDER_API_KEY: "made-up",
        COPILOT_MODEL: "fake-model",
      },
    }),
};
