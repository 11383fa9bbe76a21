import type { Survey } from "../plan/survey.ts";
import { updateTrust } from "../plan/trust_store.ts";
import type { EditOutcome } from "./outcome.ts";
import type { InPlaceOptions } from "./remove_definition.ts";
import { switchWorkspace } from "./switch_workspace.ts";

/**
 * Enables a store's server in a workspace, and records that this user, not only the repository,
 * wants it there.
 *
 * @throws What `runEdit` and `updateTrust` throw.
 */
export async function enableRecorded(
  name: string,
  found: Survey,
  options: InPlaceOptions = {},
): Promise<EditOutcome> {
  const { switches } = found.input.rules;
  const { context } = found;
  const outcome = await switchWorkspace(name, "stored", true, { ...options, context, switches });
  if (found.trust.enabled.includes(name)) return outcome;
  await record(name, true, found, options);
  // The file may have said so already: it is this user's word that was missing.
  const servers = outcome.servers.map((one) => ({ ...one, done: "enabled" as const }));
  return { ...outcome, servers };
}

/**
 * Withdraws what {@linkcode enableRecorded} recorded: the repository alone cannot enable the server
 * again.
 *
 * @throws What `updateTrust` throws.
 */
export async function forgetEnabled(
  name: string,
  found: Survey,
  options: InPlaceOptions = {},
): Promise<void> {
  if (found.trust.enabled.includes(name)) await record(name, false, found, options);
}

async function record(
  name: string,
  wanted: boolean,
  { folders, input: { workspacePath } }: Survey,
  { dryRun, signal }: InPlaceOptions,
): Promise<void> {
  if (dryRun === true) return;
  await updateTrust(folders, workspacePath, (trust) => {
    const others = trust.enabled.filter((one) => one !== name);
    return { ...trust, enabled: wanted ? [...others, name] : others };
  }, signal === undefined ? {} : { signal });
}
