import type { ValueChange } from "./file_edit.ts";
import type { JsonObject } from "../model/json.ts";
import type { WorkspaceSwitches } from "../model/source.ts";
import type { SourceContext } from "../sources/source.ts";
import { workspaceConfigPath } from "../sources/store.ts";
import { runEdit } from "./file_edit.ts";
import { namesWith, namesWithout } from "./list_change.ts";
import { changedFiles, type EditOutcome } from "./outcome.ts";
import type { InPlaceOptions } from "./remove_definition.ts";

const ENABLED: readonly string[] = ["enabledMcpServers"];
const DISABLED: readonly string[] = ["disabledMcpServers"];

/** Where a workspace's switch stands. */
export interface WorkspaceSwitch extends InPlaceOptions {
  /** The workspace. */
  readonly context: SourceContext;
  /** The workspace's files of switches, as they were read. */
  readonly switches: readonly WorkspaceSwitches[];
}

/**
 * Switches a name on or off for one workspace, in `.hotplug/workspace.json`. A store's server is
 * switched on by being listed; any other is on until it is listed as off.
 *
 * @param kind Whether a store alone defines the name, another file does (perhaps too), or nothing.
 * @throws What `runEdit` throws.
 */
export async function switchWorkspace(
  name: string,
  kind: "stored" | "other" | "missing",
  on: boolean,
  options: WorkspaceSwitch,
): Promise<EditOutcome> {
  const { context } = options;
  const path = workspaceConfigPath(context);
  // Another file may enable it too (AI4J's), which only the list of what is off outweighs.
  const elsewhere = options.switches.some((file) =>
    file.path !== path && file.enabled.includes(name)
  );
  const changes = (root: JsonObject): readonly ValueChange[] => {
    if (on) {
      return [
        ...namesWithout(root, DISABLED, name),
        ...(kind === "stored" ? namesWith(root, ENABLED, name) : []),
      ];
    }
    // Off outweighs on, so that switching on again finds the store's server as it was.
    if (kind === "other") return namesWith(root, DISABLED, name);
    return [
      ...namesWithout(root, ENABLED, name),
      ...(elsewhere ? namesWith(root, DISABLED, name) : []),
    ];
  };
  const edited = await runEdit({ path, project: context, changes }, {
    dryRun: options.dryRun === true,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const files = changedFiles([edited]);
  const done = files.length === 0 ? "unchanged" : on ? "enabled" : "disabled";
  return { servers: [{ name, done, path, error: null, warnings: [] }], files };
}
