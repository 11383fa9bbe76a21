import type { CliContext } from "./context.ts";
import { discover } from "./discovery.ts";
import type { ListedEntry, PromptsDocument, ResourcesDocument } from "./documents.ts";
import { type EntryList, readEntries } from "./entries_answer.ts";
import { printEntries, printRemarks, type ShownList } from "./entries_table.ts";
import type { ListFlags } from "./flags.ts";
import { errorField, jsonText } from "./json_output.ts";
import { listExitCode } from "./server_answers.ts";
import { chooseServers } from "./server_choice.ts";

/** What makes one list command out of the common way. */
export interface EntriesCommand {
  /** The lists that it reads, and how each is shown. */
  readonly lists: readonly (EntryList & Omit<ShownList, "entries">)[];
  /** Its document, of the entries of each list in their order and of how all documents end. */
  readonly document: (
    lists: readonly (readonly ListedEntry[])[],
    end: Pick<PromptsDocument, "servers" | "error">,
  ) => PromptsDocument | ResourcesDocument;
}

/** Runs a list command: reads its lists from the servers named, or from all, and prints them. */
export async function listEntries(
  context: CliContext,
  flags: ListFlags,
  names: readonly string[],
  { lists, document }: EntriesCommand,
): Promise<number> {
  const discovered = await discover(context, flags);
  const { machine: { home }, loaded: { plan } } = discovered;
  const chosen = chooseServers(plan, names);
  const { output } = context;
  const json = flags.json === true;
  return await readEntries(context, discovered, {
    chosen,
    flags,
    lists,
    print: (answer) => {
      const { servers, error } = answer;
      if (json) {
        const end = { servers, ...(error === null ? {} : { error: errorField(error) }) };
        output.stdout.write(jsonText(document(answer.lists, end)));
      } else {
        const shown = lists.map((list, index) => ({ ...list, entries: answer.lists[index] ?? [] }));
        printEntries(output, shown, answer, plan);
      }
      printRemarks(output, answer, { plan, home, json });
      return error?.exitCode ?? listExitCode(names, servers, chosen);
    },
  });
}
