import { LIFE_CYCLE, SHOWN } from "../../../src/runtime/life_cycle.ts";
import { DRAIN_MS } from "../../../src/runtime/retired_connections.ts";
import { OVERTAKEN } from "./call_rules.ts";
import type { Host } from "./host.ts";
import type { Model } from "./model.ts";

/**
 * What holds after every step, once all has settled.
 *
 * 1. `oneAttemptAtATime`: no server ever sees two handshakes that overlap.
 * 2. `connectedMeansAlive`: a row says `connected` if and only if a connection that has not ended is
 *    registered; with (3), if and only if its server knows its session, or could not say otherwise.
 * 3. `statesAreAllowed`: what is seen of each server is what one of the model's worlds looks like:
 *    its state, its tools as last listed (none of one that was ended, the old ones of one that is
 *    down), the sessions that it knows.
 * 4. `toolsAreInOrder`: tools stand in the order of the servers and of their lists, their public
 *    names are unique, and each row counts its own.
 * 5. `callsSettle`: every call has its own server's answer to itself, or a code that says why, or is
 *    held by its server; an aborted one is `aborted` and no other is.
 * 6. `timersAreWantedFor`: a timer for an attempt waits if and only if a row names its time, one for
 *    the end of calls if and only if a server holds calls of a connection that was given up with
 *    patience, and nothing else waits but what is known to.
 * 7. `nothingIsPending`: who waits for a connection of a server that is not on its way is answered at
 *    once, with the registered connection or an error.
 * 8. `nothingIsLeft`: after `disconnectAll` no timer, session, row, tool or listener is left.
 * 9. `transitionsAreDrawn`: the host is told of transitions alone that the life-cycle table has.
 * 10. `hostIsToldOfTools`: a host that listens to `onToolsChanged` alone knows the tools on offer.
 * 11. `checksGoOn`: while a server is up, the periodic checks wait for their time.
 */
export const INVARIANTS: readonly ((host: Host, model: Model) => void | Promise<void>)[] = [
  oneAttemptAtATime,
  connectedMeansAlive,
  statesAreAllowed,
  toolsAreInOrder,
  callsSettle,
  timersAreWantedFor,
  nothingIsPending,
  transitionsAreDrawn,
  hostIsToldOfTools,
  checksGoOn,
];

/** Fails with the name of the invariant that does not hold. */
export async function checkInvariants(host: Host, model: Model): Promise<void> {
  for (const invariant of INVARIANTS) {
    try {
      await invariant(host, model);
    } catch (thrown) {
      throw new Error(`${invariant.name}: ${thrown instanceof Error ? thrown.message : thrown}`);
    }
  }
}

function demand(holds: boolean, message: string): void {
  if (!holds) throw new Error(message);
}

function oneAttemptAtATime(host: Host): void {
  for (const name of host.names()) {
    const [fault] = host.servers.of(name).faults;
    demand(fault === undefined, `"${name}" saw ${fault}`);
  }
}

async function connectedMeansAlive(host: Host): Promise<void> {
  for (const name of host.names()) {
    const connection = host.manager.getConnection(name);
    const open = Symbol("open");
    const isAlive = connection !== undefined &&
      await Promise.race([connection.closed, Promise.resolve(open)]) === open;
    const state = host.view(name)?.state;
    demand(isAlive === (state === "connected"), `"${name}" is ${state}, alive: ${isAlive}`);
    demand(
      (host.manager.getConnectionStatus(name) === "connected") === isAlive,
      `the status of "${name}" says otherwise`,
    );
  }
}

function statesAreAllowed(host: Host, model: Model): void {
  for (const name of host.names()) model.observe(name, host.seen(name));
}

function toolsAreInOrder(host: Host): void {
  const tools = host.manager.getTools();
  const rows = host.manager.getServers();
  const order = rows.map(({ name }) => name);
  const ranks = tools.map(({ server }) => order.indexOf(server));
  demand(ranks.every((rank, i) => rank >= (ranks[i - 1] ?? 0)), `the order is ${ranks.join()}`);
  const names = tools.map(({ name }) => name);
  demand(new Set(names).size === names.length, `names are not unique: ${names.join()}`);
  for (const row of rows) {
    const count = tools.filter(({ server }) => server === row.name).length;
    demand((row.tools ?? 0) === count, `"${row.name}" counts ${row.tools} tools, not ${count}`);
  }
}

function callsSettle(host: Host): void {
  const [fault] = host.calls.faults;
  demand(fault === undefined, String(fault));
  for (const { outcome, token } of host.calls.takeSettled()) {
    demand(OVERTAKEN.has(outcome) || outcome === "aborted", `${token} ended as ${outcome}`);
  }
  const held = host.names().flatMap((name) => host.servers.of(name).held()).toSorted();
  const pending = host.calls.waiting().map(({ token }) => token).toSorted();
  demand(held.join() === pending.join(), `held are ${held.join()}, pending ${pending.join()}`);
}

/** Waits of the periodic checks: for the permission, and for a sleep of the machine. */
const CHECKS_MS: readonly number[] = [2_000, 5_000];

