import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../../scripts/count_tests.ts", import.meta.url));

/** What is printed about a run of a test file with these lines, and the exit status. */
async function counted(lines: readonly string[]): Promise<readonly [string, number]> {
  const folder = await Deno.makeTempDir();
  try {
    const [test, report] = [join(folder, "a_test.ts"), join(folder, "junit.xml")];
    await Deno.writeTextFile(test, lines.join("\n"));
    await deno(["test", "--quiet", "--no-config", `--junit-path=${report}`, test]);
    return await deno(["run", "--quiet", "--allow-read", SCRIPT, report]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function deno(args: readonly string[]): Promise<readonly [string, number]> {
  const { stdout, code } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  return [new TextDecoder().decode(stdout), code];
}

const PASSES = `Deno.test("passes", () => {});`;
const IGNORED = `Deno.test({ name: "ignored <skipped/>", ignore: true, fn: () => {} });`;
const FAILS = `Deno.test("fails", () => { throw new Error("<skipped/>"); });`;

Deno.test("an ignored test is not counted as passed", async () => {
  assert.deepEqual(await counted([PASSES, IGNORED]), ["1 ignored\n1 passed, 0 failed\n", 0]);
});

Deno.test("a failed test fails the count", async () => {
  assert.deepEqual(await counted([PASSES, FAILS]), ["1 passed, 1 failed\n", 1]);
});

Deno.test("nothing that passed fails the count", async () => {
  assert.deepEqual(await counted([IGNORED]), ["1 ignored\n0 passed, 0 failed\n", 1]);
});
