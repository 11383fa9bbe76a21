import { HotplugError } from "../model/errors.ts";
import type { ServerView } from "../model/server_view.ts";

/** Why a request found no connection, where its server is paused; `null` for anything else. Pure. */
export function pausedError(
  servers: readonly ServerView[],
  server: string,
  thrown: unknown,
): HotplugError | null {
  if (!(thrown instanceof HotplugError) || thrown.code !== "not-connected") return null;
  if (servers.find(({ name }) => name === server)?.paused !== true) return null;
  return new HotplugError("not-connected", `Server "${server}" is paused`, {
    hint: `The user can start it again: mcp resume ${server}`,
    cause: thrown,
  });
}
