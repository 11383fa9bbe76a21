import type { ManagerCompanion } from "./manager_options.ts";
import type { ManagerParts } from "./manager_parts.ts";
import type { ServerReconciler } from "./reconcile_servers.ts";

/** Milliseconds that cache writes, hooks and the like get after all is closed. */
const CLOSE_MS = 1000;

/** What ends together with the servers. */
export interface EndedWithAll {
  /** What lives as long as they. */
  readonly companions: readonly ManagerCompanion[];
  /** What brings them to what was loaded; `null` when it was never needed. */
  readonly reconciler: ServerReconciler | null;
}

/**
 * Ends every server and forgets all but the plan. Servers that are started meanwhile stay. Bounded,
 * idempotent, never rejects.
 */
export async function endAll(
  { lives, tools, checks, sweep, context, registries: { rows } }: ManagerParts,
  { companions, reconciler }: EndedWithAll,
): Promise<void> {
  // One that only waits for its last calls may have no row any more.
  const names = [...new Set([...rows.names(), ...lives.names()])];
  await Promise.allSettled([
    ...companions.map(async (companion) => await companion.stop()),
    reconciler?.stop(),
    ...names.map((name) => lives.end(name)),
    // In this order: a row that changes while others are up would start them again.
    ...checks.map((check) => check.stop()),
    sweep.now(),
  ]);
  await Promise.all([lives.finished(CLOSE_MS), context.hooks.finished(CLOSE_MS)]);
  for (const name of names) {
    if (!lives.forget(name)) continue;
    rows.remove(name);
    tools.releaseNames(name);
  }
}
