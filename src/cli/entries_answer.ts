import { areItemsFresh } from "../cache/freshness.ts";
import type { CacheEntry } from "../model/cache.ts";
import { type HotplugError, toHotplugError } from "../model/errors.ts";
import type { ListedItem, ListKind } from "../model/listing.ts";
import type { PlannedServer } from "../model/plan.ts";
import { plannedView } from "../model/server_view.ts";
import type { MCPManager } from "../runtime/manager.ts";
import type { CliContext } from "./context.ts";
import type { Discovered } from "./discovery.ts";
import type { EntryServer, ListedEntry } from "./documents.ts";
import { LIST_WAIT_MS, type ListFlags } from "./flags.ts";
import { remembered } from "./remembered.ts";
import { stillStarting, within, withServers } from "./running.ts";
import { viewError } from "./server_answers.ts";
import { restricted } from "./server_choice.ts";
import { waitingLine } from "./waiting_line.ts";

/** A kind of list, and how a manager gives it for one server. */
export interface EntryList {
  /** Which list. */
  readonly kind: Exclude<ListKind, "tools">;
  /** Its items. */
  readonly read: (manager: MCPManager, server: string) => readonly ListedItem[];
}

/** What servers answered: per kind of list its entries, and what became of each server. */
export interface EntriesAnswer {
  /** Entries of each list asked for, in their order, servers in plan order. */
  readonly lists: readonly (readonly ListedEntry[])[];
  /** One row a server. */
  readonly servers: readonly EntryServer[];
  /** Why the answer is not whole; `null` when it is. */
  readonly error: HotplugError | null;
}

/** One server's part of the answer. */
interface ServerEntries {
  readonly row: EntryServer;
  /** Items of each list asked for, in their order. */
  readonly lists: readonly (readonly ListedItem[])[];
}

/**
 * Reads lists: what is remembered and fresh, and what the other servers say, which are started.
 * Hands the answer to `print` before they stop.
 */
export async function readEntries(
  context: CliContext,
  discovered: Discovered,
  options: {
    readonly chosen: readonly PlannedServer[];
    readonly lists: readonly EntryList[];
    readonly flags: ListFlags;
    readonly print: (answer: EntriesAnswer) => number;
  },
): Promise<number> {
  const { chosen, lists, flags } = options;
  const known = await remembered(discovered, chosen);
  const now = Date.now();
  const kinds = lists.map(({ kind }) => kind);
  const fromCache = (planned: PlannedServer): ServerEntries =>
    rememberedEntries(planned, known.get(planned.name), { kinds, now });
  const print = (answers: readonly ServerEntries[], error: HotplugError | null): number =>
    options.print({
      lists: lists.map((_list, index) =>
        answers.flatMap(({ row: { name }, lists }) =>
          (lists[index] ?? []).map((item) => entry(name, item))
        )
      ),
      servers: answers.map(({ row }) => row),
      error,
    });
  const missing = chosen.filter(({ name, verdict }) => {
    const cached = known.get(name);
    return verdict.state === "run" &&
      (flags.refresh === true || cached === undefined || !areItemsFresh(cached, kinds, now));
  });
  if (missing.length === 0) return print(chosen.map(fromCache), null);
  const loaded = restricted(discovered.loaded, missing);
  const wait = flags.wait ?? LIST_WAIT_MS;
  return await withServers(
    context,
    discovered,
    { loaded, furtherLists: kinds },
    async (running) => {
      const { manager, settled } = running;
      const quiet = waitingLine(context.output.stderr, {
        names: () => stillStarting(manager),
        verbose: flags.verbose === true,
      });
      let error: HotplugError | null = null;
      try {
        await within(settled(), wait);
      } catch (thrown) {
        error = toHotplugError(thrown);
      } finally {
        quiet();
      }
      const answers = chosen.map((planned) =>
        missing.includes(planned)
          ? liveEntries(manager, fromCache(planned), lists, wait)
          : fromCache(planned)
      );
      return print(answers, error);
    },
  );
}

/** What is known of a server without starting it. */
function rememberedEntries(
  planned: PlannedServer,
  entry: CacheEntry | undefined,
  { kinds, now }: { readonly kinds: readonly EntryList["kind"][]; readonly now: number },
): ServerEntries {
  const { name, state, error, warnings } = plannedView(planned);
  const reads = kinds.flatMap((kind) => entry?.itemReads[kind]?.at ?? []);
  const isListed = planned.launch !== null && reads.length === kinds.length;
  return {
    row: {
      name,
      state,
      cachedAgeMs: isListed ? Math.max(0, now - Math.min(...reads)) : null,
      error,
      warnings,
    },
    lists: kinds.map((kind) => isListed ? entry?.[kind] ?? [] : []),
  };
}

/** What a started server says; what is remembered when it says nothing. */
function liveEntries(
  manager: MCPManager,
  fallback: ServerEntries,
  lists: readonly EntryList[],
  waitMs: number,
): ServerEntries {
  const { name } = fallback.row;
  const view = manager.getServers().find((row) => row.name === name);
  if (view === undefined) return fallback;
  const { state, warnings } = view;
  if (state !== "connected") {
    const error = viewError(view, waitMs);
    return { row: { ...fallback.row, state, warnings, error }, lists: fallback.lists };
  }
  return {
    row: { name, state, cachedAgeMs: null, error: null, warnings },
    lists: lists.map(({ read }) => read(manager, name)),
  };
}

/** An item as documents show it. */
function entry(server: string, { key, name, description, raw }: ListedItem): ListedEntry {
  return { server, key, name, description, item: raw };
}
