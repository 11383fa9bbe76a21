import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/model/json.ts";
import { OPENCODE } from "../../known_agents.ts";
import { LIMIT_MS, startAgent } from "../agent_process.ts";
import type { HostDriver, LabPlace, RunningHost } from "../host_driver.ts";

/** opencode, over its own HTTP server. */
export const OPENCODE_DRIVER: HostDriver = {
  agent: OPENCODE,
  kind: "opencode",
  habits: { listChanged: "refreshes", forgets: true, late: false, restartsServers: false },
  configure: (place) => configure(place, {}),
  enter: (place, { command, args, env }) => {
    const lab = { type: "local", command: [command, ...args], environment: env, enabled: true };
    return configure(place, { mcp: { lab } });
  },
  start,
};

async function configure({ home, model }: LabPlace, more: object): Promise<void> {
  await home.write("home/.config/opencode/opencode.json", {
    model: "lab/fake-model",
    small_model: "lab/fake-model",
    autoupdate: false,
    share: "disabled",
    permission: "allow",
    provider: {
      lab: {
        npm: "@ai-sdk/openai-compatible",
        name: "lab",
        options: { baseURL: `${model}/v1`, apiKey: "made-up" },
        models: {
          "fake-model": {
            name: "fake-model",
            tool_call: true,
            limit: { context: 100_000, output: 4_000 },
          },
        },
      },
    },
    ...more,
  });
}

async function start({ home }: LabPlace): Promise<RunningHost> {
  const flags = ["--port", "0", "--hostname", "127.0.0.1", "--print-logs"];
  // It does not end with its stdin.
  const running = await startAgent(OPENCODE, ["serve", ...flags], { home, graceMs: 0 });
  try {
    const url = await running.printed(/listening on (http:\S+)/);
    const post = async (path: string, body: object): Promise<JsonObject> => {
      const response = await fetch(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(LIMIT_MS),
      });
      const text = await response.text();
      assert.ok(response.ok, `${path}: ${response.status} ${text}\n${running.tail()}`);
      return JSON.parse(text) as JsonObject;
    };
    // With a title it asks its model for none.
    const { id } = await post("/session", { title: "lab" });
    const model = { providerID: "lab", modelID: "fake-model" };
    return {
      pid: running.pid,
      request: post,
      async prompt(text): Promise<void> {
        await post(`/session/${id}/message`, { model, parts: [{ type: "text", text }] });
      },
      tail: running.tail,
      close: running.end,
    };
  } catch (error) {
    await running.end();
    throw error;
  }
}
