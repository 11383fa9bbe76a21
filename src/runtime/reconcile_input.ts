import { launchFacts } from "../cache/launch_facts.ts";
import type { LoadedConfigs } from "../model/plan.ts";
import { printedValues } from "./launch.ts";
import { keysOf, type RecordedLaunch } from "./launch_record.ts";
import type { ReconcileMode, RunningServer, WantedServer } from "./reconcile.ts";
import { candidateOf } from "./run_permission.ts";
import type { RuntimeParts } from "./runtime_parts.ts";
import type { StartContext } from "./start_context.ts";

/**
 * What should run, and what each would be started with. Commands of values run for a reload alone:
 * they may ask the user something. Never rejects.
 */
export async function wantedServers(
  { configs, sources }: LoadedConfigs,
  mode: ReconcileMode,
  { context }: RuntimeParts,
  signal: AbortSignal,
): Promise<readonly WantedServer[]> {
  const { machine, folders, workspacePath, capabilities } = context;
  return await Promise.all(
    Object.entries(configs).map(async ([name, config]): Promise<WantedServer> => {
      const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
      const where = { machine, folders, workspacePath, capabilities };
      const input = { name, config, source };
      const looked = launchFacts({ ...input, ...where });
      const keys = await keysOf(looked);
      const values = mode === "reload" ? await printedNow(input, looked, context, signal) : null;
      return { ...input, keys, values };
    }),
  );
}

/** What the commands of a server's values print now; `null` when that cannot be told. */
async function printedNow(
  input: Pick<WantedServer, "name" | "config" | "source">,
  looked: ReturnType<typeof launchFacts>,
  { machine, permission }: StartContext,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const result = await looked;
    if (!result.ok || result.facts.commands.length === 0) return null;
    await permission.ask(candidateOf(input, result.facts));
    return await printedValues(result.facts, input.source, machine, signal);
  } catch {
    // Whoever starts it says why.
    return null;
  }
}

/**
 * What was started, as far as it stands in the plan, or will.
 *
 * @param wanted Names that will.
 */
export async function runningServers(
  wanted: ReadonlySet<string>,
  { registries: { rows }, context }: RuntimeParts,
): Promise<readonly RunningServer[]> {
  const known = rows.names().flatMap((name) => {
    const row = rows.get(name);
    const isOurs = rows.planned(name) !== undefined || wanted.has(name);
    return row === undefined || !isOurs ? [] : [row];
  });
  return await Promise.all(known.map(async (row): Promise<RunningServer> => {
    const { name, config, source, state, error } = row;
    const launch = context.launches.get(name);
    return {
      name,
      config,
      source,
      state,
      keys: await launch?.keys ?? null,
      values: launch?.values ?? null,
      isClashing: error?.code === "tool-name-taken",
      isEnded: state === "disconnected" && error === null,
      isFreed: state === "blocked" && await isFree(launch, context),
    };
  }));
}

/** Whether a server that was blocked may run now. Never rejects. */
async function isFree(
  launch: RecordedLaunch | undefined,
  { permission }: StartContext,
): Promise<boolean> {
  const facts = await launch?.facts ?? null;
  if (launch === undefined || facts === null) return false;
  try {
    await permission.ask(candidateOf(launch.input, facts));
    return true;
  } catch {
    return false;
  }
}
