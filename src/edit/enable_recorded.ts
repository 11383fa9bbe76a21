import type { Survey } from "../plan/survey.ts";
import { updateTrust } from "../plan/trust_store.ts";
import type { EditedFile } from "./file_edit.ts";
import type { InPlaceOptions } from "./remove_definition.ts";
import { switchWorkspace } from "./switch_workspace.ts";

/**
 * Enables a store's server in a workspace, and records that this user, not only the repository,
 * wants it there.
 *
 * @returns The files that changed.
 * @throws What `runEdit` and `updateTrust` throw.
 */
export async function enableRecorded(
  name: string,
  found: Survey,
  options: InPlaceOptions = {},
): Promise<readonly EditedFile[]> {
  const { workspacePath, rules } = found.input;
  const { files } = await switchWorkspace(name, "stored", true, {
    ...options,
    workspacePath,
    switches: rules.switches,
  });
  if (options.dryRun !== true) {
    const { signal } = options;
    await updateTrust(found.folders, workspacePath, (trust) => ({
      ...trust,
      enabled: trust.enabled.includes(name) ? trust.enabled : [...trust.enabled, name],
    }), signal === undefined ? {} : { signal });
  }
  return files;
}
