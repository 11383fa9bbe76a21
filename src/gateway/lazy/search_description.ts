import { oneLine, quotedName } from "./one_line.ts";

/** One server with tools, as the model is told of it before it searches. */
export interface SearchableServer {
  /** Its name. */
  readonly name: string;
  /** What its user says that it is for; empty when nothing is said. */
  readonly purpose: string;
  /** Its own names of its tools, in its order. */
  readonly tools: readonly string[];
}

/** Most characters in all: some hosts cut a description after 2 KiB. */
const MOST = 2_000;

/** Most characters of what is said about one server. */
const MOST_EACH = 160;

/** Fewest that are worth saying. */
const LEAST_EACH = 24;

const HEAD =
  "Finds tools of the MCP servers behind this one. They are not listed anywhere else: search " +
  "before you say that something cannot be done, and again with other words when nothing fits. " +
  "Ask with a few words for what is to be done, or with exact names. The best match comes first, " +
  "with its arguments. Run it with call_tool; when the arguments are not plain, look at " +
  "describe_tool first.";

/**
 * What `search_tools` says of itself: how to use it, and which servers there are, each with what it
 * is for or the names of some tools. It says the same as long as the tools are the same, so that
 * hosts need not ask again whenever a server comes or goes. Pure.
 */
export function searchDescription(servers: readonly SearchableServer[]): string {
  if (servers.length === 0) return `${HEAD}\n\nNo server has tools yet.`;
  const room = MOST - HEAD.length - "\n\nServers:".length;
  const names = servers.map(({ name }) => `\n- ${shownName(name)}`);
  const bare = names.reduce((sum, name) => sum + name.length, 0);
  const each = Math.min(MOST_EACH, Math.floor((room - bare) / servers.length) - 2);
  if (each >= LEAST_EACH) {
    const lines = servers.map((server, index) => `${names[index]}: ${aboutServer(server, each)}`);
    return `${HEAD}\n\nServers:${lines.join("")}`;
  }
  return `${HEAD}\n\nServers: ${namesWithin(servers, room)}`;
}

/** What a server is for, else the names of its first tools that fit. */
function aboutServer({ purpose, tools }: SearchableServer, most: number): string {
  const said = oneLine(purpose, most);
  if (said !== "") return said;
  let text = "";
  for (const [index, tool] of tools.entries()) {
    const next = `${text}${text === "" ? "" : ", "}${oneLine(tool, 64)}`;
    const isLast = index === tools.length - 1;
    if (next.length + (isLast ? 0 : 3) > most) {
      return text === "" ? oneLine(tool, most) : `${text}, …`;
    }
    text = next;
  }
  return text;
}

function namesWithin(servers: readonly SearchableServer[], room: number): string {
  let text = "";
  for (const [index, { name }] of servers.entries()) {
    const next = `${text}${text === "" ? "" : ", "}${shownName(name)}`;
    if (next.length + 20 > room) return `${text} and ${servers.length - index} more`;
    text = next;
  }
  return text;
}

/** A name as it is, or quoted when it is more than a word. */
function shownName(name: string): string {
  return /^[\w.@/-]{1,64}$/.test(name) ? name : quotedName(name);
}
