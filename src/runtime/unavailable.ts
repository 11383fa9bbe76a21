import { closest } from "../definitions/suggestion.ts";
import { errorFromInfo, HotplugError } from "../model/errors.ts";
import type { ToolInfo } from "../model/listing.ts";
import type { ServerState } from "../model/server_state.ts";
import type { ServerView } from "../model/server_view.ts";

/** No server of that name is known. */
export function noSuchServer(name: string, known: readonly string[]): HotplugError {
  return unknown("unknown-server", `Cannot find server "${name}"`, name, known);
}

/** The server cannot be started again, since nothing has started it. */
export function neverStarted(
  name: string,
  view: ServerView | undefined,
  known: readonly string[],
): HotplugError {
  if (view === undefined) return noSuchServer(name, known);
  if (view.error !== null) return errorFromInfo(view.error);
  return new HotplugError(
    "server-not-runnable",
    `Cannot restart "${name}": it is ${view.state}`,
    { hint: "Connect to it first" },
  );
}

/** The server was asked for its lists again and does not answer. */
export function listedTooLate(name: string, ms: number): HotplugError {
  return new HotplugError(
    "request-timeout",
    `Cannot list the tools of "${name}" again: no answer within ${ms / 1000} s`,
    { hint: "The old list stays; restart the server if it has stopped answering" },
  );
}

/** The server offers no tool of that name, or its definition's filters leave it out. */
export function noSuchTool(
  server: string,
  tool: string,
  known: readonly ToolInfo[],
): HotplugError {
  const names = known.map(({ name }) => name);
  return unknown("unknown-tool", `Cannot find tool "${tool}" on server "${server}"`, tool, names);
}

/** The server is known, but there is no connection to it and no failure that says why. */
export function notConnected(name: string, state: ServerState): HotplugError {
  return new HotplugError("not-connected", `Server "${name}" is not connected: it is ${state}`, {
    hint: "Connect to it first",
  });
}

function unknown(
  code: "unknown-server" | "unknown-tool",
  message: string,
  word: string,
  known: readonly string[],
): HotplugError {
  const near = closest(word, known);
  const hint = near !== null
    ? `Did you mean "${near}"?`
    : known.length === 0
    ? null
    : `Known are: ${known.slice(0, 10).map((name) => `"${name}"`).join(", ")}${
      known.length > 10 ? ", …" : ""
    }`;
  return new HotplugError(code, message, { hint, details: { known: known.slice(0, 100) } });
}
