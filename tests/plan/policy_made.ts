import assert from "node:assert/strict";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { LoadedConfigs, PlannedServer } from "../../src/model/plan.ts";
import { loadAllMCPConfigs, type LoadOptions } from "../../src/plan/discover.ts";
import type { Place } from "./made.ts";

/** Writes a policy and discovers under it. */
export async function under(
  place: Place,
  policy: unknown,
  options: LoadOptions = {},
): Promise<LoadedConfigs> {
  const { machine, folders } = place;
  return await loadAllMCPConfigs({
    machine,
    folders,
    policy: { path: await place.write("etc/managed.json", policy), ownerUid: Deno.uid() },
    ...options,
  });
}

/** The one row of a name. */
export function row({ plan }: LoadedConfigs, name: string): PlannedServer {
  const found = plan.servers.filter((server) => server.name === name);
  assert.equal(found.length, 1, `rows of ${name}`);
  return found[0] as PlannedServer;
}

/** State of every row, by name. */
export function states({ plan }: LoadedConfigs): Record<string, string> {
  return Object.fromEntries(plan.servers.map(({ name, verdict }) => [name, verdict.state]));
}

/** The user's own servers. */
export async function userServers(
  place: Place,
  mcpServers: Readonly<Record<string, ServerConfig>>,
): Promise<void> {
  // Claude Code asks for the type of a remote server.
  const typed = Object.entries(mcpServers).map(([name, config]) => [
    name,
    config.url === undefined ? config : { type: "http", ...config },
  ]);
  await place.write("home/.claude.json", { mcpServers: Object.fromEntries(typed) });
}
