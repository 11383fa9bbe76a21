import { CLINE } from "../../known_agents.ts";
import { processesOfHome } from "../../../harness/living_processes.ts";
import { startAcp } from "../acp.ts";
import type { HostDriver, LabPlace, RunningHost } from "../host_driver.ts";

/** What is in the command line of the process that it leaves running. */
const HUB = "--cline-hub-daemon";

/** Cline's program for the terminal. */
export const CLINE_DRIVER: HostDriver = {
  agent: CLINE,
  kind: "cline",
  habits: { listChanged: "ignores", forgets: true, late: false, restartsServers: false },
  async configure({ home, model }): Promise<void> {
    const provider = "openai-compatible";
    const settings = {
      provider,
      apiKey: "made-up",
      model: "fake-model",
      baseUrl: `${model}/v1`,
    };
    await home.write("home/.cline/data/settings/providers.json", {
      version: 1,
      lastUsedProvider: provider,
      modes: {},
      providers: {
        [provider]: { settings, updatedAt: "2026-01-01T00:00:00.000Z", tokenSource: "manual" },
      },
    });
  },
  async enter({ home }, server): Promise<void> {
    const lab = { ...server, disabled: false, autoApprove: ["alpha", "beta", "gamma"] };
    await home.write("home/.cline/data/settings/cline_mcp_settings.json", { mcpServers: { lab } });
  },
  start,
};

async function start({ home }: LabPlace): Promise<RunningHost> {
  const host = await startAcp(CLINE, ["--acp"], {
    home,
    env: {
      CLINE_API_KEY: "made-up",
      CLINE_PROVIDER: "openai-compatible",
      CLINE_MODEL: "fake-model",
    },
  });
  return {
    ...host,
    async close(): Promise<void> {
      await host.close();
      // It belongs to this home alone, but waits for other programs of it.
      for (const { pid, commandLine } of await processesOfHome(home.home)) {
        if (commandLine.includes(HUB)) Deno.kill(pid, "SIGTERM");
      }
    },
  };
}
