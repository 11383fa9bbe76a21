import { closest } from "../../definitions/suggestion.ts";
import type { JsonObject, JsonValue } from "../../model/json.ts";
import type { ServerView } from "../../model/server_view.ts";
import { MOST_FOUND, USUALLY_FOUND } from "./lazy_listing.ts";
import type { LazyTools } from "./lazy_tools.ts";
import { LONGEST_SERVER, oneLine, quotedName } from "./one_line.ts";
import type { Search } from "./search_answer.ts";
import { wordsOf } from "./words.ts";

/** Most characters of a question that are looked at. */
const LONGEST_QUERY = 1_000;

/**
 * Reads what a model asks of `search_tools`, and searches. Models do not always keep to a schema:
 * what can only mean one thing is understood. Pure.
 * @returns What was found, or, as a text, what is wrong.
 */
export function searched(
  args: JsonObject,
  lazy: LazyTools,
  servers: readonly ServerView[],
): Search | string {
  const query = queryOf(args["query"]);
  const wanted = typeof args["server"] === "string" ? args["server"].trim() : "";
  const { tools } = lazy;
  const known = [...new Set([...tools.map((tool) => tool.server), ...servers.map(nameOf)])];
  const server = wanted === "" ? null : serverOf(wanted, known);
  if (wanted !== "" && server === null) return unknownServer(wanted, known);
  const all = wordsOf(query).length === 0 ? tools : lazy.index.find(query);
  return {
    query,
    server,
    limit: limitOf(args["limit"]),
    found: server === null ? all : all.filter((tool) => tool.server === server),
    tools,
    servers,
  };
}

function nameOf({ name }: ServerView): string {
  return name;
}

function queryOf(value: JsonValue | undefined): string {
  const parts = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  return parts.filter((part) => typeof part === "string").join(" ").slice(0, LONGEST_QUERY);
}

function limitOf(value: JsonValue | undefined): number {
  const limit = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof limit !== "number" || !Number.isFinite(limit)) return USUALLY_FOUND;
  return Math.min(MOST_FOUND, Math.max(1, Math.floor(limit)));
}

function serverOf(wanted: string, known: readonly string[]): string | null {
  if (known.includes(wanted)) return wanted;
  const small = wanted.toLowerCase();
  return known.find((name) => oneLine(name, LONGEST_SERVER).toLowerCase() === small) ?? null;
}

function unknownServer(wanted: string, known: readonly string[]): string {
  const near = closest(wanted, known);
  const advice = near === null ? "" : ` Did you mean ${quotedName(near)}?`;
  return `There is no server ${quotedName(wanted)}.${advice} Leave "server" out to search all.`;
}
