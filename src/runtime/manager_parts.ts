import { recordsFolder } from "../platform/run_record.ts";
import { FURTHER_LISTS } from "./further_lists.ts";
import { ListNews } from "./list_news.ts";
import { announcedLists } from "./list_updates.ts";
import type { MCPManagerOptions } from "./manager_options.ts";
import { OrphanSweep } from "./orphan_sweep.ts";
import { PeriodicCheck } from "./periodic_check.ts";
import { RequestSender } from "./request_sender.ts";
import type { RuntimeParts } from "./runtime_parts.ts";
import { ServerCalls } from "./server_calls.ts";
import { ServerLives } from "./server_lives.ts";
import { ServerRegistries } from "./server_registries.ts";
import { ServerRequests } from "./server_requests.ts";
import { ServerRows } from "./server_rows.ts";
import { hasSlept, SLEEP_LOOK_MS } from "./sleep.ts";
import { startContext } from "./start_context.ts";
import { ToolView } from "./tool_view.ts";
import { UsableConnections } from "./usable_connections.ts";

/**
 * Milliseconds between two questions whether servers may still run, so that one which a changed
 * policy forbids ends although nobody calls it: a look at one file each, if anybody is asked.
 */
const PERMISSION_MS = 2000;

/** What a manager is made of. */
export interface ManagerParts extends RuntimeParts {
  /** The life of each server. */
  readonly lives: ServerLives;
  /** The connections that may be used. */
  readonly usable: UsableConnections;
  /** Calls servers. */
  readonly calls: ServerCalls;
  /** Asks servers for other things than their lists and calls. */
  readonly requests: ServerRequests;
  /** Ends what killed hosts have left. */
  readonly sweep: OrphanSweep;
  /** What is looked at from time to time while servers are up. */
  readonly checks: readonly PeriodicCheck[];
}

/** Puts a manager together. Nothing is read and nothing starts. */
export function managerParts(options: MCPManagerOptions): ManagerParts {
  const context = startContext(options, (server, notification) => {
    lives.announce(server, announcedLists(notification.method));
    context.tell(() => options.onNotification?.(server, notification));
  });
  const rows = new ServerRows(context.clock, (name) => {
    // Whoever comes up, late or by itself, is looked after like all others.
    for (const check of checks) check.start();
    news?.look(name);
    const view = rows.view(name);
    if (view === undefined) return;
    context.tell(() => context.hooks.serverState(view));
    context.tell(() => options.onServer?.(view));
  });
  const registries = new ServerRegistries(rows);
  const tools: ToolView = new ToolView(
    (server) => calls.caller(server),
    { cacheFolder: context.folders.cache },
    { style: options.naming ?? "prefixed", reserved: options.reservedNames ?? [] },
    context.chain,
  );
  const { onListed } = options;
  const news = onListed === undefined ? null : new ListNews({
    listed: (server, kind) =>
      kind === "tools" ? tools.toolsOf(server) ?? [] : rows.listed(server, kind),
    tell: (server, kind) => context.tell(() => onListed(server, kind)),
  });
  const parts: RuntimeParts = {
    registries,
    tools,
    context,
    furtherLists: options.furtherLists ?? FURTHER_LISTS,
    refuse: (server, error) => lives.refuse(server, error),
    onToolsChanged: () => {
      news?.lookAtAll();
      context.tell(() => context.hooks.toolsChanged(() => tools.all()));
      context.tell(() => options.onToolsChanged?.());
    },
  };
  const autoReconnect = options.autoReconnect ?? true;
  const lives: ServerLives = new ServerLives(parts, {
    autoReconnect,
    random: options.random ?? Math.random,
  });
  const usable = new UsableConnections({ registries, lives, permission: context.permission });
  const calls = new ServerCalls({
    registries,
    lives,
    tools,
    usable,
    sender: new RequestSender({
      registries,
      usable,
      autoReconnect,
      clock: context.clock,
      telemetry: context.telemetry,
    }),
    clock: context.clock,
    hooks: context.hooks,
  });
  const requests = new ServerRequests({
    connection: (server, signal) => usable.get(server, signal),
    up: () => registries.usable(),
    wishes: context.wishes,
  });
  const sweep = new OrphanSweep(context.clock, context.log, recordsFolder(context.folders));
  const { clock } = context;
  const isUp = (): boolean => registries.connections.size + registries.pendingToolLoads.size > 0;
  const permission = new PeriodicCheck({
    clock,
    intervalMs: PERMISSION_MS,
    check: () => usable.recheck(),
    isNeeded: isUp,
  });
  const awakening = new PeriodicCheck({
    clock,
    intervalMs: SLEEP_LOOK_MS,
    check: async (waited) => {
      if (!hasSlept(waited)) return;
      context.log.log("info", "The machine has slept; looking after the servers");
      for (const name of lives.waiting()) lives.called(name);
      await usable.confirmAll();
    },
    isNeeded: () => autoReconnect && (isUp() || lives.waiting().length > 0),
  });
  const checks = options.mayRun === undefined ? [awakening] : [permission, awakening];
  return { ...parts, lives, usable, calls, requests, sweep, checks };
}
