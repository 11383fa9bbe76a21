// The client under test of the conformance suite: it connects to the server of its argument as
// Hotplug does and plays the scenario that the environment names.
import { connectToServer } from "../../mod.ts";
import { currentMachine } from "../../src/platform/machine.ts";
import { HANDLERS } from "./answers.ts";
import { playScenario } from "./scenarios.ts";

/** Connects, plays and closes. @throws What any of it throws, and when the wrong era was spoken. */
async function play(url: string, env: Readonly<Record<string, string>>): Promise<void> {
  const scenario = env["MCP_CONFORMANCE_SCENARIO"] ?? "";
  const revision = env["MCP_CONFORMANCE_PROTOCOL_VERSION"] ?? "";
  const context = JSON.parse(env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");
  const machine = currentMachine();
  const config = { type: "streamable_http", url, env: {}, headers: {}, cwd: machine.cwd } as const;
  const limits = { timeout: 15_000, callTimeout: 15_000 };
  // The protocol is left to be negotiated, as it is for users.
  const options = { ...limits, environment: {}, machine, handlers: HANDLERS };
  const connection = await connectToServer(scenario, config, options);
  try {
    const { era, version } = connection.protocol;
    if (era !== (revision >= "2026-07-28" ? "modern" : "legacy")) {
      throw new Error(`Cannot play ${revision}: ${version} was agreed on`);
    }
    await playScenario(scenario, connection, context);
  } finally {
    await connection.close();
  }
}

try {
  await play(Deno.args.at(-1) ?? "", Deno.env.toObject());
} catch (thrown) {
  await Deno.stderr.write(new TextEncoder().encode(`${thrown}\n`));
  Deno.exitCode = 1;
}
