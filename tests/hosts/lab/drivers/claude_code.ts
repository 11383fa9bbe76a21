import { CLAUDE_CODE } from "../../known_agents.ts";
import { startAgent } from "../agent_process.ts";
import type { HostDriver, LabPlace, RunningHost } from "../host_driver.ts";

/** Claude Code. Whoever is root must name the tools that it may call. */
export const CLAUDE_CODE_DRIVER: HostDriver = {
  agent: CLAUDE_CODE,
  kind: "claude-code",
  habits: { listChanged: "refreshes", forgets: false, late: false, restartsServers: true },
  async configure({ home }): Promise<void> {
    await home.write("home/.claude/settings.json", {
      permissions: { allow: ["mcp__lab", "mcp__hotplug", "mcp__plugin_hotplug_hotplug"] },
    });
  },
  async enter({ home }, server): Promise<void> {
    const lab = { type: "stdio", ...server, alwaysLoad: true };
    await home.write("home/.claude.json", { mcpServers: { lab } });
  },
  start,
};

async function start({ home, model }: LabPlace): Promise<RunningHost> {
  const json = ["--input-format", "stream-json", "--output-format", "stream-json"];
  const running = await startAgent(
    CLAUDE_CODE,
    ["-p", "--verbose", ...json, "--permission-mode", "dontAsk"],
    {
      home,
      env: {
        ANTHROPIC_BASE_URL: model,
        ANTHROPIC_API_KEY: "made-up",
        DISABLE_TELEMETRY: "1",
        DISABLE_ERROR_REPORTING: "1",
      },
    },
  );
  return {
    pid: running.pid,
    async prompt(text): Promise<void> {
      const done = running.next(({ type }) => type === "result", "result");
      running.send({ type: "user", message: { role: "user", content: [{ type: "text", text }] } });
      await done;
    },
    tail: running.tail,
    close: running.end,
  };
}
