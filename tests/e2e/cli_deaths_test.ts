import assert from "node:assert/strict";
import { e2e, ON_LINUX, row, type World } from "../harness/e2e.ts";
import { appear, type Doomed, mcpLine, onlyRemain, startDoomed } from "../harness/doomed.ts";
import { leftoversOfHome } from "../harness/living_processes.ts";
import { trap } from "../harness/servers.ts";
import { HAS_TERMINAL } from "../harness/terminal.ts";

// The program dies while it waits for its servers. How it returns and fails by itself is seen in
// other tests. That nothing at all is left is checked after each of these.

/** Milliseconds in which everything must be gone once the program is. */
const GONE_MS = 2_000;

/** A command that waits, and what shows in the command lines of its servers when it does. */
interface Waiting {
  readonly args: readonly string[];
  readonly signs: readonly string[];
}

const STATUS: Waiting = {
  args: ["status", "--wait", "60s"],
  signs: ["trap.ts hang", "trap.ts wrapper", "trap.ts good", "stubborn-child"],
};

/** Its server starts the child when it gets the call. */
const CALL: Waiting = { args: ["call", "it", "go"], signs: ["stubborn-child"] };

/** Starts a command that does not end by itself, and waits until its servers run. */
async function waiting(
  world: World,
  { args, signs }: Waiting,
  options: { readonly terminal?: boolean } = {},
): Promise<Doomed> {
  const servers = { hung: trap("hang"), wrapped: trap("wrapper"), good: trap("good") };
  const it = { it: trap("stubborn-call") };
  await world.userServers(args[0] === "call" ? it : servers);
  const program = startDoomed(mcpLine(...args), world, options);
  await appear(world, ...signs);
  return program;
}

/** The next start ends what is left, which must be something. */
async function theNextStartSweeps(world: World): Promise<void> {
  assert.ok((await leftoversOfHome(world.home, 0)).length > 0, "nothing was left to sweep");
  await world.userServers({ next: trap("good") });
  assert.equal(row(await world.status(), "next").state, "connected");
  assert.deepEqual(await leftoversOfHome(world.home, GONE_MS), []);
}

for (const [name, command] of [["status", STATUS], ["call", CALL]] as const) {
  for (const [signal, code] of [["SIGTERM", 143], ["SIGHUP", 129]] as const) {
    e2e(`nothing remains of a waiting ${name} at ${signal} [B02] [B03]`, async (world) => {
      const program = await waiting(world, command);
      program.send(signal);
      assert.equal((await program.ended).code, code, program.output());
      assert.deepEqual(await leftoversOfHome(world.home, GONE_MS), []);
    }, ON_LINUX);
  }

  e2e(`nothing remains of a waiting ${name} at two SIGINTs [B02] [B03]`, async (world) => {
    const program = await waiting(world, command);
    const start = performance.now();
    // Two that come before the program looks count as one, so it is pressed until it works.
    const pressing = setInterval(() => program.send("SIGINT"), 50);
    await program.ended.finally(() => clearInterval(pressing));
    assert.equal((await program.ended).code, 130, program.output());
    assert.ok(performance.now() - start < 1_500, "the second SIGINT did not end it at once");
    assert.deepEqual(await leftoversOfHome(world.home, GONE_MS), []);
  }, ON_LINUX);

  e2e(`nothing remains of a waiting ${name} whose terminal is closed [B03]`, async (world) => {
    const program = await waiting(world, command, { terminal: true });
    program.send("SIGKILL");
    await program.ended;
    await onlyRemain(world);
  }, ON_LINUX && HAS_TERMINAL);

  e2e(`what a killed ${name} leaves is swept by the next start [B03]`, async (world) => {
    const program = await waiting(world, command);
    program.send("SIGKILL");
    assert.equal((await program.ended).signal, "SIGKILL");
    await onlyRemain(world, "hang", "stubborn", "wrapper");
    await theNextStartSweeps(world);
  }, ON_LINUX);
}

e2e(
  "what a call leaves that runs out of memory is swept by the next start [B03]",
  async (world) => {
    await world.userServers({ it: trap("stubborn-call", String(40 * 1024 * 1024)) });
    const [deno = "", run = "", ...rest] = mcpLine(...CALL.args);
    const line = [deno, run, "--v8-flags=--max-old-space-size=48", ...rest];
    const program = startDoomed(line, world);
    const { code, signal } = await program.ended;
    assert.ok(signal !== null, `it exited with ${code}`);
    await theNextStartSweeps(world);
  },
  ON_LINUX && (Deno.env.get("MCP_BIN") ?? "") === "",
);
