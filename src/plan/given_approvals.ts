import type { PendingApproval } from "./approve.ts";
import type { PendingHooks } from "./hook_approval.ts";
import type { WorkspaceTrust } from "./trust_store.ts";

/** The digests of one name that are kept; a name that changes for ever must not fill the disk. */
const KEPT_DIGESTS = 20;

/** What is approved, and these as well. Pure. */
export function withApprovals(
  trust: WorkspaceTrust,
  approved: readonly PendingApproval[],
  folder: boolean,
): WorkspaceTrust {
  const definitions = new Map(Object.entries(trust.definitions));
  const enabled = new Set(trust.enabled);
  for (const { kind, name, digest } of approved) {
    if (kind === "enabling") enabled.add(name);
    if (kind !== "definition" || digest === null) continue;
    definitions.set(name, kept(definitions.get(name), digest));
  }
  return {
    ...trust,
    folder: trust.folder || folder,
    definitions: Object.fromEntries(definitions),
    enabled: [...enabled],
  };
}

/** What is approved, and the repository's hooks as well. Pure. */
export function withHooks(trust: WorkspaceTrust, hooks: PendingHooks | null): WorkspaceTrust {
  return hooks === null ? trust : { ...trust, hooks: kept(trust.hooks, hooks.digest) };
}

/** What is approved without what is named; without anything when nothing is. Pure. */
export function withoutApprovals(
  trust: WorkspaceTrust,
  taken: {
    readonly names?: readonly string[];
    readonly folder?: boolean;
    readonly hooks?: boolean;
  },
): WorkspaceTrust {
  const names = new Set(taken.names ?? []);
  const all = names.size === 0 && taken.folder !== true && taken.hooks !== true;
  const { hooks, ...rest } = trust;
  return {
    ...rest,
    folder: trust.folder && !all && taken.folder !== true,
    definitions: Object.fromEntries(
      Object.entries(trust.definitions).filter(([name]) => !all && !names.has(name)),
    ),
    enabled: trust.enabled.filter((name) => !all && !names.has(name)),
    ...(hooks === undefined || all || taken.hooks === true ? {} : { hooks }),
  };
}

function kept(digests: readonly string[] = [], digest: string): readonly string[] {
  return [...digests.filter((known) => known !== digest), digest].slice(-KEPT_DIGESTS);
}
