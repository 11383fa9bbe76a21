import assert from "node:assert/strict";
import type { Logger } from "../../src/model/log.ts";
import type { MCPManager } from "../../src/runtime/manager.ts";
import type { ReconcileReport } from "../../src/session/config_watch.ts";
import type { LoadMCPToolsOptions } from "../../src/session/load_options.ts";
import { discoverAndLoadMCPTools } from "../../src/session/loader.ts";
import { type ServerCommand, trap } from "../harness/servers.ts";
import type { ManagerWorld } from "../runtime/running_manager.ts";

/** A manager that watches, and what it said so far. */
export interface Watching extends AsyncDisposable {
  readonly manager: MCPManager;
  readonly reports: ReconcileReport[];
  readonly warnings: string[];
  readonly toolChanges: () => number;
  pid(name: string): number | null;
  state(name: string): string | undefined;
  names(): readonly string[];
}

/** Connects to what is found, and watches it. */
export async function watching(
  world: ManagerWorld,
  options: LoadMCPToolsOptions = {},
): Promise<Watching> {
  const reports: ReconcileReport[] = [];
  const warnings: string[] = [];
  let toolChanges = 0;
  const log: Logger = {
    log: (level, message) => void (level === "warn" && warnings.push(message)),
  };
  const { manager } = await discoverAndLoadMCPTools(world.project, {
    machine: world.machine,
    watch: true,
    log,
    onReconciled: (report) => reports.push(report),
    onToolsChanged: () => toolChanges++,
    ...options,
  });
  const row = (name: string) => manager.getServers().find((view) => view.name === name);
  return {
    manager,
    reports,
    warnings,
    toolChanges: () => toolChanges,
    pid: (name) => row(name)?.pid ?? null,
    state: (name) => row(name)?.state,
    names: () => manager.getTools().map(({ name }) => name),
    [Symbol.asyncDispose]: () => manager.disconnectAll(),
  };
}

/** Waits until something holds. */
export async function until(what: string, holds: () => boolean, ms = 10_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > deadline) assert.fail(`It never happened: ${what}`);
    await pause(10);
  }
}

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms));
}

/** Waits long enough for a change that should have no effect. */
export async function stays(watched: Watching, ms = 700): Promise<void> {
  const before = watched.reports.length;
  await pause(ms);
  assert.deepEqual(watched.reports.slice(before), []);
}

/** A server of its own: two with one command line would be one. */
export function good(tool: string): ServerCommand {
  return trap("good", tool);
}

/** The file that most servers stand in. */
export const STORE = "home/.claude.json";
