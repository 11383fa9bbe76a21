import type { HotplugError } from "../model/errors.ts";
import type { ToolInfo } from "../model/listing.ts";
import type { FurtherList } from "./further_lists.ts";
import { isSameList } from "./list_news.ts";
import type { ServerRegistries } from "./server_registries.ts";
import type { StartInput } from "./server_start.ts";
import type { StartContext } from "./start_context.ts";
import type { ToolView } from "./tool_view.ts";

/** What everything that happens to a server works on. */
export interface RuntimeParts {
  /** What is registered of each server. */
  readonly registries: ServerRegistries;
  /** The tools on offer. */
  readonly tools: ToolView;
  /** Machine, cache, clock, log. */
  readonly context: StartContext;
  /** Lists that are read beside the tools. */
  readonly furtherLists: readonly FurtherList[];
  /** Called with a server whose tools cannot be offered (any more), since their names are taken. */
  readonly refuse: (server: string, error: HotplugError) => void;
  /** Called when the tools on offer have changed. */
  readonly onToolsChanged: () => void;
}

/**
 * Exchanges a server's tools, by the filters and approvals of its row: its definition may have
 * changed since it was started. `show` gets the number on offer and puts it in place; only then the
 * host is told of tools that differ, so that all is in order when its callback looks around. A
 * server whose tools have names that are taken is refused instead.
 */
export function offerTools(
  parts: RuntimeParts,
  input: StartInput,
  tools: readonly ToolInfo[],
  kind: "live" | "deferred",
  show: (offered: number) => void,
): void {
  const { name } = input;
  const { config, source } = parts.registries.rows.get(name) ?? input;
  const before = parts.tools.toolsOf(name);
  const { refusal, evicted, count } = parts.tools.replace(name, { config, source, tools, kind });
  if (refusal !== null) return parts.refuse(name, refusal);
  const after = parts.tools.toolsOf(name) ?? [];
  show(count);
  for (const [other, error] of evicted) parts.refuse(other, error);
  if (evicted.size > 0 || before === undefined || !isSameList(before, after)) {
    parts.onToolsChanged();
  }
}
