import { fromRepository } from "../harness/repository.ts";
import { denoFlags, type Revision, runSuite, type SuiteRun } from "./suite_process.ts";

/** A file in the suite's own format: the scenarios that may fail. */
export const EXPECTED_FAILURES: string = fromRepository("tests/conformance/expected_failures.yml");

/** The command of the client under test. */
export function clientCommand(): string {
  const client = fromRepository("tests/conformance/client.ts");
  const words = [Deno.execPath(), ...denoFlags(), "--no-check", client];
  // The suite splits it at spaces and gives it, joined again, to a shell.
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}

/**
 * Runs the client leg of the suite over the requirements of one revision: every scenario at once,
 * each with a server and a client of its own. Exit codes of the client do not count.
 */
export function runRequirements(revision: Revision, command: string): Promise<SuiteRun> {
  const baseline = ["--expected-failures", EXPECTED_FAILURES];
  return runSuite("client", ["--command", command, "--requirements", revision, ...baseline]);
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
  return runSuite("client", [
    "--command",
    command,
    "--scenario",
    scenario,
    "--spec-version",
    revision,
  ]);
}
