/**
 * Measures `mcp serve --http` beside other gateways, each in front of the same instant server:
 * calls one after the other and 16 in flight, how soon the port answers, and memory.
 *
 * `deno task bench:gateway`, or alone:
 * `deno run -A bench/gateway_http.ts [--calls 2000] [--rounds 3] [--starts 3] [--in-flight 16]
 * [--only <name>] [--without <name>] [--check]`
 *
 * All are called by the same client, in turn, so that a busy moment of the machine hits all. The
 * figure of a column is that of the best round; the port's is the median. `peak` is the largest
 * process of the gateway, `sum` all its processes, both the most that they ever took, the server
 * behind it not counted. The other gateways are installed from npm into `dist/`; nothing has a
 * network but the machine's own where `unshare` works. `MCP_BIN` names a built file to be measured
 * in place of `cli.ts`. `dist/bench_gateway_http.json` gets every round.
 *
 * It prints and never judges, but for `--check`: exit status 1 when a ratio to the peers of the
 * same run is missed. No time alone is ever judged: a slow machine is no failure.
 * @module
 */
import { parseArgs } from "node:util";
import { fromRepository } from "../tests/harness/repository.ts";
import { program } from "../tests/harness/run_cli.ts";
import { makeTempHome } from "../tests/harness/temp_home.ts";
import {
  type Contender,
  fastServer,
  fastServerLine,
  hotplug,
  peerContenders,
} from "./gateway/contenders.ts";
import type { Era, HttpClient } from "../tests/harness/raw_http_client.ts";
import { best, measure, type Round } from "./gateway/load.ts";
import { withoutNetwork } from "./gateway/loopback.ts";
import { gatewayProcesses, type Memory, together } from "./gateway/memory.ts";
import { installPeers } from "./gateway/peers.ts";
import { type Running, start } from "./gateway/running.ts";
import { openStdio } from "./gateway/stdio_client.ts";

/** Ours to the best peer's, in the same run: DESIGN's budgets by the peers that they came from. */
const BUDGET = { p50: 0.85, together: 1.2, peak: 1 };

/** What was measured of one gateway in one era. */
interface Row {
  readonly name: string;
  readonly era: Era | "stdio";
  readonly rounds: readonly Round[];
  readonly portMs: readonly number[];
  readonly answerMs: readonly number[];
  readonly peak: Memory | null;
}

/** A gateway under way, with a client of each era that it speaks. */
interface Entrant {
  readonly contender: Contender;
  readonly running: Running;
  readonly lanes: readonly { readonly era: Era; readonly client: HttpClient; rounds: Round[] }[];
  readonly portMs: number[];
  readonly answerMs: number[];
}

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "2000" },
    rounds: { type: "string", default: "3" },
    starts: { type: "string", default: "3" },
    "in-flight": { type: "string", default: "16" },
    only: { type: "string", multiple: true },
    without: { type: "string", multiple: true, default: [] },
    check: { type: "boolean", default: false },
  },
});
const calls = Number(values.calls);
const load = { calls, together: calls, inFlight: Number(values["in-flight"]) };
const OURS = "mcp serve";

const peers = await installPeers();
const isAlone = await withoutNetwork();
const all = [hotplug(OURS, program()), ...peerContenders(peers)];
const contenders = all.filter(({ name }) =>
  (values.only ?? [name]).includes(name) && !values.without.includes(name)
);
const rows = await measureAll();
await print(rows);
await Deno.writeTextFile(
  fromRepository("dist/bench_gateway_http.json"),
  JSON.stringify({ ...load, isAlone, rows }, null, 2) + "\n",
);
const kept = await judge(rows);
if (values.check && !kept) Deno.exit(1);

async function measureAll(): Promise<readonly Row[]> {
  const starts = new Map<string, { readonly portMs: number; readonly answerMs: number }[]>();
  for (let turn = 1; turn < Number(values.starts); turn++) {
    for (const contender of contenders) {
      const running = await start(contender, 1);
      const { portMs, answerMs } = running;
      starts.set(contender.name, [...starts.get(contender.name) ?? [], { portMs, answerMs }]);
      await running.end();
    }
  }
  const entrants: Entrant[] = [];
  const home = await makeTempHome();
  const { command, args } = fastServer();
  const direct = await openStdio([command, ...args], "echo", home);
  const directRounds: Round[] = [];
  try {
    for (const contender of contenders) {
      entrants.push(await enter(contender, starts.get(contender.name) ?? []));
    }
    for (let round = 0; round < Number(values.rounds) + 1; round++) {
      // The first warms everything up.
      const counts = round > 0;
      const figures = await measure(() => direct.call(), load);
      if (counts) directRounds.push(figures);
      for (const { running: { tool }, lanes } of entrants) {
        for (const { client, rounds } of lanes) {
          const result = await measure(() => answered(client, tool), load);
          if (counts) rounds.push(result);
        }
      }
    }
    const own = await Promise.all(entrants.map(rowsOf));
    const alone = { rounds: directRounds, portMs: [], answerMs: [], peak: null };
    return [{ name: "no gateway", era: "stdio", ...alone }, ...own.flat()];
  } finally {
    await Promise.all([
      direct.end().then(() => home.remove()),
      ...entrants.map(async ({ running, lanes }) => {
        await Promise.all(lanes.map(({ client }) => client.close()));
        await running.end();
      }),
    ]);
  }
}

