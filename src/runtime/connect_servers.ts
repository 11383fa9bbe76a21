import type { ServerConfig } from "../model/definition.ts";
import { throwIfAborted } from "../model/errors.ts";
import type { SourceInfo } from "../model/source.ts";
import type {
  ConnectServersOptions,
  ConnectServersResult,
  ManagerCompanion,
  MCPManagerOptions,
} from "./manager_options.ts";
import type { ManagerParts } from "./manager_parts.ts";
import { passGate, START_GATE_MS } from "./start_gate.ts";

/** What is to be connected. */
export interface WantedConnections {
  /** Definitions by name. */
  readonly configs: Readonly<Record<string, ServerConfig>>;
  /** Where they are declared. */
  readonly sources: Readonly<Record<string, SourceInfo>>;
  /** The plan behind them, and what ends the waiting. */
  readonly options: ConnectServersOptions;
}

/** What the manager gives to whoever connects for it. */
export interface ConnectingManager {
  /** Whether all was ended since this began. */
  readonly isEnded: () => boolean;
  /** The manager, as its companions see it. */
  readonly companion: Parameters<ManagerCompanion["start"]>[0];
}

/**
 * Starts every server that is neither connected nor on its way and returns when the start gate has
 * been passed; see `MCPManager.connectServers`.
 * @throws {HotplugError} `aborted`, after what this call started has been closed.
 */
export async function connectServers(
  parts: ManagerParts,
  { gateMs = START_GATE_MS, onMissingCache = "wait", companions = [] }: MCPManagerOptions,
  { configs, sources, options: { plan, signal } }: WantedConnections,
  { isEnded, companion: manager }: ConnectingManager,
): Promise<ConnectServersResult> {
  throwIfAborted(signal);
  const { registries, lives, tools, usable, sweep, context } = parts;
  const { rows } = registries;
  if (plan !== undefined) rows.adopt(plan);
  const names = Object.keys(configs);
  const down = names.filter((name) => !registries.isUp(name));
  const ours = down.filter((name) => !lives.isRunning(name));
  for (const name of names) {
    const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
    if (source !== undefined) registries.sources.set(name, source);
  }
  const starts = down.flatMap((name) => {
    const config = configs[name];
    const source = registries.sources.get(name);
    return config === undefined ? [] : [lives.begin({ name, config, source })];
  });
  tools.setOrder(rows.names());
  const endGo = tools.beginGo({ anew: false });
  await passGate(starts, { gateMs, onMissingCache, clock: context.clock, signal });
  endGo();
  if (signal?.aborted) await Promise.all(ours.map((name) => lives.end(name)));
  throwIfAborted(signal);
  await usable.recheck();
  lives.leave(names);
  // When all was ended while this waited, nothing of it may begin any more.
  if (!isEnded()) {
    if (starts.length > 0) sweep.schedule();
    for (const companion of companions) context.tell(() => companion.start(manager));
  }
  const known = names.flatMap((name) => rows.get(name) ?? []);
  return {
    tools: tools.all(),
    errors: new Map(known.flatMap(({ name, error }) => error === null ? [] : [[name, error]])),
    connectedServers: names.filter((name) => registries.isUp(name)),
  };
}
