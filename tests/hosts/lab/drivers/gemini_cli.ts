import { startAcp } from "../acp.ts";
import { GEMINI_CLI } from "../../known_agents.ts";
import type { HostDriver, LabPlace } from "../host_driver.ts";

/** Gemini CLI. It starts each server twice: for itself and for the session. */
export const GEMINI_CLI_DRIVER: HostDriver = {
  agent: GEMINI_CLI,
  kind: "gemini",
  habits: { listChanged: "refreshes", forgets: true, late: false, restartsServers: false },
  configure: (place) => configure(place, {}),
  enter: (place, server) => configure(place, { lab: { ...server, trust: true } }),
  start: ({ home, model }) =>
    startAcp(GEMINI_CLI, ["--acp", "--yolo", "--skip-trust", "-m", "gemini-2.5-flash"], {
      home,
      env: {
        GEMINI_API_KEY: "made-up",
        GOOGLE_GEMINI_BASE_URL: model,
        GEMINI_TELEMETRY_ENABLED: "false",
      },
      // It does not end with its stdin.
      graceMs: 0,
    }),
};

async function configure(
  { home }: LabPlace,
  mcpServers: Readonly<Record<string, object>>,
): Promise<void> {
  await home.write("home/.gemini/settings.json", {
    security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { disableAutoUpdate: true },
    mcpServers,
  });
}
