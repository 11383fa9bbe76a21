/**
 * Runs every test in three lanes side by side, since most of the time goes into starting programs, and
 * writes one JUnit report: `run_tests.ts <report>`. Each line of the output says whose it is.
 * @module
 */
import { mergedReport } from "./merged_report.ts";

/** Programs that run at a time: on two cores they wait for others about a third of the time. */
const LANES = 3;

/** Folders that take long, the longest first; each is a part of its own. */
const LONG = [
  "hosts",
  "gateway",
  "e2e",
  "runtime",
  "session",
  "conformance",
  "hook",
  "control",
] as const;

/** A part of the tests, which one program runs. */
interface Part {
  readonly name: string;
  /** What it is told to run. */
  readonly paths: readonly string[];
}

const [report] = Deno.args;
if (report === undefined) throw new Error("Usage: run_tests.ts <report>");
const folders = LONG.map((name) => `tests/${name}`);
const parts: readonly Part[] = [
  { name: "rest", paths: ["tests/", `--ignore=${folders.join(",")}`] },
  ...LONG.map((name) => ({ name, paths: [`tests/${name}`] })),
];
const runs = await inLanes(parts, ({ name, paths }) => run(name, paths, `${report}.${name}`));
const texts = await Promise.all(runs.map(({ file }) => Deno.readTextFile(file)));
await Deno.writeTextFile(report, mergedReport(texts));
await Promise.all(runs.map(({ file }) => Deno.remove(file)));
if (runs.some(({ success }) => !success)) Deno.exit(1);

/** Works on the parts in their order, so many at a time: whoever is done takes the next one. */
async function inLanes<Result>(
  all: readonly Part[],
  work: (part: Part) => Promise<Result>,
): Promise<readonly Result[]> {
  const left = [...all];
  const results: Result[] = [];
  await Promise.all(Array.from({ length: LANES }, async () => {
    for (let part = left.shift(); part !== undefined; part = left.shift()) {
      results.push(await work(part));
    }
  }));
  return results;
}

/** Runs tests in a program of their own, which writes its report into a file. */
async function run(
  name: string,
  paths: readonly string[],
  file: string,
): Promise<{ readonly success: boolean; readonly file: string }> {
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
}

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
