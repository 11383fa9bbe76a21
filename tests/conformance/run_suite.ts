import { join, relative } from "node:path";
import { endProcesses, leftoversOfHome, type LivingProcess } from "../harness/living_processes.ts";
import { fromRepository, npmSpecifier } from "../harness/repository.ts";
import { makeTempHome } from "../harness/temp_home.ts";
import { type Check, scenarioOfFolder, type ScenarioResult } from "./results.ts";

/** The revisions whose requirements the suite has frozen. */
export type Revision = "2025-11-25" | "2026-07-28";

/** A file in the suite's own format: the scenarios that may fail. */
export const EXPECTED_FAILURES: string = fromRepository("tests/conformance/expected_failures.yml");

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

/** The command of the client under test. */
export function clientCommand(): string {
  const client = fromRepository("tests/conformance/client.ts");
  const words = [Deno.execPath(), ...DENO, ...locked(), "--no-check", client];
  // The suite splits it at spaces and gives it, joined again, to a shell.
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}

/**
 * Runs the client leg of the suite over the requirements of one revision: every scenario at once,
 * each with a server and a client of its own. Exit codes of the client do not count.
 */
export function runRequirements(revision: Revision, command: string): Promise<SuiteRun> {
  const baseline = ["--expected-failures", EXPECTED_FAILURES];
  return runSuite(command, ["--requirements", revision, ...baseline]);
}

/**
 * Runs one scenario. It fails also when the client does. Only alone is every message held against
 * the schema of the revision: the suite loses sight of its servers when several run in one Deno.
 */
export function runScenario(
  revision: Revision,
  scenario: string,
  command: string,
): Promise<SuiteRun> {
  return runSuite(command, ["--scenario", scenario, "--spec-version", revision]);
}

/** Runs the suite in a home that is removed afterwards. */
async function runSuite(command: string, selection: readonly string[]): Promise<SuiteRun> {
  const home = await makeTempHome();
  const folder = join(home.root, "results");
  const suite = npmSpecifier("@modelcontextprotocol/conformance");
  const limit = ["--timeout", String(SCENARIO_MS)];
  const options = ["--command", command, "--output-dir", folder, ...limit, ...selection];
  const child = new Deno.Command(Deno.execPath(), {
    args: [...DENO, ...locked(), suite, "client", ...options],
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

/** Flags that hold a program to the locked versions. */
function locked(): readonly string[] {
  return ["--config", fromRepository("deno.json"), "--cached-only"];
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
      stderr: await Deno.readTextFile(join(folder, "stderr.txt")),
    });
  }
  return results;
}
