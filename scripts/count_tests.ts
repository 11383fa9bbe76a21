/**
 * Prints `N passed, N failed` from a JUnit report of `deno test`, on a line before it `N ignored` if
 * any are; fails when nothing passed or anything failed.
 * @module
 */
const [path] = Deno.args;
if (path === undefined) throw new Error("Usage: count_tests.ts <junit.xml>");
const report = await Deno.readTextFile(path);
const head = /<testsuites\b[^>]*>/.exec(report)?.[0] ?? "";
const count = (name: string): number =>
  Number(new RegExp(`\\b${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
const failed = count("failures") + count("errors");
// Deno counts an ignored test among the tests and tells it only at the case itself. The texts of a
// report have their "<" escaped.
const ignored = report.match(/<skipped\b/g)?.length ?? 0;
const passed = count("tests") - failed - ignored;
const lines = [
  ...(ignored > 0 ? [`${ignored} ignored`] : []),
  `${passed} passed, ${failed} failed`,
];
await Deno.stdout.write(new TextEncoder().encode(lines.join("\n") + "\n"));
if (passed <= 0 || failed > 0) Deno.exit(1);
