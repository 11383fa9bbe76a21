import { canonicalJson } from "../definitions/canonical_json.ts";
import type { ToolsChangedEvent } from "../model/event_hooks.ts";
import type { Tool } from "../model/tool.ts";

/** What a hook was told of tools: a text for each public name that changes when the tool does. */
export type ToldTools = ReadonlyMap<string, string>;

/** What is to be told of tools: as they are now, as against what was told last. Pure. */
export function toolNews(
  tools: readonly Tool[],
  told: ToldTools,
): { readonly news: Omit<ToolsChangedEvent, "workspacePath">; readonly told: ToldTools } {
  const now = new Map(
    tools.map(({ name, description, parameters }) =>
      [name, canonicalJson([description, parameters])] as const
    ),
  );
  return {
    told: now,
    news: {
      tools: tools.map(({ name, server, info }) => ({ name, server, tool: info.name })),
      added: [...now.keys()].filter((name) => !told.has(name)),
      removed: [...told.keys()].filter((name) => !now.has(name)),
      changed: [...now].flatMap(([name, text]) =>
        told.has(name) && told.get(name) !== text ? [name] : []
      ),
    },
  };
}

/** Whether there is anything to tell; a mere change of the order is none. */
export function isNews(news: Pick<ToolsChangedEvent, "added" | "removed" | "changed">): boolean {
  return news.added.length + news.removed.length + news.changed.length > 0;
}
