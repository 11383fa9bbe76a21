/**
 * Measures how long short commands take, from source or as built, against their budgets:
 * `--version`, `--help`, `tools` from the cache, `status` of 1, 5 and 20 servers that answer at
 * once, and one `call` that starts its server.
 *
 * `deno task bench [--runs 20] [--peers]`
 *
 * Every figure is the wall time of a whole process, its servers' start and end included. Commands
 * of one row run in turn, after two runs that warm the caches, so that a busy moment of the
 * machine hits all of them. Compare minima where medians are close. `MCP_BIN` names a built file
 * to be measured in place of `cli.ts`.
 *
 * `--peers` runs other programs beside `status`, which then has its budget from the fastest of
 * them; nothing is installed. `PEER_CLAUDE` and `PEER_MCPORTER` are the paths of `claude` and
 * `mcporter`; one that is not set is left out. Without peers the budget comes from what they took
 * on the machine of the first measurement (claude 2.1.328).
 *
 * It prints and never judges: a slow machine is no failure.
 * @module
 */
import { parseArgs } from "node:util";
import { program, runCli } from "../tests/harness/run_cli.ts";
import { trap } from "../tests/harness/servers.ts";
import { makeTempHome, type TempHome } from "../tests/harness/temp_home.ts";

/** A command that is measured. */
interface Contestant {
  /** How the table calls it. */
  readonly name: string;
  /** Program and arguments. */
  readonly command: readonly [string, ...string[]];
}

/** Commands that do the same, and how long ours may take. */
interface Race {
  /** The world that they run in. */
  readonly home: TempHome;
  /** Ours first. */
  readonly contestants: readonly Contestant[];
  /** Most milliseconds for ours; with peers, a share of the fastest peer's median. */
  readonly budget: { readonly ms: number; readonly share?: number };
}

/** Wall times of one command, in milliseconds. */
interface Times {
  /** The command. */
  readonly name: string;
  /** The shortest run. */
  readonly min: number;
  /** The run in the middle. */
  readonly median: number;
}

/** Runs before those that count. */
const WARM_RUNS = 2;

/** Servers, the share of a peer's time that is allowed, and a peer's milliseconds without peers. */
const STATUS_ROWS = [[1, 0.5, 240], [5, 0.6, 300], [20, 0.85, 520]] as const;

const { values } = parseArgs({
  options: { runs: { type: "string", default: "20" }, peers: { type: "boolean", default: false } },
});
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error(`Cannot run ${values.runs} times`);
const homes: TempHome[] = [];
try {
  await measureAll();
} finally {
  await Promise.all(homes.map((home) => home.remove()));
}

async function measureAll(): Promise<void> {
  const approved = await approvedWorld();
  const alone = (budget: number, ...args: readonly string[]): Race => ({
    home: approved,
    contestants: [ours(args)],
    budget: { ms: budget },
  });
  await print(["command", "min ms", "median ms", "budget"]);
  for (
    const race of [
      alone(50, "--version"),
      alone(50, "--help"),
      alone(60, "tools"),
      alone(150, "call", "s1", "echo", "text=hello"),
      ...await Promise.all(STATUS_ROWS.map(statusRace)),
    ]
  ) await report(race);
}

/** `mcp status` of so many servers, and its peers. */
async function statusRace(
  [servers, share, peerMs]: typeof STATUS_ROWS[number],
): Promise<Race> {
  return {
    home: await userWorld(servers),
    contestants: [
      { ...ours(["status"]), name: `mcp status, ${servers}` },
      ...(values.peers ? peers() : []),
    ],
    budget: { ms: peerMs * share, share },
  };
}

/** A workspace whose one server is approved, and nothing else that could be read. */
async function approvedWorld(): Promise<TempHome> {
  const home = await newHome();
  await home.write("project/.mcp.json", { mcpServers: instantServers(1) });
  await mustRun(home, ["trust", "--yes"]);
  await mustRun(home, ["tools"]);
  // The whole answer is kept only once no file that it depends on is younger than two seconds.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await mustRun(home, ["tools"]);
  return home;
}

