/**
 * Measures what `mcp serve` adds to a call over stdio, against the same server without it in the
 * same run: one call after the other, and 500 in flight.
 *
 * `deno run -A bench/gateway.ts [--calls 5000] [--rounds 5]`
 *
 * Both are called by the same client, in turn, so that a busy moment of the machine hits both. The
 * figure of a column is that of its best round; `added` is the difference of the medians of calls
 * one after the other. `MCP_BIN` names a built file to be measured in place of `cli.ts`.
 *
 * It prints and never judges: a slow machine is no failure. Over HTTP, beside other gateways:
 * `bench/gateway_http.ts`; memory at rest: `bench/gateway_idle.ts`.
 * @module
 */
import { parseArgs } from "node:util";
import { program } from "../tests/harness/run_cli.ts";
import { trap } from "../tests/harness/servers.ts";
import { makeTempHome } from "../tests/harness/temp_home.ts";
import { best, measure, type Round } from "./gateway/load.ts";
import { openStdio } from "./gateway/stdio_client.ts";

/** Most milliseconds that the gateway may add to the median, and least calls a second. */
const BUDGET = { addedMs: 0.2, callsPerSecond: 15_000 };

/** Calls in flight in the second measurement. */
const IN_FLIGHT = 500;

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "5000" },
    rounds: { type: "string", default: "5" },
  },
});
const calls = Number(values.calls);
const load = { calls, together: calls * 4, inFlight: IN_FLIGHT };
const home = await makeTempHome();
try {
  await compare();
} finally {
  await home.remove();
}

async function compare(): Promise<void> {
  const server = trap("good");
  await home.write("home/.claude.json", { mcpServers: { s1: server } });
  const [command, ...first] = program();
  const direct = await openStdio([server.command, ...server.args], "echo", home);
  const gateway = await openStdio([command, ...first, "serve"], "s1_echo", home);
  const rounds: { readonly direct: Round; readonly gateway: Round }[] = [];
  for (let round = 0; round < Number(values.rounds) + 1; round++) {
    const both = {
      direct: await measure(() => direct.call(), load),
      gateway: await measure(() => gateway.call(), load),
    };
    // The first warms everything up.
    if (round > 0) rounds.push(both);
  }
  await Promise.all([direct.end(), gateway.end()]);
  const alone = best(rounds.map((round) => round.direct));
  const behind = best(rounds.map((round) => round.gateway));
  const line = (name: string, { p50, p99, together }: Round): string =>
    `${name.padEnd(10)}${p50.toFixed(3).padStart(8)}${p99.toFixed(3).padStart(8)}` +
    `${Math.round(together).toString().padStart(10)}\n`;
  const added = behind.p50 - alone.p50;
  await write(
    `${"".padEnd(10)}${"p50 ms".padStart(8)}${"p99 ms".padStart(8)}${"calls/s".padStart(10)}\n` +
      line("direct", alone) + line("mcp serve", behind) +
      `added ${added.toFixed(3)} ms (budget ${BUDGET.addedMs}), ` +
      `${Math.round(behind.together)} calls/s at ${IN_FLIGHT} in flight ` +
      `(budget ${BUDGET.callsPerSecond})\n`,
  );
}

async function write(text: string): Promise<void> {
  await Deno.stdout.write(new TextEncoder().encode(text));
}
