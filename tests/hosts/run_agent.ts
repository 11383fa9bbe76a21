import type { Readable } from "node:stream";
import { endGroup } from "../../src/platform/end_group.ts";
import { newMark } from "../../src/platform/live_groups.ts";
import { spawnGroup } from "../../src/platform/process_group.ts";
import { endProcesses, leftoversOfHome } from "../harness/living_processes.ts";
import type { TempHome } from "../harness/temp_home.ts";
import { type Agent, installed } from "./agents.ts";

/** What a run of an agent takes. */
export interface AgentOptions {
  /** The home that it lives in. */
  readonly home: TempHome;
  /** Working folder. Default: the home's project. */
  readonly cwd?: string;
  /** Variables beyond those of the home and the agent. */
  readonly env?: Readonly<Record<string, string>>;
  /** Text for stdin. Default: none. */
  readonly stdin?: string;
}

/** How a run of an agent ended. */
export interface AgentRun {
  /** Exit status; -1 when a signal ended it. */
  readonly code: number;
  /** All of stdout, without colours. */
  readonly stdout: string;
  /** All of stderr, without colours. */
  readonly stderr: string;
}

/** Longest time of one run in milliseconds. */
const LIMIT_MS = 60_000;

/** Longest time for the rest of the output, which a process that lives on may hold open. */
const OUTPUT_MS = 500;

/** The whole environment of an agent that lives in a home. */
export async function environmentOf(
  agent: Agent,
  { home, env }: AgentOptions,
): Promise<Readonly<Record<string, string>>> {
  return {
    ...home.env,
    XDG_DATA_HOME: `${home.home}/.local/share`,
    NO_COLOR: "1",
    CI: "1",
    DO_NOT_TRACK: "1",
    ...(await installed(agent)).env,
    ...env,
  };
}

/** Runs an agent to its end, and ends whatever it started. Fails after a minute. */
export async function run(
  agent: Agent,
  args: readonly string[],
  options: AgentOptions,
): Promise<AgentRun> {
  const { command: [program, ...first] } = await installed(agent);
  const mark = newMark();
  const group = await spawnGroup({
    program,
    args: [...first, ...args],
    cwd: options.cwd ?? options.home.project,
    env: await environmentOf(agent, options),
    mark,
  });
  const [stdout, stderr] = [collect(group.stdout), collect(group.stderr)];
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), LIMIT_MS);
  try {
    group.stdin.end(options.stdin ?? "");
    const exit = await Promise.race([group.exited, late.promise]);
    const texts = { stdout: await stdout(), stderr: await stderr() };
    if (exit !== null) return { code: exit.code ?? -1, ...texts };
    const what = `${agent.name} ${args.join(" ")}`;
    throw new Error(`${what} still ran after ${LIMIT_MS} ms\n${texts.stdout}\n${texts.stderr}`);
  } finally {
    clearTimeout(timer);
    await endGroup(group, mark, { stdinGraceMs: 0, termGraceMs: 200 });
    endProcesses(await leftoversOfHome(options.home.home, 0));
  }
}

/** Reads a stream; what is given gives its text, at the latest a moment after it is called. */
function collect(stream: Readable): () => Promise<string> {
  let text = "";
  const ended = new Promise<void>((resolve) => stream.once("close", resolve));
  stream.setEncoding("utf8").on("data", (piece: string) => text += piece);
  return async () => {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, OUTPUT_MS);
    await Promise.race([ended, late.promise]);
    clearTimeout(timer);
    // deno-lint-ignore no-control-regex -- colours are control characters
    return text.replaceAll(/\x1b\[[0-9;]*m/g, "");
  };
}
