import type { CacheEntry, ListRead } from "../model/cache.ts";
import type { ErrorCode, ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { ListedItem, ServerIdentity, ToolInfo } from "../model/listing.ts";

/**
 * Version of the format. Whatever was written under another one is not read: a program of another
 * version may have meant something else by it.
 */
const SCHEMA_VERSION = 1;

/** Schema of a tool whose server gave none. */
const NO_ARGUMENTS: JsonObject = { type: "object", properties: {} };

/**
 * An entry as the text of its file. Fields of a tool that can be told from what was received are
 * not written a second time: it halves the file, and with it the time to read it.
 */
export function entryText(fingerprint: string, entry: CacheEntry): string {
  const { tools, resources, resourceTemplates, prompts, ...rest } = entry;
  const written = {
    schemaVersion: SCHEMA_VERSION,
    fingerprint,
    ...rest,
    tools: tools?.map(packTool) ?? null,
    resources: resources?.map(packItem) ?? null,
    resourceTemplates: resourceTemplates?.map(packItem) ?? null,
    prompts: prompts?.map(packItem) ?? null,
  };
  return JSON.stringify(written);
}

/**
 * Reads what {@linkcode entryText} wrote. Never throws.
 * @returns `null` for another version, another fingerprint, a torn file or anything else. [D16]
 */
export function parseEntry(fingerprint: string, text: string): CacheEntry | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isJsonObject(value)) return null;
  if (value["schemaVersion"] !== SCHEMA_VERSION || value["fingerprint"] !== fingerprint) {
    return null;
  }
  const { readAt, eraAt, ttlMs, cacheScope, stale } = value;
  const tools = list(value["tools"], unpackTool);
  const resources = list(value["resources"], unpackItem);
  const resourceTemplates = list(value["resourceTemplates"], unpackItem);
  const prompts = list(value["prompts"], unpackItem);
  const server = orNull(value["server"], readServer);
  const protocol = orNull(value["protocol"], readProtocol);
  const failure = orNull(value["failure"], readFailure);
  if (
    tools === undefined || resources === undefined || resourceTemplates === undefined ||
    prompts === undefined || server === undefined || protocol === undefined ||
    failure === undefined || typeof readAt !== "number" || typeof eraAt !== "number" ||
    (ttlMs !== null && typeof ttlMs !== "number") ||
    (cacheScope !== null && cacheScope !== "public" && cacheScope !== "private") ||
    typeof stale !== "boolean"
  ) return null;
  return {
    tools,
    resources,
    resourceTemplates,
    prompts,
    server,
    protocol,
    readAt,
    itemReads: readItemReads(value["itemReads"]),
    eraAt,
    ttlMs,
    cacheScope,
    stale,
    failure,
  };
}

/** The lists that have a time of their own. */
const ITEM_KINDS = ["resources", "resourceTemplates", "prompts"] as const;

/** When the other lists were read; a time that is not sound is left out, as none was written once. */
function readItemReads(value: JsonValue | undefined): CacheEntry["itemReads"] {
  if (!isJsonObject(value)) return {};
  const reads: Partial<Record<typeof ITEM_KINDS[number], ListRead>> = {};
  for (const kind of ITEM_KINDS) {
    const read = value[kind];
    if (!isJsonObject(read)) continue;
    const { at, ttlMs } = read;
    if (typeof at !== "number" || (ttlMs !== null && typeof ttlMs !== "number")) continue;
    reads[kind] = { at, ttlMs };
  }
  return reads;
}

/** Gives a value, or `undefined` when it is not what was written. */
type Reader<Value> = (value: JsonValue | undefined) => Value | undefined;

function orNull<Value>(
  value: JsonValue | undefined,
  read: Reader<Value>,
): Value | null | undefined {
  return value === null ? null : read(value);
}

