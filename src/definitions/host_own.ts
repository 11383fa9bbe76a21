import type { Definition } from "../model/definition.ts";
import type { HostProfile } from "../model/host_profile.ts";
import type { PlannedServer } from "../model/plan.ts";
import type { SourceInfo } from "../model/source.ts";

/** Whether a host starts a definition of its own files by itself: it is on there, and sound. Pure. */
export function isOnInItsFile({ config, problems }: Definition): boolean {
  return config.enabled !== false && problems.length === 0;
}

/**
 * Where the definition stands by which a host starts a server of this name by itself, in a file of
 * its own; `null` when it does not. One that nobody has approved here does not count: a repository
 * could take the place of a server of the user's with it. Pure.
 */
export function hostsOwn({ loads }: HostProfile, server: PlannedServer): SourceInfo | null {
  const { definition, others } = server;
  if (definition !== null && loads.includes(definition.source.id)) return definition.source;
  const own = others.find(({ source, state, isOn }) =>
    state === "shadowed" && isOn === true && loads.includes(source.id)
  );
  return own?.source ?? null;
}
