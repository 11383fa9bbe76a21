import type { EditAnswer } from "../edit/add_servers.ts";
import type { EffectiveServer } from "../edit/effective.ts";
import type { EditedServer } from "../edit/outcome.ts";
import { placeOf } from "../plan/contenders.ts";
import { type Paint, painter } from "./colour.ts";
import type { CliContext } from "./context.ts";
import { type EditDocument, SCHEMA_VERSION } from "./documents.ts";
import { errorLines, errorSummary } from "./error_text.ts";
import { jsonText } from "./json_output.ts";
import { shownLine, shownLines, shownPath } from "./shown.ts";

/** How an edit was asked for. */
export interface EditFlags {
  /** Print one JSON document. */
  readonly json?: boolean | undefined;
  /** Only show what would be written. */
  readonly dryRun?: boolean | undefined;
}

/** Prints what an edit did, or would do. @returns The exit code: 1 when a server was refused. */
export async function printEdit(
  context: CliContext,
  flags: EditFlags,
  answer: EditAnswer,
): Promise<number> {
  const { stdout } = context.output;
  const dryRun = flags.dryRun === true;
  const diffs = dryRun ? await diffsOf(answer) : [];
  const exitCode = answer.servers.some(({ done }) => done === "refused") ? 1 : 0;
  if (flags.json === true) {
    const document: EditDocument = {
      schemaVersion: SCHEMA_VERSION,
      dryRun,
      servers: answer.servers,
      files: answer.files.map(({ path, before }, index) => ({
        path,
        created: before === null,
        diff: diffs[index] ?? null,
      })),
      effective: answer.effective,
    };
    stdout.write(jsonText(document));
    return exitCode;
  }
  const { home, cwd } = await context.machine();
  const paint = painter(stdout.colour);
  const lines = answer.servers.flatMap((server) => [
    ...serverLines(server, { paint, home, cwd, dryRun }),
    ...answer.effective.filter(({ name }) => name === server.name && server.error === null)
      .flatMap((row) => effectiveLines(row, server, paint)),
  ]);
  const named = new Set(answer.servers.map(({ path }) => path));
  for (const { path } of answer.files.filter((file) => !named.has(file.path))) {
    const did = dryRun ? "would also be changed" : "also changed";
    lines.push(`${did}: ${shownPath(path, cwd, home)}`);
  }
  for (const diff of diffs) lines.push("", ...shownLines(diff.trimEnd()).map(diffLine(paint)));
  if (dryRun) lines.push("", "Nothing was written (--dry-run).");
  stdout.write(`${lines.join("\n")}\n`);
  return exitCode;
}

async function diffsOf({ files }: EditAnswer): Promise<readonly string[]> {
  const { maskedDiff } = await import("../edit/masked_diff.ts");
  return await Promise.all(files.map(maskedDiff));
}

/** What became of one server. */
function serverLines(
  server: EditedServer,
  shown: {
    readonly paint: Paint;
    readonly home: string;
    readonly cwd: string;
    readonly dryRun: boolean;
  },
): readonly string[] {
  const { paint, home, cwd, dryRun } = shown;
  const { name, done, path, error, warnings } = server;
  const notes = warnings.map((text) => paint("yellow", `  warning: ${shownLine(text)}`));
  if (error !== null) {
    return [...errorLines(error, { prefix: `${shownLine(name)}: `, paint }), ...notes];
  }
  const where = path === null ? "" : ` (${shownPath(path, cwd, home)})`;
  const verb = done === "unchanged" ? "unchanged" : dryRun ? `would be ${done}` : done;
  return [`${paint("bold", shownLine(name))}: ${verb}${where}`, ...notes];
}

/** What stands for a name since the edit, and what to do to make it run. */
function effectiveLines(
  row: EffectiveServer,
  { done }: EditedServer,
  paint: Paint,
): readonly string[] {
  const { name, state, reason, source, others } = row;
  if (state === null) {
    const isGone = done === "removed" || done === "disabled";
    return isGone
      ? [`  nothing is defined as ${shownLine(name)} any more`]
      : [paint("yellow", "  its file is not read here; to see which are: mcp sources")];
  }
  const place = source === null ? "" : ` from ${shownLine(placeOf(source))}`;
  const more = others === 0
    ? ""
    : `, ${others} other ${others === 1 ? "definition" : "definitions"}`;
  const now = state === "run" ? "runs here" : state;
  const lines = [`  now: ${now}${place}${more}`];
  if (reason !== null) {
    lines.push(`  ${errorSummary(reason)}`);
    if (reason.hint !== null) lines.push(paint("yellow", `  hint: ${shownLine(reason.hint)}`));
  }
  return lines;
}

function diffLine(paint: Paint): (line: string) => string {
  return (line) => {
    if (line.startsWith("+")) return paint("green", line);
    return line.startsWith("-") ? paint("red", line) : line;
  };
}
