import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { ServerView } from "../../model/server_view.ts";
import { modelText } from "../../tools/model_text.ts";
import { waitingLines } from "../instructions.ts";
import { LONGEST_SERVER, oneLine, quotedName } from "./one_line.ts";
import { signatureOf } from "./signature.ts";
import type { FindableTool } from "./tool_index.ts";

/** Most characters of one description. */
const DESCRIPTION = 240;

/** Fewest, however many tools there are. */
const SHORT_DESCRIPTION = 40;

/** Characters of all descriptions together, about. */
const ALL_DESCRIPTIONS = 3_000;

/** Most characters of the arguments of one tool. */
const ARGUMENTS = 240;

/** The same when there are many tools. */
const SHORT_ARGUMENTS = 80;

/** From how many tools on there are many. */
const MANY = 25;

/** Most servers that are named in one line. */
const MOST_SERVERS = 30;

/** What a search came to. */
export interface Search {
  /** The words; empty for all tools. */
  readonly query: string;
  /** Name of the server that was asked for; `null` for any. */
  readonly server: string | null;
  /** Most tools in the answer. */
  readonly limit: number;
  /** All tools that fit, the best first. */
  readonly found: readonly FindableTool[];
  /** All tools that there are. */
  readonly tools: readonly FindableTool[];
  /** The row of every server. */
  readonly servers: readonly ServerView[];
}

/** The answer to a search. */
export interface SearchAnswer {
  /** What a model reads: a line a tool. */
  readonly text: string;
  /** The same as data. */
  readonly structured: JsonObject;
}

/**
 * What a model gets for its search: of each tool its name, what it takes and what it does, in few
 * words; how many more fit; and when nothing does, why that may be. Pure.
 */
export function searchAnswer(search: Search): SearchAnswer {
  const { limit, found } = search;
  const shown = found.slice(0, limit);
  const more = found.length - shown.length;
  const tools = shown.map((tool) => shownTool(tool, shown.length));
  const note = [shown.length === 0 ? nothing(search) : "", ...remarks(search)]
    .filter((line) => line !== "").join("\n");
  const lines = tools.map((tool) =>
    `- ${tool.name}(${tool.arguments}) [${tool.server}]${
      tool.description === "" ? "" : `: ${tool.description}`
    }`
  );
  const rest = more === 0
    ? ""
    : `${more} more: use other words, name a server, or ask for a higher limit.`;
  const structured: JsonObject = {
    tools: tools.map((tool) => ({ ...tool })),
    more,
    ...(note === "" ? {} : { note }),
  };
  return { text: [...lines, rest, note].filter((line) => line !== "").join("\n"), structured };
}

/** A tool as it stands in the answer. */
interface ShownTool {
  readonly name: string;
  readonly server: string;
  readonly arguments: string;
  readonly description: string;
}

function shownTool({ publicName, server, listed }: FindableTool, count: number): ShownTool {
  const { title, description, inputSchema } = listed;
  const said = typeof description === "string" && description.trim() !== "" ? description : title;
  const room = Math.floor(ALL_DESCRIPTIONS / count);
  const most = Math.min(DESCRIPTION, Math.max(SHORT_DESCRIPTION, room));
  return {
    name: publicName,
    server: oneLine(server, LONGEST_SERVER),
    arguments: isJsonObject(inputSchema)
      ? signatureOf(inputSchema, count > MANY ? SHORT_ARGUMENTS : ARGUMENTS)
      : "",
    description: typeof said === "string" ? oneLine(said, most) : "",
  };
}

/** Why there is nothing, and what to do. */
function nothing({ query, server, tools, servers }: Search): string {
  if (server !== null && !tools.some((tool) => tool.server === server)) {
    const view = servers.find(({ name }) => name === server);
    const error = view?.error ?? null;
    const why = error === null ? view?.state ?? "it is not there" : modelText(error.message);
    const advice = error?.hint ? ` ${modelText(error.hint)}.` : "";
    return `${quotedName(server)} has no tools: ${why}.${advice}`;
  }
  const all = Map.groupBy(tools, (tool) => tool.server);
  const names = [...all].slice(0, MOST_SERVERS).map(([name, some]) =>
    `${quotedName(name)} (${some.length})`
  );
  const rest = all.size > MOST_SERVERS ? ` and ${all.size - MOST_SERVERS} more` : "";
  const where = server === null ? "" : ` of ${quotedName(server)}`;
  return [
    `No tool${where} fits ${JSON.stringify(oneLine(query, 100))}. Try other words, or an empty ` +
    'query with a "server" for all of its tools.',
    names.length === 0 ? "" : `Servers and their number of tools: ${names.join(", ")}${rest}.`,
  ].filter((line) => line !== "").join("\n");
}

/** What may be missing: servers on their way, and, where nothing fits, those that wait or failed. */
function remarks({ server, found, servers }: Search): readonly string[] {
  const starting = servers.filter(({ state, tools }) =>
    (state === "connecting" || state === "retrying") && tools === null
  );
  const failed = servers.filter(({ state }) => state === "error" || state === "missing");
  return [
    starting.length === 0
      ? ""
      : `Still starting, search again for their tools: ${namesOf(starting)}.`,
    ...found.length > 0 || server !== null
      ? []
      : [...waitingLines(servers), failed.length === 0 ? "" : `Not available: ${namesOf(failed)}.`],
  ];
}

function namesOf(servers: readonly ServerView[]): string {
  const names = servers.slice(0, MOST_SERVERS).map(({ name }) => quotedName(name)).join(", ");
  const rest = servers.length - MOST_SERVERS;
  return rest > 0 ? `${names} and ${rest} more` : names;
}
