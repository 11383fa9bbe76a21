import type { MCPServerConnection } from "../model/connection.ts";
import { HotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { ListedItem, Listing, ListKind, ToolInfo } from "../model/listing.ts";
import type { RequestOptions } from "../model/tool.ts";
import { Freshness } from "./list_freshness.ts";
import { quoted } from "./noise.ts";
import { paramHeaders } from "./param_headers.ts";
import { METHOD_NOT_FOUND } from "./request_refusal.ts";
import { systemTimers } from "./timers.ts";

/** Pages read at most of one list. */
export const MOST_PAGES = 1_000;

/**
 * Empty pages in a row that are followed. Servers that filter after paging send empty pages in
 * the middle of a list; more than these is an endless cursor.
 */
const MOST_EMPTY_PAGES = 10;

/** The schema of a tool that takes no arguments. */
const NO_ARGUMENTS: JsonObject = { type: "object", properties: {} };

interface ListShape {
  readonly method: string;
  readonly capability: string;
  readonly field: string;
  readonly key: string;
}

const SHAPES: Readonly<Record<ListKind, ListShape>> = {
  tools: { method: "tools/list", capability: "tools", field: "tools", key: "name" },
  resources: {
    method: "resources/list",
    capability: "resources",
    field: "resources",
    key: "uri",
  },
  resourceTemplates: {
    method: "resources/templates/list",
    capability: "resources",
    field: "resourceTemplates",
    key: "uriTemplate",
  },
  prompts: { method: "prompts/list", capability: "prompts", field: "prompts", key: "name" },
};

/** Whether a server says that it has a list. One that it does not have is empty, and not asked for. */
export function offersList({ capabilities }: MCPServerConnection, kind: ListKind): boolean {
  return declares(capabilities, SHAPES[kind].capability);
}

/**
 * Reads a server's whole tool list; a time-out counts for all its pages. Each tool stands for
 * itself: a bad schema is repaired or left out alone, with a warning. Schemas are never compiled.
 * @throws {HotplugError} What {@linkcode MCPServerConnection.request} throws, on any page.
 */
export async function listTools(
  connection: MCPServerConnection,
  options?: RequestOptions,
): Promise<Listing<ToolInfo>> {
  // The rule binds where tools are called with headers: modern HTTP.
  const headersCount = connection.protocol.era === "modern" && connection.transport !== "stdio";
  return await walk(connection, "tools", options, (raw, warn) => {
    const tool = readTool(raw);
    if (!headersCount) return tool;
    const declared = paramHeaders(tool.inputSchema);
    if (declared.ok) return tool;
    warn(`Left out tool ${quoted(tool.name)}: ${declared.reason}`);
    return null;
  });
}

/** Reads a server's whole resource list. @throws {HotplugError} As {@linkcode listTools}. */
export function listResources(
  connection: MCPServerConnection,
  options?: RequestOptions,
): Promise<Listing<ListedItem>> {
  return listItems(connection, "resources", options);
}

/** Reads all templates of resources. @throws {HotplugError} As {@linkcode listTools}. */
export function listResourceTemplates(
  connection: MCPServerConnection,
  options?: RequestOptions,
): Promise<Listing<ListedItem>> {
  return listItems(connection, "resourceTemplates", options);
}

/** Reads a server's whole list of prompts. @throws {HotplugError} As {@linkcode listTools}. */
export function listPrompts(
  connection: MCPServerConnection,
  options?: RequestOptions,
): Promise<Listing<ListedItem>> {
  return listItems(connection, "prompts", options);
}

function listItems(
  connection: MCPServerConnection,
  kind: Exclude<ListKind, "tools">,
  options: RequestOptions | undefined,
): Promise<Listing<ListedItem>> {
  const { key } = SHAPES[kind];
  return walk(connection, kind, options, (raw) => {
    const id = raw[key] as string;
    const name = raw["name"];
    const description = raw["description"];
    return {
      key: id,
      name: typeof name === "string" ? name : id,
      description: typeof description === "string" ? description : "",
      raw,
    };
  });
}

/** One tool as listed, made whole. Its name must be a string. */
function readTool(raw: JsonObject): ToolInfo {
  const { name, title, description, inputSchema, outputSchema, annotations } = raw;
  const hints = isJsonObject(annotations) ? annotations : null;
  const shownTitle = [title, hints?.["title"]].find((text) => typeof text === "string");
  return {
    name: name as string,
    title: typeof shownTitle === "string" ? shownTitle : null,
    description: typeof description === "string" ? description : "",
    inputSchema: isJsonObject(inputSchema) && Object.keys(inputSchema).length > 0
      ? inputSchema
      : NO_ARGUMENTS,
    outputSchema: isJsonObject(outputSchema) ? outputSchema : null,
    annotations: hints,
    raw,
  };
}

/** Reads the pages of one list for as long as they bring something new. */
async function walk<Item>(
  connection: MCPServerConnection,
  kind: ListKind,
  options: RequestOptions | undefined,
  read: (raw: JsonObject, warn: (warning: string) => void) => Item | null,
): Promise<Listing<Item>> {
  const shape = SHAPES[kind];
  const items: Item[] = [];
  const warnings: string[] = [];
  const fresh = new Freshness();
  const listing = (): Listing<Item> => ({ items, warnings, ...fresh.value() });
  if (!offersList(connection, kind)) return listing();

  // One time for the whole list, so that many slow pages cannot take it a thousand times.
  const { timeout } = options ?? {};
  const deadline = timeout === undefined ? null : systemTimers.now() + timeout;
  const seen = new Map<string, string>();
  const cursors = new Set<string>();
  let cursor: string | null = null;
  let empty = 0;
  for (let page = 1;; page++) {
    let result: JsonObject;
    try {
      result = await connection.request(
        shape.method,
        cursor === null ? {} : { cursor },
        deadline === null
          ? options
          : { ...options, timeout: Math.max(1, deadline - systemTimers.now()) },
      );
    } catch (thrown) {
      if (page === 1 && isMethodNotFound(thrown)) return listing();
      if (page > 1 && isTimeout(thrown)) throw tooSlow(connection.name, shape, page, timeout ?? 0);
      throw thrown;
    }
    fresh.add(result);
    const raws = result[shape.field];
    if (!Array.isArray(raws)) {
      warnings.push(`${shape.method} answered without a list of ${shape.field}`);
      return listing();
    }
    let added = 0;
    for (const raw of raws as JsonValue[]) {
      const key = isJsonObject(raw) ? raw[shape.key] : undefined;
      if (!isJsonObject(raw) || typeof key !== "string" || key === "") {
        warnings.push(`Left out an item of ${shape.method} without a ${shape.key}`);
        continue;
      }
      const text = JSON.stringify(raw);
      const before = seen.get(key);
      if (before !== undefined) {
        if (before !== text) {
          warnings.push(`${quoted(key)} is listed twice and differs; the first is kept`);
          seen.set(key, text);
        }
        continue;
      }
      seen.set(key, text);
      added++;
      const item = read(raw, (warning) => warnings.push(warning));
      if (item !== null) items.push(item);
    }
    const next = result["nextCursor"];
    if (typeof next !== "string" || next === "") return listing();
    const repeated = cursors.has(next);
    cursors.add(next);
    empty = added > 0 ? 0 : empty + 1;
    // A cursor of one value can stand for a position that the server keeps, so it is judged by
    // what it brings; a page that only repeats, and an empty one to a known cursor, bring nothing.
    if (added === 0 && (raws.length > 0 || repeated || empty >= MOST_EMPTY_PAGES)) {
      warnings.push(`${shape.method} goes on without an end; stopped after page ${page}`);
      return listing();
    }
    if (page >= MOST_PAGES) {
      warnings.push(`${shape.method} has more than ${MOST_PAGES} pages; stopped there`);
      return listing();
    }
    cursor = next;
  }
}

function declares(capabilities: JsonObject, capability: string): boolean {
  const value = Object.hasOwn(capabilities, capability) ? capabilities[capability] : undefined;
  return value !== undefined && value !== null && value !== false;
}

function isTimeout(thrown: unknown): thrown is HotplugError {
  return thrown instanceof HotplugError && thrown.code === "request-timeout";
}

function tooSlow(name: string, shape: ListShape, page: number, timeout: number): HotplugError {
  const seconds = Math.round(timeout / 100) / 10;
  return new HotplugError(
    "request-timeout",
    `Cannot finish "${shape.method}" on "${name}": page ${page} was not there within ${seconds} s`,
    { hint: "A longer time can be set as startupTimeout (milliseconds) of the server" },
  );
}

function isMethodNotFound(thrown: unknown): boolean {
  return thrown instanceof HotplugError && thrown.code === "protocol-error" &&
    thrown.details["code"] === METHOD_NOT_FOUND;
}
