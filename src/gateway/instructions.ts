import type { ErrorInfo } from "../model/errors.ts";
import { shownName } from "../model/remedies.ts";
import type { ServerView } from "../model/server_view.ts";
import { describingText, modelText } from "../tools/model_text.ts";

/** Most bytes of one server's instructions. */
const SERVER_BYTES = 2 * 1024;

/** Most bytes in all. */
const ALL_BYTES = 8 * 1024;

/** Most names in one list. */
const MOST_NAMES = 20;

/** What instructions are made of. */
export interface InstructionFacts {
  /** The row of every server, in order. */
  readonly servers: readonly ServerView[];
  /** The instructions of a connected server; empty when there are none. */
  readonly instructionsOf: (server: string) => string;
  /** Why nothing could be discovered; `null` when it could. */
  readonly failure: ErrorInfo | null;
  /** Whether tools are not listed, but searched for. */
  readonly lazy: boolean;
}

/** How a model comes to tools that are not listed. */
const SEARCH_FIRST = "The tools are not listed: find them with search_tools, look at one with " +
  "describe_tool, run it with call_tool. Search before you say that something cannot be done.";

/**
 * What a model is told about the gateway before its first turn: what is behind it, what waits for
 * its user, and what each server says of itself. Some hosts show nothing else until a tool is
 * searched for, so the names come first. Pure.
 */
export function gatewayInstructions(
  { servers, instructionsOf, failure, lazy }: InstructionFacts,
): string {
  const offered = servers.filter(({ state, tools }) =>
    ["connected", "connecting", "retrying"].includes(state) && tools !== 0
  );
  const head = [
    failure === null
      ? `Tools of ${counted(offered.length, "MCP server")}, through Hotplug${
        offered.length === 0 ? "" : `: ${nameList(offered)}`
      }.`
      : `Hotplug offers no tools: ${modelText(failure.message)}.${
        failure.hint === null ? "" : ` ${modelText(failure.hint)}.`
      } Tell the user when they ask for a tool.`,
    lazy && failure === null ? SEARCH_FIRST : "",
    ...waitingLines(servers),
  ].filter((line) => line !== "");
  const parts = [head.join("\n")];
  for (const { name } of offered) {
    const text = describingText(instructionsOf(name)).trim();
    if (text !== "") parts.push(`## ${shownServer(name)}\n${cutToBytes(text, SERVER_BYTES)}`);
  }
  return cutToBytes(parts.join("\n\n"), ALL_BYTES);
}

/** The servers that wait for their user, a line for each reason. Pure. */
export function waitingLines(servers: readonly ServerView[]): readonly string[] {
  return [
    waiting(servers, "untrusted", "the user's approval"),
    waiting(servers, "needs-auth", "the user to log in"),
    waiting(servers, "needs-input", "a value that only the user can give"),
  ].filter((line) => line !== "");
}

/** One line about the servers that wait for their user; empty when none does. */
function waiting(
  servers: readonly ServerView[],
  state: ServerView["state"],
  what: string,
): string {
  const some = servers.filter((view) => view.state === state);
  const [first] = some;
  if (first === undefined) return "";
  const subject = some.length === 1 ? "it waits" : "they wait";
  const advice = adviceFor(first);
  return `Not available, as ${subject} for ${what}: ${nameList(some)}. Tell the user when they ` +
    `would help.${advice === "" ? "" : ` ${advice}`}`;
}

/** What the user can do about a server; it may name the server, so that must be a plain name. */
function adviceFor({ name, state, error }: ServerView): string {
  if (!/^[\x20-\x7e]{1,64}$/.test(name)) return "";
  const hint = error?.hint ?? (state === "untrusted" ? `mcp trust ${shownName(name)}` : "");
  return hint === "" ? "" : `What to do for ${shownServer(name)}: ${modelText(hint).slice(0, 300)}`;
}

function nameList(servers: readonly ServerView[]): string {
  const names = servers.slice(0, MOST_NAMES).map(({ name }) => shownServer(name)).join(", ");
  return servers.length > MOST_NAMES ? `${names} and ${servers.length - MOST_NAMES} more` : names;
}

/** A name as a model may read it: a repository chooses it. */
function shownServer(name: string): string {
  return JSON.stringify(modelText(name).slice(0, 64));
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** The start of a text, at most so many bytes of UTF-8, with a mark where it was cut. */
function cutToBytes(text: string, most: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= most) return text;
  const mark = " …";
  // A character that the cut goes through becomes a replacement character, which goes.
  const cut = new TextDecoder().decode(bytes.subarray(0, most - 4)).replace(/\u{fffd}+$/u, "");
  return cut + mark;
}
