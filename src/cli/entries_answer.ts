import type { ListedItem, ListKind } from "../model/listing.ts";
import { plannedView, type ServerView } from "../model/server_view.ts";
import type { LoadedConfigs, PlannedServer } from "../model/plan.ts";
import type { MCPManager } from "../runtime/manager.ts";
import type { Paint } from "./colour.ts";
import { tableLines } from "./columns.ts";
import type { CliContext } from "./context.ts";
import type { Discovered } from "./discovery.ts";
import type { ListedEntry } from "./documents.ts";
import { type ServerAnswer, viewError } from "./server_answers.ts";
import { restricted } from "./server_choice.ts";
import { withServers } from "./running.ts";
import { shownLine } from "./shown.ts";

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
  readonly servers: readonly ServerAnswer[];
}

/** Starts servers, reads lists from each, and hands the answer to `print` before they stop. */
export async function readEntries(
  context: CliContext,
  discovered: Discovered,
  options: {
    readonly chosen: readonly PlannedServer[];
    readonly lists: readonly EntryList[];
    readonly print: (answer: EntriesAnswer) => number;
  },
): Promise<number> {
  const { chosen, lists, print } = options;
  if (chosen.every(({ verdict }) => verdict.state !== "run")) {
    return print({
      lists: lists.map(() => []),
      servers: chosen.map((planned) => answerOf(plannedView(planned))),
    });
  }
  const loaded: LoadedConfigs = restricted(discovered.loaded, chosen);
  return await withServers(
    context,
    discovered,
    { loaded, furtherLists: lists.map(({ kind }) => kind) },
    async ({ manager, settled }) => {
      await settled();
      const servers = chosen.map((planned) => serverAnswer(manager, planned));
      const connected = servers.filter(({ state }) => state === "connected");
      return print({
        lists: lists.map(({ read }) =>
          connected.flatMap(({ name }) => read(manager, name).map((item) => entry(name, item)))
        ),
        servers,
      });
    },
  );
}

/** What became of one server. */
function serverAnswer(manager: MCPManager, planned: PlannedServer): ServerAnswer {
  const view = manager.getServers().find(({ name }) => name === planned.name) ??
    plannedView(planned);
  return answerOf(view);
}

/** A row as a list command shows it. */
function answerOf(view: ServerView): ServerAnswer {
  const { name, state, warnings } = view;
  return { name, state, error: viewError(view), warnings };
}

/** An item as documents show it. */
function entry(server: string, { key, name, description, raw }: ListedItem): ListedEntry {
  return { server, key, name, description, item: raw };
}

/** Entries as a table, cut to the terminal. */
export function entriesTable(
  title: string,
  entries: readonly ListedEntry[],
  options: { readonly paint: Paint; readonly width: number | null },
): readonly string[] {
  return tableLines(
    [{ title: "SERVER", most: 40 }, { title, most: 80 }, { title: "DESCRIPTION" }],
    entries.map((entry) => [
      { text: shownLine(entry.server) },
      { text: shownLine(entry.key) },
      { text: shownLine(describe(entry)) },
    ]),
    { width: options.width ?? 160, paintTitle: (text) => options.paint("bold", text) },
  );
}

/** Name and description; the name only when the key does not say it. */
function describe({ key, name, description }: ListedEntry): string {
  const text = description.slice(0, 1_000);
  if (name === "" || name === key) return text;
  return text === "" ? name : `${name}: ${text}`;
}
