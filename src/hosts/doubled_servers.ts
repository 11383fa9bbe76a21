import type { Definition } from "../model/definition.ts";
import type { HostProfile } from "../model/host_profile.ts";
import type { PlannedServer } from "../model/plan.ts";
import { servedByConfig } from "../definitions/served_host.ts";
import type { OwnFinding } from "./host_kind.ts";
import type { HookState } from "./inspect_hook.ts";

/**
 * Servers whose tools a host gets twice: it starts one of the name itself, and Hotplug offers
 * another one of the name, which stands before it. Pure.
 *
 * @param rows The plan.
 * @param definitions Every definition that was found.
 */
export function doubledServers(
  { label, loads }: HostProfile,
  rows: readonly PlannedServer[],
  definitions: readonly Definition[],
): readonly OwnFinding[] {
  const isItsOwn = ({ source }: Definition): boolean => loads.includes(source.id);
  return rows.flatMap(({ name, verdict, definition }): readonly OwnFinding[] => {
    if (verdict.state !== "run" || definition === null || isItsOwn(definition)) return [];
    const own = definitions.find((one) => one.name === name && isItsOwn(one) && startsAlone(one));
    if (own === undefined) return [];
    return [{
      check: "doubled",
      severity: "warning",
      path: own.source.path,
      message: `${label} starts ${JSON.stringify(name)} itself, and gets that of ` +
        `${definition.source.label} from Hotplug, too`,
      remedy: `Take it out of ${label}'s own file: mcp remove ${name} --host ${own.source.id}`,
    }];
  });
}

/** Entries of a host's, under any name but ours, that start Hotplug for it once more. Pure. */
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

/**
 * That a host loads Hotplug twice, by the hook of the user and by that of the project: an entry of
 * the project's takes the place of the user's, a script does not. Pure.
 */
export function doubledHooks(
  { id, label }: HostProfile,
  states: readonly HookState[],
): readonly OwnFinding[] {
  const there = states.filter(({ isInstalled }) => isInstalled);
  const [, second] = there;
  if (second === undefined || (id !== "pi" && id !== "omp")) return [];
  return [{
    check: "doubled",
    severity: "warning",
    path: second.paths[0] ?? null,
    message: `${label} loads Hotplug twice here: by the hook of the user and by the project's`,
    remedy: `Run: mcp hooks uninstall ${id} --project`,
  }];
}

/** Whether a host starts a server of its own files, Hotplug left out or looked for. */
function startsAlone({ config, problems }: Definition, isGateway = false): boolean {
  const serves = servedByConfig(config) !== null;
  return config.enabled !== false && problems.length === 0 && serves === isGateway;
}
