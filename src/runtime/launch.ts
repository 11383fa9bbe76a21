import { dirname } from "node:path";
import type { LaunchFacts } from "../cache/launch_facts.ts";
import { canonicalJson } from "../definitions/canonical_json.ts";
import { serverEnvironment } from "../definitions/environment.ts";
import type { ShellValue } from "../definitions/placeholders.ts";
import { maskText, secretValues } from "../definitions/secrets.ts";
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
  const env = commandEnvironment(facts.config, source, machine);
  const values = await Promise.all(
    facts.commands.map((value) => printedBy(value, { cwd, env, secrets: facts.secrets, signal })),
  );
  const config = withValues(facts.config, facts.commands, values);
  return {
    config,
    environment: serverEnvironment(source?.environment ?? "base", config, machine.env),
    secrets: secretValues(config, facts.secrets),
  };
}

/**
 * What the commands of a definition's values print now, in one text to compare. Secret.
 * @throws {HotplugError} As {@linkcode completeLaunch}.
 */
export async function printedValues(
  facts: LaunchFacts,
  source: SourceInfo | undefined,
  machine: Machine,
  signal: AbortSignal,
): Promise<string> {
  return valuesText(await completeLaunch(facts, source, machine, signal));
}

/** The values that commands may have printed, in one text to compare. Secret. */
export function valuesText({ config: { env, headers } }: Launch): string {
  return canonicalJson([env, headers]);
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

/**
 * What the commands of a definition may see: those that the user wrote down all of the user's
 * environment, those of a repository no more than its servers. Never `HOTPLUG_TRUST`.
 */
function commandEnvironment(
  config: ResolvedConfig,
  source: SourceInfo | undefined,
  machine: Machine,
): Readonly<Record<string, string>> {
  return source?.scope === "project"
    ? serverEnvironment(source.environment, { ...config, env: {} }, machine.env)
    : serverEnvironment("all", { env: {}, headers: {} }, machine.env);
}

async function printedBy(
  value: ShellValue,
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly secrets: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<string> {
  try {
    return await runShellCommand(value.command, options);
  } catch (thrown) {
    if (isAbortError(thrown)) throw thrown;
    const error = toHotplugError(thrown, "command-failed");
    throw new HotplugError(
      "command-failed",
      `Cannot get the value of ${value.field}."${value.key}": ${error.message}`,
      {
        hint: error.hint ?? "Run the command in a shell to see why",
        processExitCode: error.processExitCode,
        processSignal: error.processSignal,
        stderr: maskText(error.stderr, options.secrets),
        cause: error,
      },
    );
  }
}
