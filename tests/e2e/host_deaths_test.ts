import assert from "node:assert/strict";
import { e2e, ON_LINUX, row, type World } from "../harness/e2e.ts";
import { type Doomed, hostLine, onlyRemain, startDoomed } from "../harness/doomed.ts";
import { leftoversOfHome } from "../harness/living_processes.ts";
import { trap } from "../harness/servers.ts";
import { HAS_TERMINAL } from "../harness/terminal.ts";

// A host that uses the library dies in every way that there is. What is left is looked for in
// /proc. That nothing at all is left is checked after each of these, as after every e2e test.

/** Milliseconds in which everything must be gone after a host that could say goodbye. */
const GONE_MS = 2_000;

/** What of {@linkcode servers} stays when the host had no chance to end it. */
const STUBBORN = ["stubborn", "wrapper"];

/** A well-behaved server, a stubborn one, one behind a launcher, and one with a runaway child. */
async function servers(world: World): Promise<void> {
  await world.userServers({
    good: trap("good"),
    stubborn: trap("stubborn"),
    wrapped: trap("wrapper"),
    escapee: trap("escapee"),
  });
}

/** Starts the host and waits until all its servers are connected. */
async function readyHost(
  world: World,
  ending: string,
  options: { readonly terminal?: boolean; readonly flags?: readonly string[] } = {},
): Promise<Doomed> {
  await servers(world);
  const host = startDoomed(hostLine(ending, ...options.flags ?? []), world, options);
  await host.says("ready");
  assert.match(host.output(), /ready, connected connected connected connected/);
  return host;
}

async function nothingIsLeft(world: World): Promise<void> {
  assert.deepEqual(await leftoversOfHome(world.home, GONE_MS), []);
}

/** What means well has ended by itself; the next start of the program ends the others. */
async function theNextStartSweeps(world: World): Promise<void> {
  await onlyRemain(world, ...STUBBORN);
  assert.ok((await leftoversOfHome(world.home, 0)).length > 0, "nothing was left to sweep");
  await world.userServers({ next: trap("good") });
  assert.equal(row(await world.status(), "next").state, "connected");
  await nothingIsLeft(world);
}

for (
  const [name, ending, code] of [
    ["returns from main", "return", 0],
    ["throws", "throw", 1],
    ["calls process.exit()", "process.exit", 7],
    ["calls Deno.exit()", "Deno.exit", 7],
    ["throws in a timer", "timer", 1],
    ["has a callback whose promise rejects", "rejection", 1],
    ["has a callback that throws, and ends well", "callback", 0],
  ] as const
) {
  e2e(`nothing remains of a host that ${name} [B03] [B12]`, async (world) => {
    const host = await readyHost(world, ending);
    assert.equal((await host.ended).code, code, host.output());
    if (ending === "callback") assert.match(host.output(), /in spite of/);
    await nothingIsLeft(world);
  }, ON_LINUX);
}

for (const [signal, code] of [["SIGTERM", 143], ["SIGHUP", 129]] as const) {
  e2e(`nothing remains of a host that closes at ${signal} [B03]`, async (world) => {
    const host = await readyHost(world, "handled");
    host.send(signal);
    assert.equal((await host.ended).code, code, host.output());
    await nothingIsLeft(world);
  }, ON_LINUX);
}

e2e("nothing remains of a host that exits at its second SIGINT [B03] [B12]", async (world) => {
  const host = await readyHost(world, "handled");
  host.send("SIGINT");
  await host.says("closing");
  const before = performance.now();
  host.send("SIGINT");
  assert.equal((await host.ended).code, 130, host.output());
  const took = performance.now() - before;
  assert.ok(took < 800, `it waited for the stubborn servers, ${took} ms`);
  await nothingIsLeft(world);
}, ON_LINUX);

e2e("nothing remains of a host whose terminal is closed [B03]", async (world) => {
  const host = await readyHost(world, "handled", { terminal: true });
  host.send("SIGKILL");
  await host.ended;
  await onlyRemain(world);
}, ON_LINUX && HAS_TERMINAL);

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const) {
  e2e(`what a host leaves that dies of ${signal} is swept by the next [B03]`, async (world) => {
    const host = await readyHost(world, "wait");
    host.send(signal);
    assert.equal((await host.ended).signal, signal, host.output());
    await theNextStartSweeps(world);
  }, ON_LINUX);
}

e2e("what a host leaves that runs out of memory is swept by the next [B03]", async (world) => {
  const host = await readyHost(world, "memory", { flags: ["--v8-flags=--max-old-space-size=48"] });
  const { code, signal } = await host.ended;
  assert.ok(signal !== null, `it exited with ${code}`);
  assert.match(host.output(), /out of memory/);
  await theNextStartSweeps(world);
}, ON_LINUX);
