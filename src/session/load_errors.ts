import type { ErrorInfo } from "../model/errors.ts";
import type { LoadedConfigs } from "../model/plan.ts";

/** Something that gave no tools, and why. */
export interface LoadError {
  /** `mcp:<server>`, the path of a file, or `.mcp.json` when discovery as a whole failed. */
  readonly path: string;
  /** Why. */
  readonly error: ErrorInfo;
}

/** Files that could not be used. */
export function fileErrors(loaded: LoadedConfigs | null): readonly LoadError[] {
  const sources = loaded?.plan.sources ?? [];
  return sources.flatMap(({ path, error }) => error === null ? [] : [{ path, error }]);
}

/** Definitions that are invalid. */
export function invalidErrors({ plan }: LoadedConfigs): readonly LoadError[] {
  return plan.servers.flatMap(({ name, verdict }) =>
    verdict.state === "error" && verdict.reason !== null
      ? [{ path: `mcp:${name}`, error: verdict.reason }]
      : []
  );
}

/** Servers that failed. */
export function serverErrors(errors: ReadonlyMap<string, ErrorInfo>): readonly LoadError[] {
  return [...errors].map(([name, error]) => ({ path: `mcp:${name}`, error }));
}
