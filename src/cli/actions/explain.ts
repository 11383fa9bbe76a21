import { HotplugError } from "../../model/errors.ts";
import { plannedView } from "../../model/server_view.ts";
import { closest } from "../../definitions/suggestion.ts";
import { explain as explainName } from "../../plan/explain.ts";
import { painter } from "../colour.ts";
import type { CliContext } from "../context.ts";
import { homeFolder, machineIn } from "../named_folders.ts";
import { type ExplainDocument, SCHEMA_VERSION } from "../documents.ts";
import { explanationLines } from "../explain_text.ts";
import type { AnswerFlags } from "../flags.ts";
import { jsonText } from "../json_output.ts";

/** Flags of `mcp explain`. */
export interface ExplainFlags extends AnswerFlags {
  /** Folder to work in, instead of the current one. */
  readonly cwd?: string | undefined;
  /** Home folder whose agents' files are read, instead of the user's. */
  readonly home?: string | undefined;
}

/** `mcp explain`: why a name runs here, or does not. Starts nothing. */
export async function explain(
  context: CliContext,
  flags: ExplainFlags,
  [name = ""]: readonly string[],
): Promise<number> {
  const machine = await machineIn(context, flags.cwd);
  const { explanation, names, found } = await explainName(name, {
    machine,
    home: homeFolder(machine, flags.home),
    signal: context.signal,
  });
  if (explanation === null) {
    const near = closest(name, names);
    throw new HotplugError("unknown-server", `Unknown server ${JSON.stringify(name)}`, {
      hint: near === null ? "To see what there is: mcp status" : `Did you mean "${near}"?`,
      details: near === null ? {} : { suggestion: near },
    });
  }
  const { stdout } = context.output;
  if (flags.json === true) {
    const { definitions, twins, next, row } = explanation;
    const document: ExplainDocument = {
      schemaVersion: SCHEMA_VERSION,
      workspacePath: found.input.workspacePath,
      server: plannedView(row),
      definitions,
      twins,
      next,
    };
    stdout.write(jsonText(document));
    return 0;
  }
  stdout.write(`${explanationLines(explanation, painter(stdout.colour)).join("\n")}\n`);
  return 0;
}
