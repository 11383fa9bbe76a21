/** One check of a scenario, as the suite writes it to `checks.json`. */
export interface Check {
  /** Which rule it is about. */
  readonly id: string;
  /** `SUCCESS`, `FAILURE`, `WARNING`, `SKIPPED` or `INFO`. */
  readonly status: string;
  /** Why it failed. */
  readonly errorMessage?: string;
}

/** What came of one scenario. */
export interface ScenarioResult {
  /** Its name, such as `tools_call` or `auth/basic-cimd`. */
  readonly scenario: string;
  /** Its checks, in the order of the suite. */
  readonly checks: readonly Check[];
  /** What the client wrote to stderr. */
  readonly stderr: string;
}

/** How a run compares with the failures that were expected of it. */
export interface Score {
  /** Scenarios that passed. */
  readonly passed: readonly string[];
  /** Scenarios that failed though nobody expected it, with what went wrong. */
  readonly unexpected: readonly string[];
  /** Scenarios that failed as expected. */
  readonly expected: readonly string[];
  /** Scenarios that passed though they are listed as failures. */
  readonly stale: readonly string[];
}

/** What the suite puts behind the name of a scenario in the name of its folder. */
const TIME = /-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;

/** The scenario whose results a folder holds, given by its path below the output folder. */
export function scenarioOfFolder(path: string): string {
  return path.replaceAll("\\", "/").replace(TIME, "");
}

/**
 * Whether a scenario passed: no check failed or warned, and at least one succeeded. The suite
 * itself also ticks scenarios in which nothing was checked, so a client that does nothing gets
 * some.
 */
export function hasPassed({ checks }: ScenarioResult): boolean {
  return checks.some(({ status }) => status === "SUCCESS") &&
    checks.every((check) => !isBad(check));
}

/**
 * Compares a run with the failures that were expected of it: names of scenarios, or of single checks
 * of them as `scenario:check`. Checks that are expected to fail do not keep a scenario from passing
 * as expected; whatever else fails in it is unexpected.
 */
export function score(
  results: readonly ScenarioResult[],
  expectedFailures: ReadonlySet<string>,
): Score {
  const passed = results.filter(hasPassed);
  const failed = results.filter((result) => !hasPassed(result));
  const isExpected = (result: ScenarioResult): boolean =>
    expectedFailures.has(result.scenario) || hasPassed(without(result, expectedFailures));
  return {
    passed: namesOf(passed),
    unexpected: failed.filter((result) => !isExpected(result)).map(story).sort(),
    expected: namesOf(failed.filter(isExpected)),
    stale: results.flatMap((result) => staleIn(result, expectedFailures)).sort(),
  };
}

function namesOf(results: readonly ScenarioResult[]): readonly string[] {
  return results.map(({ scenario }) => scenario).sort();
}

/** A scenario without the checks that may fail. */
function without(
  { scenario, checks, stderr }: ScenarioResult,
  expectedFailures: ReadonlySet<string>,
): ScenarioResult {
  const rest = checks.filter(({ id }) => !expectedFailures.has(`${scenario}:${id}`));
  return { scenario, checks: rest, stderr };
}

/** The expected failures of a scenario that do not happen. */
function staleIn(
  result: ScenarioResult,
  expectedFailures: ReadonlySet<string>,
): readonly string[] {
  const { scenario, checks } = result;
  const sound = [...new Set(checks.map(({ id }) => id))].filter((id) =>
    checks.every((check) => check.id !== id || !isBad(check))
  );
  return [
    ...hasPassed(result) ? [scenario] : [],
    ...sound.map((id) => `${scenario}:${id}`),
  ].filter((name) => expectedFailures.has(name));
}

/** The count of a run in one line. */
export function summary(set: string, { passed, unexpected, expected }: Score): string {
  const all = passed.length + unexpected.length + expected.length;
  return `${set}: ${passed.length} of ${all} scenarios pass, ${expected.length} are expected to fail`;
}

/** What went wrong in a scenario, for the message of a failing test. */
function story({ scenario, checks, stderr }: ScenarioResult): string {
  const lines = checks.filter(isBad).map(({ id, status, errorMessage }) =>
    `  ${status} ${id}: ${errorMessage ?? "no reason given"}`
  );
  if (lines.length === 0) lines.push("  nothing was checked");
  if (stderr.trim() !== "") lines.push(`  the client says: ${stderr.trim()}`);
  return [scenario, ...lines].join("\n");
}

function isBad({ status }: Check): boolean {
  return status === "FAILURE" || status === "WARNING";
}
