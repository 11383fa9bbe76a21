/** What the head of a JUnit report counts. */
const COUNTS = ["tests", "failures", "errors"] as const;

/**
 * Several JUnit reports of `deno test` as one: the counts are added up, the longest time stands.
 * @throws when a text is no report.
 */
export function mergedReport(reports: readonly string[]): string {
  const parts = reports.map((text) => {
    const match = /<testsuites\b([^>]*)>([\s\S]*)<\/testsuites>/.exec(text);
    const [, head, suites] = match ?? [];
    if (head === undefined || suites === undefined) throw new Error("This is no JUnit report");
    return { head, suites: suites.trim() };
  });
  const numbers = (name: string): readonly number[] =>
    parts.map(({ head }) => Number(new RegExp(`\\b${name}="([\\d.]+)"`).exec(head)?.[1] ?? 0));
  const counts = COUNTS.map((name) => `${name}="${numbers(name).reduce((a, b) => a + b, 0)}"`);
  const time = Math.max(...numbers("time"));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="deno test" ${counts.join(" ")} time="${time}">`,
    ...parts.map(({ suites }) => `    ${suites}`),
    "</testsuites>",
    "",
  ].join("\n");
}
