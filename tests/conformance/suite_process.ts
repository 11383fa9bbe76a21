import { join, relative } from "node:path";
import { endProcesses, leftoversOfHome, type LivingProcess } from "../harness/living_processes.ts";
import { fromRepository, npmSpecifier } from "../harness/repository.ts";
import { makeTempHome } from "../harness/temp_home.ts";
import { type Check, scenarioOfFolder, type ScenarioResult } from "./results.ts";

/** The revisions whose requirements the suite has frozen. */
export type Revision = "2025-11-25" | "2026-07-28";

/** What came of a run of the suite. */
export interface SuiteRun {
  /** Its verdict: 0 when all that is required passes, but for the expected failures. */
  readonly code: number;
  /** What it printed; of stderr, which tells each client's story at length, only the end. */
  readonly output: string;
  /** One result for each scenario. */
  readonly results: readonly ScenarioResult[];
  /** What still ran after its end; ended by now. */
  readonly leftovers: readonly LivingProcess[];
}

/** Longest time of a run in milliseconds. */
const LIMIT_MS = 180_000;

/** How much of the suite's stderr is shown, in characters. */
const STDERR_CHARS = 1_500;

/** Milliseconds for one scenario: all of them share the cores of a busy machine. */
const SCENARIO_MS = 90_000;

const DENO = ["run", "--quiet", "--no-prompt", "--allow-all"];

/** Flags that run a program under Deno, held to the locked versions. */
export function denoFlags(): readonly string[] {
  return [...DENO, "--config", fromRepository("deno.json"), "--cached-only"];
}

/** Runs a leg of the suite in a home that is removed afterwards. */
export async function runSuite(
  leg: "client" | "server",
  options: readonly string[],
): Promise<SuiteRun> {
  const home = await makeTempHome();
  const folder = join(home.root, "results");
  const suite = npmSpecifier("@modelcontextprotocol/conformance");
  const limit = ["--timeout", String(SCENARIO_MS)];
  const child = new Deno.Command(Deno.execPath(), {
    args: [...denoFlags(), suite, leg, "--output-dir", folder, ...limit, ...options],
    cwd: home.project,
    clearEnv: true,
    env: { ...home.env, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  try {
    const { code, stdout, stderr } = await child.output();
    const text = new TextDecoder();
    return {
      code,
      output: `${text.decode(stdout)}\n${text.decode(stderr).slice(-STDERR_CHARS)}`,
      results: await readResults(folder),
      leftovers: await leftoversOfHome(home.home),
    };
  } finally {
    clearTimeout(timer);
    endProcesses(await leftoversOfHome(home.home, 0));
    await home.remove();
  }
}

/** Reads the results of every scenario; their folders lie at any depth, as names have slashes. */
async function readResults(root: string, folder: string = root): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) results.push(...await readResults(root, path));
    if (entry.name !== "checks.json") continue;
    results.push({
      scenario: scenarioOfFolder(relative(root, folder)),
      checks: JSON.parse(await Deno.readTextFile(path)) as readonly Check[],
      stderr: await stderrIn(folder),
    });
  }
  return results;
}

/** What the client under test wrote; the server leg starts none. */
async function stderrIn(folder: string): Promise<string> {
  try {
    return await Deno.readTextFile(join(folder, "stderr.txt"));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
