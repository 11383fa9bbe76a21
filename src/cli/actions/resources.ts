import type { CliContext } from "../context.ts";
import { discover } from "../discovery.ts";
import { type ResourcesDocument, SCHEMA_VERSION } from "../documents.ts";
import { type EntryList, readEntries } from "../entries_answer.ts";
import { printEntries, printRemarks } from "../entries_table.ts";
import type { ListFlags } from "../flags.ts";
import { errorField, jsonText } from "../json_output.ts";
import { listExitCode } from "../server_answers.ts";
import { chooseServers } from "../server_choice.ts";

/** The two lists that hold what a server can be read from. */
const LISTS: readonly EntryList[] = [
  { kind: "resources", read: (manager, server) => manager.listResources(server) },
  { kind: "resourceTemplates", read: (manager, server) => manager.listResourceTemplates(server) },
];

/** `mcp resources`: the resources and resource templates of every server. */
export async function resources(
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
    lists: LISTS,
    print: (answer) => {
      const { lists: [found = [], templates = []], servers, error } = answer;
      if (json) {
        const document: ResourcesDocument = {
          schemaVersion: SCHEMA_VERSION,
          resources: found,
          resourceTemplates: templates,
          servers,
          ...(error === null ? {} : { error: errorField(error) }),
        };
        output.stdout.write(jsonText(document));
      } else {
        printEntries(
          output,
          [
            { title: "URI", words: ["resource", "resources"], entries: found },
            { title: "TEMPLATE", words: ["template", "templates"], entries: templates },
          ],
          answer,
          plan,
        );
      }
      printRemarks(output, answer, { plan, home, json });
      return error?.exitCode ?? listExitCode(names, servers, chosen);
    },
  });
}
