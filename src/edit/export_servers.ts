import { HotplugError } from "../model/errors.ts";
import type { AddOptions, EditAnswer } from "./add_servers.ts";
import { copyDefinitions } from "./import_servers.ts";
import { hostNamed } from "./target.ts";
import { readWorkspace, rowNamed } from "./workspace.ts";

/** How servers are exported. */
export interface ExportOptions extends Omit<AddOptions, "target" | "enable"> {
  /** Whose file of the agent is written. Default `user`. */
  readonly scope?: "user" | "project" | undefined;
}

/**
 * Writes servers into the file of a host agent, in its own words.
 *
 * @param names Which; none means all that would run here and do not come from that agent already.
 * @throws {HotplugError} `usage` for an unknown agent; `unknown-server`; what `addServers` throws.
 */
export async function exportServers(
  agent: string,
  names: readonly string[],
  options: ExportOptions = {},
): Promise<EditAnswer> {
  const source = hostNamed(agent);
  const workspace = await readWorkspace(options);
  const rows = names.length === 0
    ? workspace.rows.filter(({ verdict, definition }) =>
      verdict.state === "run" && definition?.source.id !== source.id
    )
    : names.map((name) => rowNamed(workspace, name));
  const definitions = rows.map(({ name, definition }) => {
    if (definition !== null) return definition;
    throw new HotplugError(
      "unknown-server",
      `Cannot export ${JSON.stringify(name)}: it is enabled here and defined nowhere`,
    );
  });
  const { scope = "user", ...rest } = options;
  const host = source.id === "store" ? undefined : source.id;
  return await copyDefinitions(definitions, workspace, { ...rest, target: { scope, host } });
}
