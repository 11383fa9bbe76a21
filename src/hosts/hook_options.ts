import { HotplugError, toHotplugError } from "../model/errors.ts";
import type { SourceContext } from "../sources/source.ts";
import { keptFolder } from "./hook_context.ts";
import type { HookChange, HookScope } from "./host_kind.ts";
import type { PartOptions } from "./own_file.ts";
import type { KnownHost } from "./registry.ts";

/** How a hook is installed or removed. */
export interface HookOptions {
  /** The machine, the workspace, and how files are read. */
  readonly context: SourceContext;
  /** Whose sessions. Default: the host's usual scope. */
  readonly scope?: HookScope | undefined;
  /** `true`: what the user changed is replaced or removed, too. Default `false`. */
  readonly force?: boolean | undefined;
  /** `true`: nothing is written. Default `false`. */
  readonly dryRun?: boolean | undefined;
  /** Ends the waiting for files. */
  readonly signal?: AbortSignal | undefined;
}

/** The options of one part. */
export function partOptions(
  { context, force = false, dryRun = false, signal }: HookOptions,
  scope: HookScope,
): PartOptions {
  return {
    project: scope === "project" ? context : null,
    keptIn: keptFolder(context.folders),
    force,
    dryRun,
    signal,
  };
}

/** Why nothing was done, as an answer; an abort is thrown. */
export function refused({ kind }: KnownHost, scope: HookScope, thrown: unknown): HookChange {
  const error = toHotplugError(thrown);
  if (error.code === "aborted") throw error;
  return {
    kind: kind.id,
    scope,
    done: "refused",
    files: [],
    warnings: [],
    error: error.toInfo(),
  };
}

/**
 * Checks that a host has a place for a scope.
 * @throws {HotplugError} `usage`.
 */
export function requireScope({ kind, profile }: KnownHost, scope: HookScope): void {
  if (kind.scopes.includes(scope)) return;
  const [what, other] = scope === "project"
    ? ["a project's hook", 'Leave out "--project"']
    : ["a hook for all projects", 'Use "--project"'];
  throw new HotplugError("usage", `Cannot use ${profile.label} here: it has no place for ${what}`, {
    hint: other,
  });
}
