import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { entriesOf, printKey, printKeys, printToml } from "./toml_print.ts";
import { isSamePath, isWithin, type TomlBlock } from "./toml_tree.ts";

/** Longest inline table, in UTF-16 units, that is preferred to a table with a header. */
const SHORT = 100;

/** How a new table is written. */
export interface TableStyle {
  readonly eol: string;
  /** What stands before its header. */
  readonly headerIndent: string;
  /** What stands before its keys. */
  readonly entryIndent: string;
  /** What stands between a key and its value. */
  readonly equals: string;
}

/** Whether a value can be written as an array of tables. */
export function isTableList(value: JsonValue): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
}

/**
 * Whether a new value of a table gets a header of its own: as the tables next to it do, or as
 * those of its name in the tables next to its parent do. Without such examples a table of tables
 * gets headers, and one that has keys gets inline tables while they are short.
 */
export function isWrittenAsTable(
  blocks: readonly TomlBlock[],
  parent: readonly string[],
  key: string,
  value: JsonValue,
): boolean {
  if (!isJsonObject(value) && !isTableList(value)) return false;
  if (isTableInCousins(blocks, [...parent, key])) return true;
  const own = blocks.find(({ header, path }) => header !== null && isSamePath(path, parent));
  const hasTables = blocks.some(({ header, path }) =>
    header !== null && path.length > parent.length && isWithin(path, parent)
  );
  if (hasTables) return true;
  const entries = (own ?? (parent.length === 0 ? blocks[0] : undefined))?.entries ?? [];
  if (entries.some(({ node }) => isInlineObject(node.value.type) || node.key.keys.length > 1)) {
    return false;
  }
  if (parent.length === 0 || entries.length === 0) return true;
  return !isShort(value);
}

function isInlineObject(type: string): boolean {
  return type === "TOMLInlineTable";
}

/** Whether a value is flat and fits on a line. */
function isShort(value: JsonValue): boolean {
  const items = isJsonObject(value) ? Object.values(value) : [];
  return Array.isArray(value) ||
    (items.every((item) => !isJsonObject(item)) && printToml(value).length <= SHORT);
}

/** Whether the same key is a table with a header in a table next to the parent. */
function isTableInCousins(blocks: readonly TomlBlock[], path: readonly string[]): boolean {
  const family = path.slice(0, -2);
  return path.length > 2 &&
    blocks.some((block) =>
      block.header !== null && block.path.length === path.length &&
      isWithin(block.path, family) && block.path.at(-1) === path.at(-1)
    );
}

/** A table with its header: its keys first, then the tables in it that get headers too. */
export function printTable(
  blocks: readonly TomlBlock[],
  path: readonly string[],
  value: JsonObject | JsonValue,
  isItem: boolean,
  style: TableStyle,
): string {
  const entries = isJsonObject(value) ? entriesOf(value) : [];
  const own = namesOf(blocks, path);
  const isOfTables = entries.every(([, item]) => isFilled(item));
  const isTable = ([key, item]: readonly [string, JsonValue]): boolean =>
    isJsonObject(item) &&
    (isOfTables || isTableInCousins(blocks, [...path, key]) || !isShort(item));
  const name = printKeys(own);
  const header = style.headerIndent + (isItem ? `[[${name}]]` : `[${name}]`);
  const lines = entries.filter((entry) => !isTable(entry)).map(([key, item]) =>
    `${style.entryIndent}${printKey(key)}${style.equals}${printToml(item)}`
  );
  const tables = entries.filter(isTable).map(([key, item]) =>
    printTable(blocks, [...path, key], item, false, style)
  );
  // The headers of its tables name it too.
  const isNamed = lines.length === 0 && tables.length > 0 && !isItem;
  const first = isNamed ? [] : [[header, ...lines].join(style.eol)];
  return [...first, ...tables].join(style.eol + style.eol);
}

function isFilled(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length > 0;
}

/** The keys of a path without the positions in arrays of tables, which headers do not write. */
function namesOf(blocks: readonly TomlBlock[], path: readonly string[]): readonly string[] {
  return path.filter((_, index) =>
    !blocks.some((block) =>
      typeof block.path[index] === "number" && isWithin(block.path, path.slice(0, index + 1))
    )
  );
}
