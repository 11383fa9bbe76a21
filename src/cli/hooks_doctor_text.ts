import type { HookFinding } from "../hosts/host_kind.ts";
import type { Paint, Style } from "./colour.ts";
import type { HooksDoctorDocument } from "./hooks_documents.ts";
import { shownLine, shownPath } from "./shown.ts";

/** What findings are written for. */
export interface FindingLinesOptions {
  /** Home folder; shown as `~`. */
  readonly home: string;
  /** Root of the workspace; paths below it are shown without it. */
  readonly workspacePath: string;
  /** Gives colour. */
  readonly paint: Paint;
  /** Whether only hooks of this project were looked at. Default `false`. */
  readonly isProject?: boolean;
}

/** How each severity is called and painted. */
const WORDS: Readonly<Record<HookFinding["severity"], readonly [string, Style]>> = {
  error: ["error", "red"],
  warning: ["warning", "yellow"],
  info: ["note", "cyan"],
};

/** Every hook that was looked at, with what was found and what to do about it. */
export function findingLines(
  hooks: HooksDoctorDocument["hooks"],
  findings: readonly HookFinding[],
  { home, workspacePath, paint, isProject = false }: FindingLinesOptions,
): readonly string[] {
  if (hooks.length === 0) {
    const [where, flag] = isProject ? [" in this project", " --project"] : ["", ""];
    return [
      `No host has a hook yet${where}.`,
      `To give one your tools: mcp hooks install <host>${flag}`,
    ];
  }
  const kinds = [...new Set(hooks.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => {
    const own = findings.filter((finding) => finding.kind === kind);
    const scopes = hooks.filter((hook) => hook.kind === kind).map(({ scope }) => scope);
    const heading = `${paint("bold", kind)} (${scopes.join(", ")})`;
    if (own.every(({ severity }) => severity === "info")) {
      return [`${heading}: ${paint("green", "ready")}`, ...own.flatMap(lines)];
    }
    return [heading, ...own.flatMap(lines)];
  });

  function lines({ severity, check, message, path, remedy }: HookFinding): readonly string[] {
    const [word, style] = WORDS[severity];
    const place = path === null ? "" : ` ${shownPath(path, workspacePath, home)}`;
    return [
      `  ${paint(style, `${word}:`)} ${shownLine(message)}`,
      `    ${paint("dim", `${check}${place}`)}`,
      `    → ${shownLine(remedy)}`,
    ];
  }
}
