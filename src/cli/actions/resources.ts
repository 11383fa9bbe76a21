import type { DiscoveryFlags } from "../flags.ts";
import { painter } from "../colour.ts";
import type { CliContext } from "../context.ts";
import { discover } from "../discovery.ts";
import { type ResourcesDocument, SCHEMA_VERSION } from "../documents.ts";
import { entriesTable, readEntries } from "../entries_answer.ts";
import { jsonText } from "../json_output.ts";
import { listExitCode, unavailableLines } from "../server_answers.ts";
import { chooseServers } from "../server_choice.ts";
import { noServerLines } from "../source_notes.ts";

/** `mcp resources`: the resources and resource templates of every server. */
export async function resources(
  context: CliContext,
  flags: DiscoveryFlags,
  names: readonly string[],
): Promise<number> {
  const discovered = await discover(context, flags);
  const { plan } = discovered.loaded;
  const chosen = chooseServers(plan, names);
  const { stdout, stderr } = context.output;
  const options = { paint: painter(stdout.colour), width: stdout.columns };
  return await readEntries(context, discovered, {
    chosen,
    lists: [
      { kind: "resources", read: (manager, server) => manager.listResources(server) },
      {
        kind: "resourceTemplates",
        read: (manager, server) => manager.listResourceTemplates(server),
      },
    ],
    print: ({ lists: [found = [], templates = []], servers }) => {
      if (flags.json === true) {
        const document: ResourcesDocument = {
          schemaVersion: SCHEMA_VERSION,
          resources: found,
          resourceTemplates: templates,
          servers,
        };
        stdout.write(jsonText(document));
      } else {
        const lines = plan.servers.length === 0 ? noServerLines(plan, options.paint) : [
          ...entriesTable("URI", found, options),
          ...(templates.length === 0 ? [] : ["", ...entriesTable("TEMPLATE", templates, options)]),
          "",
          `${found.length} resources, ${templates.length} templates`,
        ];
        stdout.write(`${lines.join("\n")}\n`);
      }
      const remarks = unavailableLines(servers, painter(stderr.colour));
      if (remarks.length > 0) stderr.write(`${remarks.join("\n")}\n`);
      return listExitCode(names, servers, chosen);
    },
  });
}
