import type { ShellValue } from "../definitions/placeholders.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { LaunchDecision } from "./plan_facts.ts";

/**
 * What a server would be reached by, as a text that is equal for equal connections: program,
 * arguments, folder and environment, or address and headers. Holds secrets; compared, never kept.
 */
export function connectionKey(decision: LaunchDecision): string {
  const { expansion, cwd, envFile } = decision;
  const { config, commands } = expansion;
  const shell = (field: ShellValue["field"]): unknown =>
    sorted(
      commands.filter((value) => value.field === field).map((
        { key, command },
      ) => [key, command]),
    );
  if (config.command !== undefined) {
    return JSON.stringify([
      "stdio",
      config.command,
      config.args ?? [],
      cwd,
      envFile,
      sorted(Object.entries(config.env)),
      shell("env"),
      typeof config.inheritEnv === "object"
        ? config.inheritEnv.toSorted()
        : config.inheritEnv ?? null,
    ]);
  }
  const headers = Object.entries(config.headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const);
  return JSON.stringify(["remote", address(config.url ?? ""), sorted(headers), shell("headers")]);
}

/** Why the later of two equal connections does not start. */
export function duplicateReason(first: string): ErrorInfo {
  return {
    code: "server-not-runnable",
    message: `The same connection as ${JSON.stringify(first)}, which runs`,
    hint: "Remove one of the two, or give them different arguments",
  };
}

function sorted(
  entries: readonly (readonly [string, unknown])[] | readonly (readonly unknown[])[],
): readonly unknown[] {
  return entries.map((entry) => JSON.stringify(entry)).sort();
}

/** An address in one spelling. */
function address(url: string): string {
  try {
    return new URL(url).href;
  } catch {
    return url;
  }
}
