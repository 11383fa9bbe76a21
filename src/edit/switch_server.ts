import { HotplugError } from "../model/errors.ts";
import type { PlannedServer } from "../model/plan.ts";
import { shownName } from "../model/remedies.ts";
import { enablementOf, offInFile } from "../plan/enablement.ts";
import type { LoadOptions } from "../plan/survey.ts";
import type { EditAnswer } from "./add_servers.ts";
import { effectiveServers } from "./effective.ts";
import { enableRecorded, forgetEnabled } from "./enable_recorded.ts";
import type { EditOutcome } from "./outcome.ts";
import { switchDefinition } from "./switch_definition.ts";
import { switchWorkspace } from "./switch_workspace.ts";
import { readWorkspace, rowNamed, type Workspace } from "./workspace.ts";

/** How a server is switched. */
export interface SwitchOptions extends LoadOptions {
  /**
   * `true`: by the own switch of the file that defines it, for every workspace and for its host.
   * Default `false`: for this workspace alone, in `.hotplug/workspace.json`.
   */
  readonly inPlace?: boolean | undefined;
  /** `true`: nothing is written. Default `false`. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Switches the server that stands for a name here on or off.
 *
 * @throws {HotplugError} `unknown-server`; `edit-refused` when it is off in its own file and
 * `inPlace` was not asked for, or its host has no switch; what `runEdit` throws.
 */
export async function switchServer(
  name: string,
  on: boolean,
  options: SwitchOptions = {},
): Promise<EditAnswer> {
  const workspace = await readWorkspace(options);
  const row = rowNamed(workspace, name);
  const outcome = options.inPlace === true
    ? await inItsFile(row, on, workspace, options)
    : await inWorkspace(switchedRow(row, on, workspace), on, workspace, options);
  const effective = options.dryRun === true ? [] : await effectiveServers([name], options);
  return { ...outcome, effective };
}

/**
 * The row as the switch sees it: to enable a name whose definition here is on already means the
 * store's definition of it, if there is one that waits to be enabled.
 */
function switchedRow(
  row: PlannedServer,
  on: boolean,
  { definitions, found }: Workspace,
): Pick<PlannedServer, "name" | "definition"> {
  if (!on || row.verdict.state === "disabled") return row;
  const { switches } = found.input.rules;
  const waiting = definitions.find((one) =>
    one.name === row.name && enablementOf(one, switches).unclaimed
  );
  return waiting === undefined ? row : { name: row.name, definition: waiting };
}

async function inItsFile(
  row: PlannedServer,
  on: boolean,
  { found }: Workspace,
  options: SwitchOptions,
): Promise<EditOutcome> {
  if (row.definition !== null) {
    return await switchDefinition(row.definition, on, found.context, options);
  }
  const { name } = row;
  throw new HotplugError(
    "edit-refused",
    `Cannot switch ${JSON.stringify(name)}: nothing defines it`,
    {
      hint: `To take it out of the workspace: mcp disable ${shownName(name)}`,
    },
  );
}

async function inWorkspace(
  { name, definition }: Pick<PlannedServer, "name" | "definition">,
  on: boolean,
  { found, definitions }: Workspace,
  options: SwitchOptions,
): Promise<EditOutcome> {
  const { context, input: { rules: { switches } } } = found;
  if (on && definition?.config.enabled === false) {
    const { message, hint } = offInFile(definition);
    throw new HotplugError(
      "edit-refused",
      `Cannot enable ${JSON.stringify(name)} here: ${message.replace(/^S/, "it is s")}`,
      { hint },
    );
  }
  if (on && definition?.source.store === true) {
    return await enableRecorded(name, found, options);
  }
  // Taking the store's out of the list would let another definition of the name run in its place.
  const isOther = definitions.some((one) => one.name === name && !one.source.store);
  const kind = isOther ? "other" : definition === null ? "missing" : "stored";
  const outcome = await switchWorkspace(name, kind, on, { ...options, context, switches });
  if (!on && kind !== "other") await forgetEnabled(name, found, options);
  return outcome;
}
