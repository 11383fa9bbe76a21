import { unlessAborted } from "../model/abort.ts";
import { throwIfAborted } from "../model/errors.ts";
import type { RetryOptions } from "./manager_options.ts";
import type { ManagerParts } from "./manager_parts.ts";
import type { StartInput } from "./server_start.ts";
import { neverStarted } from "./unavailable.ts";

/** How a server is restarted. */
export interface RestartOptions extends RetryOptions {
  /**
   * Whether its attempts are counted from one again, and one that was never started is started as
   * the plan says. Default: `false`.
   */
  readonly isRetry?: boolean;
}

/**
 * Ends what there is of a server at once and starts it anew, for everybody to see. Resolves when it
 * is connected.
 * @throws {HotplugError} why it failed, `unknown-server`, `server-not-runnable`, `aborted`.
 */
export async function restartServer(
  parts: ManagerParts,
  name: string,
  options: RestartOptions,
): Promise<void> {
  const { signal, isRetry = false } = options;
  throwIfAborted(signal);
  const { lives, tools, registries } = parts;
  const { rows, sources } = registries;
  const input = inputOf(parts, name, options);
  if (input === null) throw neverStarted(name, rows.view(name), rows.names());
  // An end has taken it away.
  if (input.source !== undefined) sources.set(name, input.source);
  lives.restart(input, isRetry);
  tools.setOrder(rows.names());
  // Another restart may take this one's place.
  do await unlessAborted(lives.attemptOf(name), signal); while (lives.isRunning(name));
  registries.connectionOf(name);
}

/** What a server is to be started with; `null` when nobody has said. */
function inputOf(
  { lives, registries: { rows } }: ManagerParts,
  name: string,
  { definition, isRetry = false }: RestartOptions,
): StartInput | null {
  if (definition !== undefined) {
    return { name, config: definition.config, source: definition.source };
  }
  const last = lives.inputOf(name);
  const planned = isRetry ? rows.planned(name) : undefined;
  if (last !== null || planned === undefined || planned.launch === null) return last;
  return { name, config: planned.launch, source: planned.definition?.source };
}
