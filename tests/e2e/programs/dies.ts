/**
 * A host in small that comes to a bad end: it loads the tools of the current folder, prints a line
 * that begins with `ready`, and then does what its argument says. `wait` does nothing;
 * `handled` closes the manager at the first signal and exits at the second.
 * @module
 */
import process from "node:process";
import { discoverAndLoadMCPTools, type MCPManager } from "../../../mod.ts";

/** What a callback does once the host is ready. */
let onServer: () => void = () => {};

const endings: Readonly<Record<string, (manager: MCPManager) => unknown>> = {
  return: (manager) => manager[Symbol.asyncDispose](),
  throw: () => fail(),
  "process.exit": () => process.exit(7),
  "Deno.exit": () => Deno.exit(7),
  timer: () => setTimeout(fail, 1),
  rejection: (manager) => {
    // An async callback rejects where nobody waits for it.
    onServer = () => void Promise.reject(new Error("on purpose"));
    return manager.disconnectAll();
  },
  callback: async (manager) => {
    // The manager keeps what a callback throws, so the host lives and ends as it should.
    onServer = fail;
    await manager.disconnectAll();
    process.stdout.write("closed in spite of its callbacks\n");
  },
  memory: () => {
    const kept: unknown[] = [];
    for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => ({ index })));
  },
  wait: () => {},
  handled: () => {},
};

function fail(): never {
  throw new Error("on purpose");
}

const [ending = "wait"] = process.argv.slice(2);
const { manager } = await discoverAndLoadMCPTools(process.cwd(), {
  onServer: () => onServer(),
});
if (ending === "handled") handleSignals();
process.stdout.write(`ready, ${manager.getServers().map(({ state }) => state).join(" ")}\n`);
await endings[ending]?.(manager);

function handleSignals(): void {
  const exits = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
  let signals = 0;
  for (const [name, code] of Object.entries(exits)) {
    process.on(name, () => {
      if (signals++ > 0) process.exit(code);
      process.stdout.write("closing\n");
      void manager.disconnectAll().then(() => process.exit(code));
    });
  }
}
