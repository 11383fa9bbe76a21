import { fileToolCache } from "../cache/file_tool_cache.ts";
import { isFresh, listAge } from "../cache/freshness.ts";
import { launchFacts } from "../cache/launch_facts.ts";
import { toolOffered } from "../definitions/tool_filter.ts";
import type { CacheEntry } from "../model/cache.ts";
import type { ToolInfo } from "../model/listing.ts";
import type { PlannedServer } from "../model/plan.ts";
import { plannedView, type ServerView } from "../model/server_view.ts";
import type { Discovered } from "./discovery.ts";
import { shownDuration } from "./duration.ts";

/** What the cache knows of the servers that may run, by name. Starts nothing. */
export async function remembered(
  discovered: Discovered,
  servers: readonly PlannedServer[],
): Promise<ReadonlyMap<string, CacheEntry>> {
  const { machine, folders, loaded: { plan } } = discovered;
  const cache = fileToolCache(folders.cache);
  const found = await Promise.all(servers.map(async (planned) => {
    const { name, launch } = planned;
    if (launch === null) return null;
    const launched = await launchFacts({
      name,
      config: launch,
      source: planned.definition?.source,
      machine,
      folders,
      workspacePath: plan.workspacePath,
    });
    const entry = launched.ok ? await cache.get(launched.facts.fingerprint) : null;
    return entry === null ? null : [name, entry] as const;
  }));
  return new Map(found.filter((pair) => pair !== null));
}

/** The tools of an entry that its definition offers; `null` when it has no list. */
export function rememberedTools(
  planned: PlannedServer,
  entry: CacheEntry,
): readonly ToolInfo[] | null {
  const { launch } = planned;
  if (launch === null || entry.tools === null) return null;
  return entry.tools.filter(({ name }) => toolOffered(launch, name));
}

/** The tools of an entry whose list may be shown without asking the server; else `null`. */
export function freshTools(
  planned: PlannedServer,
  entry: CacheEntry | undefined,
  now: number,
): readonly ToolInfo[] | null {
  return entry !== undefined && isFresh(entry, now) ? rememberedTools(planned, entry) : null;
}

/** The row of a server that was not started: what is remembered, with its age. */
export function cachedView(
  planned: PlannedServer,
  entry: CacheEntry | undefined,
  now: number,
): ServerView {
  const view = plannedView(planned);
  if (entry === undefined) return view;
  const { failure } = entry;
  return {
    ...view,
    tools: rememberedTools(planned, entry)?.length ?? null,
    resources: entry.resources?.length ?? null,
    prompts: entry.prompts?.length ?? null,
    server: entry.server,
    protocol: entry.protocol,
    cachedAgeMs: listAge(entry, now),
    warnings: failure === null ? view.warnings : [
      ...view.warnings,
      `its last start failed ${shownDuration(now - failure.at)} ago: ${failure.error.message}`,
    ],
  };
}
