import { painter } from "../colour.ts";
import type { CliContext } from "../context.ts";
import type { AnswerFlags } from "../flags.ts";
import { discover } from "../discovery.ts";
import { SCHEMA_VERSION, type SourcesDocument } from "../documents.ts";
import { jsonText } from "../json_output.ts";
import { sourceNotes } from "../source_notes.ts";
import { sourceLines } from "../sources_table.ts";

/** Flags of `mcp sources`. */
export interface SourcesFlags extends AnswerFlags {
  /** Folder to work in, instead of the current one. */
  readonly cwd?: string | undefined;
  /** Home folder whose agents' files are read, instead of the user's. */
  readonly home?: string | undefined;
  /** Leave out paths where nothing stands. */
  readonly found?: boolean | undefined;
}

/** `mcp sources`: every path that was looked at, and what was found there. Starts no server. */
export async function sources(context: CliContext, flags: SourcesFlags): Promise<number> {
  const { loaded: { plan }, machine: { home } } = await discover(context, flags);
  const all = flags.found !== true;
  const { stdout } = context.output;
  if (flags.json === true) {
    const document: SourcesDocument = {
      schemaVersion: SCHEMA_VERSION,
      workspacePath: plan.workspacePath,
      sources: plan.sources.filter(({ state }) => all || state !== "absent"),
    };
    stdout.write(jsonText(document));
    return 0;
  }
  const paint = painter(stdout.colour);
  const notes = sourceNotes(plan, { home, paint });
  const lines = [
    ...sourceLines(plan, { home, paint, all, width: stdout.columns }),
    ...(notes.length === 0 ? [] : ["", ...notes]),
  ];
  stdout.write(`${lines.join("\n")}\n`);
  return 0;
}
