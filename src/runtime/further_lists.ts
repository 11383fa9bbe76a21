import {
  listPrompts,
  listResources,
  listResourceTemplates,
  offersList,
} from "../connection/listing.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import { isAbortError, toHotplugError } from "../model/errors.ts";
import type { Telemetry } from "./telemetry.ts";
import type { ListedItem, Listing, ListKind } from "../model/listing.ts";

/** The lists beside the tools. */
export type FurtherList = Exclude<ListKind, "tools">;

/** Every list beside the tools. */
export const FURTHER_LISTS: readonly FurtherList[] = ["resources", "resourceTemplates", "prompts"];

const READERS: Readonly<
  Record<FurtherList, { readonly method: string; readonly read: typeof listResources }>
> = {
  resources: { method: "resources/list", read: listResources },
  resourceTemplates: { method: "resources/templates/list", read: listResourceTemplates },
  prompts: { method: "prompts/list", read: listPrompts },
};

/** How {@linkcode readFurtherLists} reads. */
export interface FurtherListsOptions {
  /** Milliseconds for each list. */
  readonly timeout: number;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
  /** Makes a span of each reading. */
  readonly telemetry: Telemetry;
}

/** What {@linkcode readFurtherLists} found. */
export interface FurtherLists {
  /** The lists that were read whole. */
  readonly lists: Partial<Record<FurtherList, Listing<ListedItem>>>;
  /** One sentence for each list that could not be read. */
  readonly warnings: readonly string[];
}

/**
 * Reads lists beside the tools, side by side. One that fails costs a warning and nothing else: a
 * server whose tools work is of use without them. Never rejects.
 */
export async function readFurtherLists(
  connection: MCPServerConnection,
  kinds: readonly FurtherList[],
  { telemetry, ...options }: FurtherListsOptions,
): Promise<FurtherLists> {
  const lists: Partial<Record<FurtherList, Listing<ListedItem>>> = {};
  const warnings: string[] = [];
  await Promise.all(kinds.map(async (kind) => {
    try {
      const { method, read } = READERS[kind];
      if (!offersList(connection, kind)) {
        lists[kind] = await read(connection, options);
        return;
      }
      lists[kind] = await telemetry.around(
        { method, server: connection.name, connection },
        ({ meta }) => read(connection, { ...options, meta }),
      );
    } catch (error) {
      if (isAbortError(error)) return;
      warnings.push(`${failureStart(kind)} ${toHotplugError(error).message}`);
    }
  }));
  return { lists, warnings };
}

/**
 * A row's warnings after lists were read: what the last reading of the same lists had failed with
 * counts no more.
 */
export function warningsAfter(
  before: readonly string[],
  kinds: readonly FurtherList[],
  warnings: readonly string[],
): readonly string[] {
  const isOver = (warning: string): boolean =>
    kinds.some((kind) => warning.startsWith(failureStart(kind)));
  return [...before.filter((warning) => !isOver(warning)), ...warnings];
}

/** Whether a row's warnings say that a list could not be read the last time. Pure. */
export function couldNotList(warnings: readonly string[], kind: FurtherList): boolean {
  return warnings.some((warning) => warning.startsWith(failureStart(kind)));
}

function failureStart(kind: FurtherList): string {
  return `${kind} could not be listed:`;
}
