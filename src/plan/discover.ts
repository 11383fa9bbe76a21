import type { ServerConfig } from "../model/definition.ts";
import { HotplugError, isAbortError, toHotplugError } from "../model/errors.ts";
import type { LoadedConfigs } from "../model/plan.ts";
import type { SourceInfo } from "../model/source.ts";
import { makePlan } from "./make_plan.ts";
import { type LoadOptions, survey } from "./survey.ts";

export type { TrustMode } from "./approval.ts";
export type { LoadOptions } from "./survey.ts";

/**
 * Finds every server that the machine and the workspace declare, and decides which may run here.
 * Nothing is started but approved `discover` hooks. One bad file, entry or source costs only itself and stands in the plan.
 *
 * Relative paths: a `cwd` or `envFile` in a file of the project stands against that file's folder,
 * in any other file against the home folder; without a file, against the workspace.
 *
 * @throws {HotplugError} `discovery-failed` when discovery itself fails; `aborted`.
 */
export async function loadAllMCPConfigs(options: LoadOptions = {}): Promise<LoadedConfigs> {
  try {
    const { input, settings, hooks } = await survey(options);
    const { plan, exaApiKeys } = makePlan(input);
    const configs: [string, ServerConfig][] = [];
    const sources: [string, SourceInfo][] = [];
    for (const { name, launch, definition } of plan.servers) {
      if (launch === null || definition === null) continue;
      configs.push([name, launch]);
      sources.push([name, definition.source]);
    }
    return {
      configs: Object.fromEntries(configs),
      sources: Object.fromEntries(sources),
      exaApiKeys,
      plan,
      hooks: hooks.set,
      ...(settings.watch === null ? {} : { watch: settings.watch }),
    };
  } catch (thrown) {
    if (options.signal?.aborted === true || isAbortError(thrown)) {
      throw new HotplugError("aborted", "Aborted", { cause: thrown });
    }
    throw new HotplugError(
      "discovery-failed",
      `Cannot discover servers: ${toHotplugError(thrown).message}`,
      { cause: thrown },
    );
  }
}
