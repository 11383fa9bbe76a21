import { QWEN_CODE } from "../../known_agents.ts";
import { startAcp } from "../acp.ts";
import type { HostDriver, LabPlace } from "../host_driver.ts";

/** Qwen Code. Its client may have it start a server anew, which is its only way to new tools. */
export const QWEN_CODE_DRIVER: HostDriver = {
  agent: QWEN_CODE,
  kind: "qwen",
  habits: { listChanged: "ignores", forgets: true, late: true, restartsServers: false },
  configure: (place) => configure(place, {}),
  enter: (place, server) =>
    configure(place, { lab: { ...server, trust: true, alwaysLoadTools: true } }),
  async renew({ request }): Promise<void> {
    await request?.("qwen/control/workspace/mcp/restart", { serverName: "hotplug" });
  },
  start: ({ home, model }) =>
    startAcp(QWEN_CODE, ["--acp", "--yolo", "--auth-type", "openai", "-m", "fake-model"], {
      home,
      env: {
        OPENAI_API_KEY: "made-up",
        OPENAI_BASE_URL: `${model}/v1`,
        OPENAI_MODEL: "fake-model",
      },
    }),
};

async function configure(
  { home }: LabPlace,
  mcpServers: Readonly<Record<string, object>>,
): Promise<void> {
  await home.write("home/.qwen/settings.json", {
    security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { disableAutoUpdate: true },
    mcpServers,
  });
}
