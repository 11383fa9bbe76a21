import type { Definition } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";

/** Why a definition of the repository is left out; `null` when it is not. */
export function projectFilter(
  definition: Definition,
  settings: { readonly enableProjectConfig: boolean },
): ErrorInfo | null {
  if (settings.enableProjectConfig || definition.source.scope !== "project") return null;
  return {
    code: "server-not-runnable",
    message: "Left out: servers of the project are switched off",
    hint: 'To use them: no --no-project, and no "enableProjectConfig": false in settings.json',
  };
}
