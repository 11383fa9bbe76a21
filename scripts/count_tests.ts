/**
 * Prints `N passed, N failed` from a JUnit report; fails when nothing passed or anything failed.
 * @module
 */
const [path] = Deno.args;
if (path === undefined) throw new Error("Usage: count_tests.ts <junit.xml>");
const head = /<testsuites\b[^>]*>/.exec(await Deno.readTextFile(path))?.[0] ?? "";
const count = (name: string): number =>
  Number(new RegExp(`\\b${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
const failed = count("failures") + count("errors");
const skipped = count("disabled") + count("skipped");
const passed = count("tests") - failed - skipped;
await Deno.stdout.write(new TextEncoder().encode(`${passed} passed, ${failed} failed\n`));
if (passed <= 0 || failed > 0) Deno.exit(1);
