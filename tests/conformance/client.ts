// The client under test of the conformance suite: it connects to the server of its argument as
// Hotplug does and plays the scenario that the environment names.
import { connectToServer } from "../../mod.ts";
import { currentMachine } from "../../src/platform/machine.ts";
import { HANDLERS } from "./answers.ts";
import { playScenario } from "./scenarios.ts";

const scenario = Deno.env.get("MCP_CONFORMANCE_SCENARIO") ?? "";
const context = JSON.parse(Deno.env.get("MCP_CONFORMANCE_CONTEXT") ?? "{}");
const url = Deno.args.at(-1) ?? "";
const machine = currentMachine();
const config = { type: "streamable_http", url, env: {}, headers: {}, cwd: machine.cwd } as const;
// The protocol is left to be negotiated, as it is for users.
const options = {
  timeout: 15_000,
  callTimeout: 15_000,
  environment: {},
  machine,
  handlers: HANDLERS,
};

const connection = await connectToServer(scenario, config, options);
try {
  await playScenario(scenario, connection, context);
} finally {
  await connection.close();
}
