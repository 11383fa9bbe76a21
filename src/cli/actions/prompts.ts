import type { CliContext } from "../context.ts";
import { type PromptsDocument, SCHEMA_VERSION } from "../documents.ts";
import type { ListFlags } from "../flags.ts";
import { type EntriesCommand, listEntries } from "../list_entries.ts";

const PROMPTS: EntriesCommand = {
  lists: [{
    kind: "prompts",
    read: (manager, server) => manager.listPrompts(server),
    title: "PROMPT",
    words: ["prompt", "prompts"],
  }],
  document: ([prompts = []], end): PromptsDocument => ({
    schemaVersion: SCHEMA_VERSION,
    prompts,
    ...end,
  }),
};

/** `mcp prompts`: the prompts of every server. */
export async function prompts(
  context: CliContext,
  flags: ListFlags,
  names: readonly string[],
): Promise<number> {
  return await listEntries(context, flags, names, PROMPTS);
}
