import type { ScenarioResult } from "../results.ts";
import { type Revision, runSuite } from "../suite_process.ts";

/** What the suite found in a server. */
export interface ServerRun {
  /** One result for each scenario that the revision requires. */
  readonly required: readonly ScenarioResult[];
  /** One result for each scenario that is run beside them and counts for nothing. */
  readonly unscored: readonly ScenarioResult[];
  /** What the suite printed. */
  readonly output: string;
}

/** Scenarios of a revision that count for nothing: they came later, or are an extension's. */
const UNSCORED: Readonly<Record<Revision, RegExp>> = {
  "2025-11-25": /^(server-session-lifecycle|json-schema-2020-12|server-sse-polling)$/,
  "2026-07-28":
    /^(tasks-.*|json-schema-2020-12|http-header-validation|http-custom-header-server-validation)$/,
};

/** What the suite puts before the name of a scenario in the name of its folder. */
const LEG = /^server-/;

/**
 * Runs the server leg of the suite over the requirements of one revision against the server at a
 * URL, one scenario after the other. It sends no token.
 */
export async function runServerSuite(url: string, revision: Revision): Promise<ServerRun> {
  const run = await runSuite("server", ["--url", url, "--requirements", revision]);
  const results = run.results.map((result) => ({
    ...result,
    scenario: result.scenario.replace(LEG, ""),
  }));
  const isUnscored = ({ scenario }: ScenarioResult): boolean => UNSCORED[revision].test(scenario);
  return {
    required: results.filter((result) => !isUnscored(result)),
    unscored: results.filter(isUnscored),
    output: run.output,
  };
}
