import type { Definition } from "../model/definition.ts";
import type { HostProfile } from "../model/host_profile.ts";
import type { PlannedServer } from "../model/plan.ts";
import { hostsOwn, isOnInItsFile } from "../definitions/host_own.ts";
import { servedByConfig } from "../definitions/served_host.ts";
import type { OwnFinding } from "./host_kind.ts";
import type { HookState } from "./inspect_hook.ts";

/**
 * Servers that a host starts itself while Hotplug has another one of the name, which stands before
 * it: that one is not offered to the host. One of the host's that nobody has approved here hides
 * nothing, and its tools and Hotplug's are both there. Pure.
 *
 * @param rows The plan.
 * @param definitions Every definition that was found.
 */
export function doubledServers(
  profile: HostProfile,
  rows: readonly PlannedServer[],
  definitions: readonly Definition[],
): readonly OwnFinding[] {
  const { label, loads } = profile;
  const isItsOwn = ({ source }: Definition): boolean => loads.includes(source.id);
  return rows.flatMap((row): readonly OwnFinding[] => {
    const { name, verdict, definition } = row;
    if (verdict.state !== "run" || definition === null || isItsOwn(definition)) return [];
    const own = definitions.find((one) => one.name === name && isItsOwn(one) && startsAlone(one));
    if (own === undefined) return [];
    const shown = JSON.stringify(name);
    const isHidden = hostsOwn(profile, row) !== null;
    return [{
      check: "doubled",
      severity: isHidden ? "info" : "warning",
      path: own.source.path,
      message: isHidden
        ? `${label} starts ${shown} itself; that of ${definition.source.label} is left out for it`
        : `${label} may start ${shown} itself, and gets that of ${definition.source.label} ` +
          "from Hotplug, too",
      remedy: isHidden
        ? "To have the other one, take that out of this file"
        : `Take it out of ${label}'s own file`,
    }];
  });
}

/**
 * Entries of a host's that start Hotplug for it once more. Pure.
 *
 * @param paths The files that hold the host's hooks, of the user and of the project.
 */
export function furtherGateways(
  { label, loads }: HostProfile,
  definitions: readonly Definition[],
  paths: readonly string[],
): readonly OwnFinding[] {
  return definitions.filter((definition) =>
    loads.includes(definition.source.id) && startsAlone(definition, true) &&
    !paths.includes(definition.source.path ?? "")
  ).map(({ name, source: { path } }) => ({
    check: "doubled",
    severity: "warning",
    path,
    message: `${label} starts Hotplug once more, by its entry ${JSON.stringify(name)}`,
    remedy: "Take that entry out of the file",
  }));
}

/** Hosts that take the hook of the user and that of the project side by side. */
const TAKE_BOTH: ReadonlySet<string> = new Set([
  // Each loads the scripts of both folders.
  "pi",
  "omp",
  // Servers of one name in both files are two servers to it.
  "vscode",
  "vscode-insiders",
  "vscodium",
]);

/**
 * That a host loads Hotplug twice, by the hook of the user and by that of the project. In most
 * hosts an entry of the project's takes the place of the user's of the same name. Pure.
 */
export function doubledHooks(
  { id, label }: HostProfile,
  states: readonly HookState[],
): readonly OwnFinding[] {
  const there = states.filter(({ isInstalled }) => isInstalled);
  const [, second] = there;
  if (second === undefined || !TAKE_BOTH.has(id)) return [];
  return [{
    check: "doubled",
    severity: "warning",
    path: second.paths[0] ?? null,
    message: `${label} loads Hotplug twice here: by the hook of the user and by the project's`,
    remedy: `Run: mcp hooks uninstall ${id} --project`,
  }];
}

/** Whether a host starts a server of its own files, Hotplug left out or looked for. */
function startsAlone(definition: Definition, isGateway = false): boolean {
  return isOnInItsFile(definition) && (servedByConfig(definition.config) !== null) === isGateway;
}
