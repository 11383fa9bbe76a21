import type { CliContext } from "../context.ts";
import { discover } from "../discovery.ts";
import { type PromptsDocument, SCHEMA_VERSION } from "../documents.ts";
import { readEntries } from "../entries_answer.ts";
import { printEntries, printRemarks } from "../entries_table.ts";
import type { ListFlags } from "../flags.ts";
import { errorField, jsonText } from "../json_output.ts";
import { listExitCode } from "../server_answers.ts";
import { chooseServers } from "../server_choice.ts";

/** `mcp prompts`: the prompts of every server. */
export async function prompts(
  context: CliContext,
  flags: ListFlags,
  names: readonly string[],
): Promise<number> {
  const discovered = await discover(context, flags);
  const { machine: { home }, loaded: { plan } } = discovered;
  const chosen = chooseServers(plan, names);
  const { output } = context;
  const json = flags.json === true;
  return await readEntries(context, discovered, {
    chosen,
    flags,
    lists: [{ kind: "prompts", read: (manager, server) => manager.listPrompts(server) }],
    print: (answer) => {
      const { lists: [found = []], servers, error } = answer;
      if (json) {
        const document: PromptsDocument = {
          schemaVersion: SCHEMA_VERSION,
          prompts: found,
          servers,
          ...(error === null ? {} : { error: errorField(error) }),
        };
        output.stdout.write(jsonText(document));
      } else {
        const list = { title: "PROMPT", words: ["prompt", "prompts"], entries: found } as const;
        printEntries(output, [list], answer, plan);
      }
      printRemarks(output, answer, { plan, home, json });
      return error?.exitCode ?? listExitCode(names, servers, chosen);
    },
  });
}
