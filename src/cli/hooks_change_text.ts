import type { KnownHost } from "../hosts/registry.ts";
import type { Paint } from "./colour.ts";
import { errorLines } from "./error_text.ts";
import type { ChangedHook } from "./hooks_documents.ts";
import { shownLine, shownLines, shownPath } from "./shown.ts";

/** What a change is told for. */
export interface ChangeLinesOptions {
  /** Whether nothing was written. */
  readonly dryRun: boolean;
  /** Home folder; shown as `~`. */
  readonly home: string;
  /** Root of the workspace; paths below it are shown without it. */
  readonly workspacePath: string;
  /** Gives colour. */
  readonly paint: Paint;
}

/** What became of one hook, and what its user does next. */
export function changeLines(
  change: ChangedHook,
  host: KnownHost | undefined,
  options: ChangeLinesOptions,
): readonly string[] {
  const { dryRun, home, workspacePath, paint } = options;
  const { kind, done, files, warnings, error, next } = change;
  const notes = warnings.map((text) => paint("yellow", `  warning: ${shownLine(text)}`));
  if (error !== null) {
    return [...errorLines(error, { prefix: `${kind}: `, paint }), ...notes];
  }
  const isDone = done !== "unchanged" && done !== "absent";
  const verb = done === "absent"
    ? "there is no hook to remove"
    : isDone && dryRun
    ? `would be ${done}`
    : done;
  const lines = [
    `${paint("bold", kind)}: ${verb}`,
    ...files.map(({ path, removed, created }) => {
      const did = removed ? "removed" : created ? "new" : "changed";
      return `  ${did}: ${shownPath(path, workspacePath, home)}`;
    }),
    ...notes,
  ];
  for (const { diff, path } of files) {
    if (!dryRun) continue;
    lines.push(
      "",
      ...(diff === null
        ? [`${shownPath(path, workspacePath, home)}: to read it: mcp hooks print ${kind}`]
        : shownLines(diff.trimEnd()).map(diffLine(paint))),
    );
  }
  if (next === null || dryRun || done === "unchanged") return lines;
  const { kind: { renew = "start a new session" } = {}, profile } = host ?? {};
  return [
    ...lines,
    `  next: ${next}`,
    ...(profile?.refreshes === false
      ? [
        paint(
          "yellow",
          `  note: ${profile.label} does not take other tools by itself. After "mcp reload": ` +
            `${renew.charAt(0).toLowerCase()}${renew.slice(1)}`,
        ),
      ]
      : []),
  ];
}

function diffLine(paint: Paint): (line: string) => string {
  return (line) => {
    if (line.startsWith("+")) return paint("green", line);
    return line.startsWith("-") ? paint("red", line) : line;
  };
}
