/**
 * Runs every test in two programs side by side, since most of the time goes into starting others,
 * and writes one JUnit report: `run_tests.ts <report>`. Each line of their output says whose it is.
 * @module
 */
import { mergedReport } from "./merged_report.ts";

/** What takes longest runs apart from the rest; both take about as long. */
const LONG = ["tests/e2e", "tests/hook", "tests/gateway", "tests/control", "tests/session"];

const [report] = Deno.args;
if (report === undefined) throw new Error("Usage: run_tests.ts <report>");
const shards = [
  { name: "1", paths: LONG },
  { name: "2", paths: ["tests/", `--ignore=${LONG.join(",")}`] },
];
const runs = await Promise.all(shards.map(async ({ name, paths }) => {
  const file = `${report}.${name}`;
  // What an earlier run left must not stand for this one.
  await Deno.remove(file).catch(() => {});
  const flags = ["--no-check", "--allow-all", "--quiet", `--junit-path=${file}`];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", ...flags, ...paths],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const [{ success }] = await Promise.all([
    child.status,
    copyLines(child.stdout, name),
    copyLines(child.stderr, name),
  ]);
  return { success, file };
}));
const texts = await Promise.all(runs.map(({ file }) => Deno.readTextFile(file)));
await Deno.writeTextFile(report, mergedReport(texts));
await Promise.all(runs.map(({ file }) => Deno.remove(file)));
if (runs.some(({ success }) => !success)) Deno.exit(1);

/** Gives on what a program writes, line by line. */
async function copyLines(stream: ReadableStream<Uint8Array>, name: string): Promise<void> {
  const encoder = new TextEncoder();
  let rest = "";
  const write = (lines: readonly string[]): void => {
    for (const line of lines) {
      if (line.trim() !== "") Deno.stdout.writeSync(encoder.encode(`${name}| ${line}\n`));
    }
  };
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    write(lines);
  }
  write([rest]);
}