/** Waits before attempts, spread as the host's `random` says. */
const ATTEMPTS_MS: ReadonlySet<number> = new Set(
  [500, 1_000, 2_000, 4_000, 8_000, 60_000].map((ms) => ms * 0.9),
);

function timersAreWantedFor(host: Host): void {
  const timers = host.clock.running();
  const attempts = timers.filter(({ kind, ms }) => kind === "idle" && !CHECKS_MS.includes(ms));
  for (const { ms } of attempts) demand(ATTEMPTS_MS.has(ms), `an attempt waits ${ms} ms`);
  const rows = host.manager.getServers().flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []);
  const wanted = rows.map((at) => at - host.clock.now() + host.clock.ticks()).toSorted().join();
  const waiting = attempts.map(({ at }) => at).toSorted().join();
  demand(wanted === waiting, `rows name ${wanted}, timers wait until ${waiting}`);
  for (const { name, state, nextAttemptAt } of host.manager.getServers()) {
    demand((state === "retrying") === (nextAttemptAt !== null), `"${name}" is ${state}`);
  }
  for (const ms of CHECKS_MS) {
    const count = timers.filter((timer) => timer.kind === "idle" && timer.ms === ms).length;
    demand(count <= 1, `${count} checks wait ${ms} ms`);
  }
  // The gate, the quiet before a list is read, its retries, a shown restart, the sweep.
  const [drains, others] = [true, false].map((isDrain) =>
    timers.filter(({ kind, ms }) => kind === "delay" && (ms === DRAIN_MS) === isDrain)
  );
  const draining = host.names().reduce((sum, name) => sum + host.servers.of(name).draining(), 0);
  demand(drains?.length === draining, `${drains?.length} wait for the calls of ${draining}`);
  for (const { ms } of others ?? []) {
    demand(ms <= 1_000 || ms === 4_000 || ms === 16_000, `${ms} ms`);
  }
}

async function nothingIsPending(host: Host): Promise<void> {
  for (const name of host.names()) {
    // Those that wait are tried at once when somebody asks.
    const state = host.view(name)?.state;
    if (state === "connecting" || state === "retrying" || host.forbidden.has(name)) continue;
    const late = Symbol("late");
    const found = await Promise.race([
      host.manager.waitForConnection(name).catch(() => undefined),
      new Promise((resolve) => setTimeout(() => resolve(late), 0)),
    ]);
    demand(found !== late, `who waits for "${name}", which is ${state}, waits on`);
    if (state === "connected") demand(found === host.manager.getConnection(name), "another one");
  }
}

const DRAWN: ReadonlySet<string> = new Set(
  Object.entries(LIFE_CYCLE).flatMap(([state, events]) =>
    Object.values(events).map(({ to }) => {
      const from = SHOWN[state as keyof typeof SHOWN];
      return `${from} ${SHOWN[to]}`;
    })
  ),
);

function transitionsAreDrawn(host: Host): void {
  for (const { name, state } of host.told.splice(0)) {
    const before = host.lastTold.get(name) ?? "disconnected";
    host.lastTold.set(name, state);
    const isDrawn = before === state || DRAWN.has(`${before} ${state}`);
    demand(isDrawn, `"${name}" went from ${before} to ${state}`);
  }
  for (const name of host.names()) {
    const state = host.view(name)?.state ?? "disconnected";
    const last = host.lastTold.get(name) ?? "disconnected";
    demand(state === last, `"${name}" was last told as ${last} and is ${state}`);
  }
}

function hostIsToldOfTools(host: Host): void {
  demand(host.toldTools === host.toolText(), `told ${host.toldTools}, are ${host.toolText()}`);
}

function checksGoOn(host: Host): void {
  const isUp = host.manager.getServers().some(({ state }) => state === "connected");
  // They begin when the start gate has been passed.
  if (!isUp || host.isOperating()) return;
  for (const ms of host.autoReconnect ? CHECKS_MS : CHECKS_MS.slice(0, 1)) {
    const goesOn = host.clock.running().some((timer) => timer.kind === "idle" && timer.ms === ms);
    demand(goesOn, `nothing is checked every ${ms} ms`);
  }
}

/** Ends all, and fails when anything is left of it. */
export async function nothingIsLeft(host: Host): Promise<void> {
  host.trap = null;
  host.operate(host.manager.disconnectAll());
  await host.settle();
  const left = host.clock.running().map(({ ms }) => ms);
  demand(left.length === 0, `timers are left: ${left.join()}`);
  for (const name of host.names()) {
    demand(host.servers.of(name).sessions.size === 0, `a session of "${name}" is left`);
  }
  demand(host.manager.getServers().length === 0, "rows are left");
  demand(host.manager.getTools().length === 0, "tools are left");
  demand(host.calls.pending().length === 0, "calls are left");
  demand(host.life.listeners() === 0, `${host.life.listeners()} listeners are left`);
  callsSettle(host);
  transitionsAreDrawn(host);
  hostIsToldOfTools(host);
  await nothingIsPending(host);
}
