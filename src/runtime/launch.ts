import { dirname } from "node:path";
import type { LaunchFacts } from "../cache/launch_facts.ts";
import { serverEnvironment } from "../definitions/environment.ts";
import type { ShellValue } from "../definitions/placeholders.ts";
import { secretValues } from "../definitions/secrets.ts";
import type { ResolvedConfig } from "../model/definition.ts";
import { HotplugError, isAbortError, toHotplugError } from "../model/errors.ts";
import type { Machine } from "../model/machine.ts";
import type { SourceInfo } from "../model/source.ts";
import { runShellCommand } from "../platform/shell_command.ts";

/** What a connection is opened with. Holds secrets. */
export interface Launch {
  /** The definition, every placeholder and command replaced. */
  readonly config: ResolvedConfig;
  /** The whole environment of the process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Texts that must never be shown. */
  readonly secrets: readonly string[];
}

/**
 * Runs the `!command` values of a definition, side by side, and completes it with what they print.
 * @throws {HotplugError} `command-failed` naming field and key, or `aborted`.
 */
export async function completeLaunch(
  facts: LaunchFacts,
  source: SourceInfo | undefined,
  machine: Machine,
  signal: AbortSignal,
): Promise<Launch> {
  if (facts.commands.length === 0) {
    return { config: facts.config, environment: facts.environment, secrets: facts.secrets };
  }
  const cwd = source?.path === null || source === undefined ? machine.home : dirname(source.path);
  const values = await Promise.all(
    facts.commands.map((value) => printedBy(value, cwd, machine, signal)),
  );
  const config = withValues(facts.config, facts.commands, values);
  return {
    config,
    environment: serverEnvironment(source?.environment ?? "base", config, machine.env),
    secrets: secretValues(config),
  };
}

/** The config with the values of its commands put in their places. */
function withValues(
  config: ResolvedConfig,
  commands: readonly ShellValue[],
  values: readonly string[],
): ResolvedConfig {
  const entries = (field: ShellValue["field"]): [string, string][] =>
    commands.flatMap((command, index) =>
      command.field === field ? [[command.key, values[index] ?? ""] as [string, string]] : []
    );
  return {
    ...config,
    env: Object.fromEntries([...Object.entries(config.env), ...entries("env")]),
    headers: Object.fromEntries([...Object.entries(config.headers), ...entries("headers")]),
  };
}

async function printedBy(
  value: ShellValue,
  cwd: string,
  machine: Machine,
  signal: AbortSignal,
): Promise<string> {
  const env = Object.fromEntries(
    Object.entries(machine.env).flatMap(([name, text]) => text === undefined ? [] : [[name, text]]),
  );
  try {
    return await runShellCommand(value.command, { cwd, env, signal });
  } catch (thrown) {
    if (isAbortError(thrown)) throw thrown;
    const error = toHotplugError(thrown, "command-failed");
    throw new HotplugError(
      "command-failed",
      `Cannot get the value of ${value.field}."${value.key}": ${error.message}`,
      { hint: error.hint ?? "Run the command in a shell to see why", cause: error },
    );
  }
}
