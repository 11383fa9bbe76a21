import type { CliContext } from "../context.ts";
import { type ResourcesDocument, SCHEMA_VERSION } from "../documents.ts";
import type { ListFlags } from "../flags.ts";
import { type EntriesCommand, listEntries } from "../list_entries.ts";

/** The two lists that hold what a server can be read from. */
const RESOURCES: EntriesCommand = {
  lists: [
    {
      kind: "resources",
      read: (manager, server) => manager.listResources(server),
      title: "URI",
      words: ["resource", "resources"],
    },
    {
      kind: "resourceTemplates",
      read: (manager, server) => manager.listResourceTemplates(server),
      title: "TEMPLATE",
      words: ["template", "templates"],
    },
  ],
  document: ([resources = [], resourceTemplates = []], end): ResourcesDocument => ({
    schemaVersion: SCHEMA_VERSION,
    resources,
    resourceTemplates,
    ...end,
  }),
};

/** `mcp resources`: the resources and resource templates of every server. */
export async function resources(
  context: CliContext,
  flags: ListFlags,
  names: readonly string[],
): Promise<number> {
  return await listEntries(context, flags, names, RESOURCES);
}