/** Servers of the user, in the files where this program and its peers find them. */
async function userWorld(servers: number): Promise<TempHome> {
  const home = await newHome();
  const mcpServers = instantServers(servers);
  await home.write("home/.claude.json", { mcpServers });
  if (values.peers) await home.write("project/config/mcporter.json", { mcpServers, imports: [] });
  await mustRun(home, ["status"]);
  return home;
}

async function newHome(): Promise<TempHome> {
  const home = await makeTempHome();
  homes.push(home);
  return home;
}

/** Servers that differ in a variable: of equal ones only the first would run. */
function instantServers(count: number): Readonly<Record<string, object>> {
  const server = trap("good");
  const names = Array.from({ length: count }, (_, index) => `s${index + 1}`);
  return Object.fromEntries(
    names.map((name) => [name, { ...server, env: { ...server.env, INSTANCE: name } }]),
  );
}

function ours(args: readonly string[]): Contestant {
  const [command, ...first] = program();
  return { name: `mcp ${args[0]}`, command: [command, ...first, ...args] };
}

/** The peers whose paths the environment names. */
function peers(): readonly Contestant[] {
  return [
    { name: "claude mcp list", path: Deno.env.get("PEER_CLAUDE"), args: ["mcp", "list"] },
    { name: "mcporter list", path: Deno.env.get("PEER_MCPORTER"), args: ["list"] },
  ].flatMap(({ name, path, args }) => path ? [{ name, command: [path, ...args] }] : []);
}

/** Runs our program, which must succeed: a failure is fast and would be no measurement. */
async function mustRun(home: TempHome, args: readonly string[]): Promise<void> {
  const { code, stderr } = await runCli(args, { cwd: home.project, env: home.env });
  if (code !== 0) throw new Error(`mcp ${args.join(" ")} ended with ${code}\n${stderr}`);
}

/** Measures a race and prints a line for each of its commands. */
async function report({ home, contestants, budget }: Race): Promise<void> {
  const times = await measure(home, contestants);
  const others = times.slice(1).map(({ median }) => median);
  const ms = others.length > 0 ? Math.min(...others) * (budget.share ?? 1) : budget.ms;
  for (const [index, { name, min, median }] of times.entries()) {
    await print([name, min.toFixed(0), median.toFixed(0), index === 0 ? ms.toFixed(0) : "peer"]);
  }
}

/** Runs the commands in turn. */
async function measure(
  home: TempHome,
  contestants: readonly Contestant[],
): Promise<readonly Times[]> {
  const measured = contestants.map(({ name }) => ({ name, times: [] as number[] }));
  for (let run = -WARM_RUNS; run < runs; run++) {
    for (const [index, contestant] of contestants.entries()) {
      const time = await timeOf(home, contestant);
      if (run >= 0) measured[index]?.times.push(time);
    }
  }
  return measured.map(({ name, times }) => {
    const sorted = times.toSorted((a, b) => a - b);
    return { name, min: sorted[0] ?? NaN, median: sorted[Math.floor(sorted.length / 2)] ?? NaN };
  });
}

/** Milliseconds of one run. */
async function timeOf(home: TempHome, { name, command }: Contestant): Promise<number> {
  const [path, ...args] = command;
  const start = performance.now();
  const { code, stderr } = await new Deno.Command(path, {
    args,
    cwd: home.project,
    clearEnv: true,
    env: { ...home.env },
    stdin: "null",
  }).output();
  const time = performance.now() - start;
  if (code !== 0) {
    throw new Error(`${name} ended with ${code}\n${new TextDecoder().decode(stderr)}`);
  }
  return time;
}

/** Prints one line of the table. */
async function print([name = "", ...figures]: readonly string[]): Promise<void> {
  const line = `${name.padEnd(18)}${figures.map((figure) => figure.padStart(11)).join("")}\n`;
  await Deno.stdout.write(new TextEncoder().encode(line));
}
