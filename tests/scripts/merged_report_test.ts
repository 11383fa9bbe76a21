import assert from "node:assert/strict";
import { mergedReport } from "../../scripts/merged_report.ts";

function report(tests: number, failures: number, time: string, suite: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="deno test" tests="${tests}" failures="${failures}" errors="0" time="${time}">
    <testsuite name="${suite}"></testsuite>
</testsuites>
`;
}

Deno.test("reports become one: counts are added, every suite stays", () => {
  const merged = mergedReport([report(3, 1, "9.5", "a"), report(4, 0, "12.25", "b")]);
  assert.equal(
    merged,
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="deno test" tests="7" failures="1" errors="0" time="12.25">
    <testsuite name="a"></testsuite>
    <testsuite name="b"></testsuite>
</testsuites>
`,
  );
});

Deno.test("a report that was cut off is no report", () => {
  assert.throws(() => mergedReport([report(1, 0, "1", "a").slice(0, -20)]), /no JUnit report/);
});
