import { painter } from "./colour.ts";
import type { CliContext } from "./context.ts";
import type { Discovered } from "./discovery.ts";
import type { StatusFlags } from "./actions/status.ts";
import { errorLines } from "./error_text.ts";
import { jsonText } from "./json_output.ts";
import { cachedView, remembered } from "./remembered.ts";
import { sessionLine } from "./session_text.ts";
import type { ShownSession } from "./shown_session.ts";
import { statusDocument } from "./status_json.ts";
import { statusPlain } from "./status_plain.ts";
import { sessionsPlain, withPauses } from "./status_sessions.ts";
import { statusSummary, summaryLine } from "./status_summary.ts";
import { statusTable } from "./status_table.ts";

/**
 * `mcp status --session`: the rows as live sessions have them. In the document they stand beside
 * what is remembered of the servers.
 * @returns The exit code.
 */
export async function printSessions(
  context: CliContext,
  flags: StatusFlags,
  { discovered, sessions, names }: {
    readonly discovered: Discovered;
    readonly sessions: readonly ShownSession[];
    readonly names: readonly string[];
  },
): Promise<number> {
  const { stdout } = context.output;
  const { plan } = discovered.loaded;
  const chosen = sessions.map((one) =>
    names.length === 0 ? one : {
      ...one,
      servers: one.servers.filter(({ name }) => names.includes(name)),
    }
  );
  if (flags.json === true) {
    const known = await remembered(discovered, plan.servers);
    const now = Date.now();
    const views = plan.servers.map((planned) => cachedView(planned, known.get(planned.name), now));
    stdout.write(jsonText(statusDocument(plan, withPauses(views, chosen), null, chosen)));
  } else if (flags.plain === true) {
    const lines = chosen.flatMap((one) => [
      ...sessionsPlain([one]),
      ...statusPlain(one.servers, plan).slice(0, one.servers.length),
    ]);
    stdout.write(lines.map((line) => `${line}\n`).join(""));
  } else {
    const blocks = chosen.map((one) => textLines(context, discovered, one).join("\n"));
    const text = blocks.length === 0
      ? "No session of this workspace is live."
      : blocks.join("\n\n");
    stdout.write(`${text}\n`);
  }
  const hasFailed = chosen.some(({ error, servers }) =>
    error !== null || statusSummary(servers).failed > 0
  );
  return flags.strict === true && hasFailed ? 1 : 0;
}

/** One session: who it is, its rows, their counts. */
function textLines(
  { output: { stdout } }: CliContext,
  { machine: { home } }: Discovered,
  { session, servers, error }: ShownSession,
): readonly string[] {
  const paint = painter(stdout.colour);
  const heading = paint("bold", sessionLine(session, Date.now(), home));
  if (error !== null) return [heading, ...errorLines(error, { indent: "  ", paint })];
  const table = statusTable(servers, {
    workspacePath: session.workspacePath,
    home,
    paint,
    verbose: false,
    ...(stdout.columns === null ? {} : { width: stdout.columns }),
  });
  return [heading, ...servers.length === 0 ? [] : table, summaryLine(servers)];
}