async function enter(
  contender: Contender,
  starts: readonly { readonly portMs: number; readonly answerMs: number }[],
): Promise<Entrant> {
  const running = await start(contender, 1);
  const all = [...starts, running];
  return {
    contender,
    running,
    portMs: all.map(({ portMs }) => portMs),
    answerMs: all.map(({ answerMs }) => answerMs),
    lanes: await Promise.all(
      contender.eras.map(async (era) => ({ era, client: await running.client(era), rounds: [] })),
    ),
  };
}

/** One call, whose answer must be its own. */
async function answered(client: HttpClient, tool: string): Promise<void> {
  const { content } = await client.call(tool, "hello");
  const [first] = content as readonly { readonly text?: string }[];
  if (first?.text !== "hello") throw new Error(JSON.stringify(content));
}

async function rowsOf(entrant: Entrant): Promise<readonly Row[]> {
  const { contender: { name }, running, lanes, portMs, answerMs } = entrant;
  const peak = together(await gatewayProcesses(running.home.home, fastServerLine()), "peak");
  return lanes.map(({ era, rounds }) => ({ name, era, rounds, portMs, answerMs, peak }));
}

async function print(all: readonly Row[]): Promise<void> {
  await line([
    isAlone ? "" : "(on the network)",
    ...["p50 ms", "p99 ms", "calls/s", `at ${load.inFlight}`],
    ...["port ms", "answer ms", "peak MiB", "sum MiB"],
  ]);
  for (const { name, era, rounds, portMs, answerMs, peak } of all) {
    const { p50, p99, alone, together } = best(rounds);
    await line([
      `${name}, ${era}`,
      ...[p50.toFixed(3), p99.toFixed(3), alone.toFixed(0), together.toFixed(0)],
      ...[median(portMs), median(answerMs)],
      ...[peak?.largest.toFixed(0) ?? "", peak?.sum.toFixed(0) ?? ""],
    ]);
  }
}

/** Prints our figures by those of the best peer; whether all are within their budgets. */
async function judge(all: readonly Row[]): Promise<boolean> {
  const legacy = all.filter(({ era }) => era === "legacy");
  const ours = legacy.find(({ name }) => name === OURS);
  const others = legacy.filter(({ name }) => name !== OURS);
  if (ours === undefined || others.length === 0) return true;
  const figures = others.map(({ rounds }) => best(rounds));
  const own = best(ours.rounds);
  const peakOf = ({ peak }: Row): number => peak?.largest ?? Number.NaN;
  const ratios = {
    p50: own.p50 / Math.min(...figures.map(({ p50 }) => p50)),
    together: own.together / Math.max(...figures.map((figure) => figure.together)),
    peak: peakOf(ours) / Math.min(...others.map(peakOf)),
  };
  const kept = {
    p50: ratios.p50 <= BUDGET.p50,
    together: ratios.together >= BUDGET.together,
    peak: ratios.peak <= BUDGET.peak,
  };
  const text = (key: keyof typeof BUDGET): string =>
    `${ratios[key].toFixed(2)} (budget ${BUDGET[key]}${kept[key] ? "" : ", MISSED"})`;
  await write(
    `to the best peer: p50 ${text("p50")}, calls/s at ${load.inFlight} ${text("together")}, ` +
      `peak ${text("peak")}\n`,
  );
  return Object.values(kept).every(Boolean);
}

function median(figures: readonly number[]): string {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]?.toFixed(0) ?? "";
}

async function line([name = "", ...figures]: readonly string[]): Promise<void> {
  await write(`${name.padEnd(22)}${figures.map((figure) => figure.padStart(10)).join("")}\n`);
}

async function write(text: string): Promise<void> {
  await Deno.stdout.write(new TextEncoder().encode(text));
}
