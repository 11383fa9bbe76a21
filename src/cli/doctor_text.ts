import type { Finding, Severity } from "../doctor/finding.ts";
import { SEVERITIES } from "../doctor/finding.ts";
import type { Paint, Style } from "./colour.ts";
import { shownLine, shownPath } from "./shown.ts";

/** What findings are written for. */
export interface DoctorTextOptions {
  /** Root of the workspace; paths below it are shown without it. */
  readonly workspacePath: string;
  /** Home folder; shown as `~`. */
  readonly home: string;
  /** How many checks were made. */
  readonly checks: number;
  /** How many servers were looked at. */
  readonly servers: number;
  /** Gives colour. */
  readonly paint: Paint;
}

/** How each severity is headed, in the singular and the plural, and painted. */
const HEADS: Readonly<Record<Severity, readonly [one: string, several: string, style: Style]>> = {
  error: ["error", "errors", "red"],
  warning: ["warning", "warnings", "yellow"],
  info: ["note", "notes", "cyan"],
};

/** Findings as lines: by severity, then by server, each with what to do about it. */
export function doctorLines(
  findings: readonly Finding[],
  options: DoctorTextOptions,
): readonly string[] {
  const { paint, checks, servers } = options;
  const looked = `${checks} checks of ${servers} ${servers === 1 ? "server" : "servers"}`;
  if (findings.length === 0) return [`${paint("green", "No problem found.")} (${looked})`];
  const groups = SEVERITIES.map((severity) => ({
    severity,
    own: findings.filter((finding) => finding.severity === severity),
  })).filter(({ own }) => own.length > 0);
  const lines = groups.flatMap(({ severity, own }) => {
    const [one, several, style] = HEADS[severity];
    return [
      paint("bold", paint(style, `${own.length} ${own.length === 1 ? one : several}`)),
      ...serverGroups(own).flatMap((same) => groupLines(same, options)),
      "",
    ];
  });
  const counts = groups.map(({ severity, own }) => {
    const [one, several] = HEADS[severity];
    return `${own.length} ${own.length === 1 ? one : several}`;
  });
  return [...lines, `${counts.join(", ")} (${looked})`];
}

/** Findings of one server together, in the order in which they stand. */
function serverGroups(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  const groups = new Map<string | null, Finding[]>();
  for (const finding of findings) {
    const same = groups.get(finding.server);
    if (same === undefined) groups.set(finding.server, [finding]);
    else same.push(finding);
  }
  return [...groups.values()];
}

function groupLines(
  findings: readonly Finding[],
  { paint, workspacePath, home }: DoctorTextOptions,
): readonly string[] {
  const server = findings[0]?.server ?? null;
  return [
    `  ${paint("bold", server === null ? "this machine" : shownLine(server))}`,
    ...findings.flatMap(({ check, path, line, message, remedy }) => {
      const place = path === null
        ? ""
        : ` ${shownPath(path, workspacePath, home)}${line === null ? "" : `:${line}`}`;
      return [
        `    ${shownLine(message)}`,
        `      ${paint("dim", `${check}${place}`)}`,
        `      → ${shownLine(remedy)}`,
      ];
    }),
  ];
}
