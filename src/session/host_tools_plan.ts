/** What is known before a host's tools are exchanged: names only. */
export interface HostState {
  /** Every registered tool, the host's own included. */
  readonly registered: readonly string[];
  /** Those that the host's model is told of. */
  readonly active: readonly string[];
  /** What the last refresh offered. */
  readonly offered: ReadonlySet<string>;
  /** What this session has registered and not removed again: offered or withdrawn. */
  readonly held: ReadonlySet<string>;
  /** Names that the user is known to have switched off. */
  readonly deselected: ReadonlySet<string>;
  /** Beginning of every name that counts as ours, or `null`: only what is held. */
  readonly prefix: string | null;
  /** Whether the host stands as the last refresh left it, but for what its user did. */
  readonly isSure: boolean;
}

/** What a refresh does. */
export interface HostToolsPlan {
  /** Registered names that are ours: they go first. */
  readonly old: readonly string[];
  /** Names to register, in order. */
  readonly fresh: readonly string[];
  /** Those of them that are switched on. */
  readonly active: readonly string[];
  /** Names that a tool of the host's own has; they are left to it. */
  readonly skipped: readonly string[];
  /** Names that the user has switched off, also of tools that are gone and may come back. */
  readonly deselected: ReadonlySet<string>;
}

/**
 * Decides what a refresh does with a host's tools. A tool of ours that is registered and not active
 * was switched off by the user, unless it was withdrawn by a refresh; one that is active was not.
 */
export function planHostTools(state: HostState, wanted: readonly string[]): HostToolsPlan {
  const isOurs = (name: string): boolean =>
    state.held.has(name) || (state.prefix !== null && name.startsWith(state.prefix));
  const on = new Set(state.active);
  const old = state.registered.filter(isOurs);
  const deselected = new Set(state.deselected);
  for (const name of old) {
    if (on.has(name)) deselected.delete(name);
    else if (state.isSure && (state.offered.has(name) || !state.held.has(name))) {
      deselected.add(name);
    }
  }
  const foreign = new Set(state.registered.filter((name) => !isOurs(name)));
  const names = [...new Set(wanted)];
  const fresh = names.filter((name) => !foreign.has(name));
  return {
    old,
    fresh,
    active: fresh.filter((name) => !deselected.has(name)),
    skipped: names.filter((name) => foreign.has(name)),
    deselected,
  };
}
