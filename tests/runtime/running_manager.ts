import assert from "node:assert/strict";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { Machine } from "../../src/model/machine.ts";
import { MCPManager } from "../../src/runtime/manager.ts";
import type { MCPManagerOptions } from "../../src/runtime/manager_options.ts";
import { endProcesses, leftoversOfHome } from "../harness/living_processes.ts";
import { machineOf, makeTempHome, type TempHome } from "../harness/temp_home.ts";

/** What a test of the manager works with. */
export interface ManagerWorld extends TempHome {
  /** The temp home as a machine. */
  readonly machine: Machine;
  /** A manager in the temp home; it is disconnected when the test ends. */
  manager(options?: MCPManagerOptions): MCPManager;
}

/**
 * A test of the manager with real servers in a home of its own. After it no process of that home
 * may be alive.
 */
export function withManager(name: string, test: (world: ManagerWorld) => Promise<void>): void {
  Deno.test(name, async () => {
    const temp = await makeTempHome();
    const machine = machineOf(temp);
    const managers: MCPManager[] = [];
    let left: Awaited<ReturnType<typeof leftoversOfHome>> = [];
    try {
      await test({
        ...temp,
        machine,
        manager(options = {}): MCPManager {
          const manager = new MCPManager({ machine, workspacePath: temp.project, ...options });
          managers.push(manager);
          return manager;
        },
      });
      await Promise.all(managers.map((manager) => manager.disconnectAll()));
      left = await leftoversOfHome(temp.home);
      assert.deepEqual(left, [], "processes are left");
    } finally {
      await Promise.all(managers.map((manager) => manager.disconnectAll()));
      endProcesses(left.length > 0 ? left : await leftoversOfHome(temp.home, 0));
      await temp.remove();
    }
  });
}

/** Definitions that start in the home folder. */
export function inHome(
  { home }: TempHome,
  servers: Readonly<Record<string, ServerConfig>>,
): Readonly<Record<string, ServerConfig>> {
  return Object.fromEntries(
    Object.entries(servers).map(([name, config]) => [name, { cwd: home, ...config }]),
  );
}
