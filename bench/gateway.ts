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
 * It prints and never judges: a slow machine is no failure.
 * @module
 */
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { program } from "../tests/harness/run_cli.ts";
import { trap } from "../tests/harness/servers.ts";
import { makeTempHome, type TempHome } from "../tests/harness/temp_home.ts";

/** Most milliseconds that the gateway may add to the median, and least calls a second. */
const BUDGET = { addedMs: 0.2, callsPerSecond: 15_000 };

/** Calls in flight in the second measurement. */
const IN_FLIGHT = 500;

/** A server that is called without anything between. */
interface Client {
  /** Calls the tool once. */
  call(): Promise<void>;
  /** Ends it, and waits for its end. */
  end(): Promise<void>;
}

/** What one round came to. */
interface Round {
  /** Milliseconds of the call in the middle. */
  readonly p50: number;
  /** Milliseconds that one call in a hundred takes longer than. */
  readonly p99: number;
  /** Calls a second, many in flight. */
  readonly rate: number;
}

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "5000" },
    rounds: { type: "string", default: "5" },
  },
});
const calls = Number(values.calls);
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
  const direct = await open([server.command, ...server.args], "echo", home);
  const gateway = await open([command, ...first, "serve"], "s1_echo", home);
  const rounds: { readonly direct: Round; readonly gateway: Round }[] = [];
  for (let round = 0; round < Number(values.rounds) + 1; round++) {
    const both = { direct: await measure(direct), gateway: await measure(gateway) };
    // The first warms everything up.
    if (round > 0) rounds.push(both);
  }
  await Promise.all([direct.end(), gateway.end()]);
  const best = (way: "direct" | "gateway"): Round => ({
    p50: Math.min(...rounds.map((round) => round[way].p50)),
    p99: Math.min(...rounds.map((round) => round[way].p99)),
    rate: Math.max(...rounds.map((round) => round[way].rate)),
  });
  const [alone, behind] = [best("direct"), best("gateway")];
  const line = (name: string, { p50, p99, rate }: Round): string =>
    `${name.padEnd(10)}${p50.toFixed(3).padStart(8)}${p99.toFixed(3).padStart(8)}` +
    `${Math.round(rate).toString().padStart(10)}\n`;
  const added = behind.p50 - alone.p50;
  await write(
    `${"".padEnd(10)}${"p50 ms".padStart(8)}${"p99 ms".padStart(8)}${"calls/s".padStart(10)}\n` +
      line("direct", alone) + line("mcp serve", behind) +
      `added ${added.toFixed(3)} ms (budget ${BUDGET.addedMs}), ` +
      `${Math.round(behind.rate)} calls/s at ${IN_FLIGHT} in flight ` +
      `(budget ${BUDGET.callsPerSecond})\n`,
  );
}

async function measure(client: Client): Promise<Round> {
  const times: number[] = [];
  for (let index = 0; index < calls; index++) {
    const start = performance.now();
    await client.call();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const start = performance.now();
  let left = calls * 4;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await client.call();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  return {
    p50: at(0.5),
    p99: at(0.99),
    rate: calls * 4 / ((performance.now() - start) / 1000),
  };
}

/** Starts a server, shakes hands with it and waits until its tool is there. */
async function open(
  [command = "", ...args]: readonly string[],
  tool: string,
  { env, project }: TempHome,
): Promise<Client> {
  const child = spawn(command, args, { cwd: project, env, stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const waiting = new Map<number, (answer: Record<string, unknown>) => void>();
  let rest = "";
  child.stdout.on("data", (chunk: Uint8Array) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const answer = JSON.parse(line) as Record<string, unknown>;
      const id = answer["id"] as number;
      waiting.get(id)?.(answer);
      waiting.delete(id);
    }
  });
  let last = 0;
  const ask = (method: string, params: object): Promise<Record<string, unknown>> =>
    new Promise((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  const clientInfo = { name: "bench", version: "1" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  child.stdin.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}\n`);
  const params = { name: tool, arguments: { text: "hello" } };
  const first = await ask("tools/call", params);
  if (!JSON.stringify(first).includes("hello")) throw new Error(JSON.stringify(first));
  return {
    call: async () => void await ask("tools/call", params),
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
}

async function write(text: string): Promise<void> {
  await Deno.stdout.write(new TextEncoder().encode(text));
}
