import { MAX_PUBLIC_NAME } from "../tools/public_name.ts";
import type { Paint } from "./colour.ts";
import { type Column, tableLines } from "./columns.ts";
import { shownLine } from "./shown.ts";
import type { NamedTool, ServerTools } from "./tools_answer.ts";
import type { PrintedLine } from "./tools_print.ts";

/** From how many tools on a warning is due: OpenAI's limit for one request, the highest of hosts'. */
export const MANY_TOOLS = 128;

/** Columns of a line when it goes to no terminal. */
const DEFAULT_WIDTH = 160;

/** How much of a description is looked at: more than any line shows. */
const MAX_DESCRIPTION = 1_000;

/** Name, as long as a model takes, and description, which goes where the names leave no room. */
const COLUMNS: readonly Column[] = [
  { title: "", most: MAX_PUBLIC_NAME + 2 },
  { title: "", least: 16, spare: 1 },
];

/** What the table is drawn for. */
export interface ToolsTableOptions {
  /** Gives colour. */
  readonly paint: Paint;
  /** Columns of the terminal; `null` when it is none: 160. */
  readonly width: number | null;
}

/** Per server a heading and its tools, one line each; then the total. */
export function toolsTable(
  servers: readonly ServerTools[],
  tools: readonly NamedTool[],
  options: ToolsTableOptions,
): readonly PrintedLine[] {
  const { paint } = options;
  const lines: PrintedLine[] = [];
  const [, ...rows] = tableLines(
    COLUMNS,
    tools.map((tool) => [
      { text: `  ${shownLine(tool.publicName)}` },
      { text: description(tool), paint: (text: string): string => paint("dim", text) },
    ]),
    { width: options.width ?? DEFAULT_WIDTH },
  );
  let next = 0;
  for (const { name, tools, cachedAgeMs } of servers) {
    if (tools === null) continue;
    const heading = `${paint("bold", shownLine(name))} (${counted(tools.length)}`;
    lines.push(
      cachedAgeMs === null ? `${heading})` : {
        before: `${heading}, read `,
        ageMs: cachedAgeMs,
        after: " ago)",
      },
    );
    lines.push(...rows.slice(next, next + tools.length), "");
    next += tools.length;
  }
  const listed = servers.filter(({ tools }) => tools !== null).length;
  const from = `${listed} ${listed === 1 ? "server" : "servers"}`;
  lines.push(`${counted(tools.length)} of ${from}`);
  return lines;
}

/** A warning when hosts will cut the tools or fail. */
export function tooManyLines(tools: number, paint: Paint): readonly string[] {
  if (tools <= MANY_TOOLS) return [];
  return [
    paint(
      "yellow",
      `warning: ${tools} tools in all; many hosts take at most ${MANY_TOOLS}, some 40. ` +
        `Leave some out with "disabledTools" or "enabledTools" of their server`,
    ),
  ];
}

/** Title and description on one line; the server's own name when the public one hides it. */
function description({ info, publicName }: NamedTool): string {
  const raw = publicName.endsWith(`_${info.name}`) ? "" : `[${info.name}] `;
  const text = info.description.slice(0, MAX_DESCRIPTION);
  const title = info.title === null || info.title === "" || text.startsWith(info.title)
    ? ""
    : `${info.title.slice(0, MAX_DESCRIPTION)}${text === "" ? "" : ": "}`;
  return shownLine(`${raw}${title}${text}`);
}

/** A number of tools in words. */
function counted(tools: number): string {
  return `${tools} ${tools === 1 ? "tool" : "tools"}`;
}