/** A list of which every item is sound, `null`, or `undefined` when it is neither. */
function list<Item>(
  value: JsonValue | undefined,
  read: Reader<Item>,
): readonly Item[] | null | undefined {
  if (value === null) return null;
  if (!Array.isArray(value)) return undefined;
  const items: Item[] = [];
  for (const entry of value) {
    const item = read(entry);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

/** What a tool's fields are when its listing says nothing unusual. */
function toldTool(raw: JsonObject): Omit<ToolInfo, "raw"> {
  return {
    name: stringOf(raw["name"]) ?? "",
    title: stringOf(raw["title"]) ?? null,
    description: stringOf(raw["description"]) ?? "",
    inputSchema: objectOf(raw["inputSchema"]) ?? NO_ARGUMENTS,
    outputSchema: objectOf(raw["outputSchema"]) ?? null,
    annotations: objectOf(raw["annotations"]) ?? null,
  };
}

function packTool(tool: ToolInfo): JsonObject {
  return {
    ...differences({ ...tool, raw: null }, { ...toldTool(tool.raw), raw: null }),
    raw: tool.raw,
  };
}

function unpackTool(value: JsonValue | undefined): ToolInfo | undefined {
  if (!isJsonObject(value) || !isJsonObject(value["raw"])) return undefined;
  const { raw } = value;
  const { name, title, description, inputSchema, outputSchema, annotations } = {
    ...toldTool(raw),
    ...value,
  };
  if (
    typeof name !== "string" || typeof description !== "string" || !isJsonObject(inputSchema) ||
    (title !== null && typeof title !== "string") ||
    (outputSchema !== null && !isJsonObject(outputSchema)) ||
    (annotations !== null && !isJsonObject(annotations))
  ) return undefined;
  return { name, title, description, inputSchema, outputSchema, annotations, raw };
}

function toldItem(raw: JsonObject): Omit<ListedItem, "raw"> {
  const name = stringOf(raw["name"]) ?? "";
  return {
    key: stringOf(raw["uri"]) ?? stringOf(raw["uriTemplate"]) ?? name,
    name,
    description: stringOf(raw["description"]) ?? "",
  };
}

function packItem(item: ListedItem): JsonObject {
  return {
    ...differences({ ...item, raw: null }, { ...toldItem(item.raw), raw: null }),
    raw: item.raw,
  };
}

function unpackItem(value: JsonValue | undefined): ListedItem | undefined {
  if (!isJsonObject(value) || !isJsonObject(value["raw"])) return undefined;
  const { raw } = value;
  const { key, name, description } = { ...toldItem(raw), ...value };
  if (typeof key !== "string" || typeof name !== "string" || typeof description !== "string") {
    return undefined;
  }
  return { key, name, description, raw };
}

/** The properties of `value` that `told` does not have alike. */
function differences(value: JsonObject, told: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter(([key, part]) =>
      part !== told[key] && JSON.stringify(part) !== JSON.stringify(told[key])
    ),
  );
}

function readServer(value: JsonValue | undefined): ServerIdentity | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, version } = value;
  return typeof name === "string" && typeof version === "string" ? { name, version } : undefined;
}

function readProtocol(
  value: JsonValue | undefined,
): NonNullable<CacheEntry["protocol"]> | undefined {
  if (!isJsonObject(value)) return undefined;
  const { era, version } = value;
  if ((era !== "legacy" && era !== "modern") || typeof version !== "string") return undefined;
  return { era, version };
}

function readFailure(value: JsonValue | undefined): CacheEntry["failure"] | undefined {
  if (!isJsonObject(value) || typeof value["at"] !== "number") return undefined;
  const error = readError(value["error"]);
  return error === undefined ? undefined : { error, at: value["at"] };
}

function readError(value: JsonValue | undefined): ErrorInfo | undefined {
  if (!isJsonObject(value)) return undefined;
  const { code, message, hint, causes, processExitCode, processSignal, stderr } = value;
  if (typeof code !== "string" || typeof message !== "string") return undefined;
  if (hint !== null && typeof hint !== "string") return undefined;
  return {
    // The version stamp vouches for the set of codes.
    code: code as ErrorCode,
    message,
    hint,
    ...(isStrings(causes) ? { causes } : {}),
    ...(typeof processExitCode === "number" ? { processExitCode } : {}),
    ...(typeof processSignal === "string" ? { processSignal } : {}),
    ...(typeof stderr === "string" ? { stderr } : {}),
  };
}

function isStrings(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function stringOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}
