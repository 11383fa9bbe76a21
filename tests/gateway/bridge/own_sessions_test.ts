import assert from "node:assert/strict";
import { OpenedSession } from "../../../src/gateway/bridge/opened_session.ts";
import {
  IDLE_MS,
  MOST_OF_ONE,
  MOST_SESSIONS,
  OwnSessions,
} from "../../../src/gateway/bridge/own_sessions.ts";
import { emptySession, type GatewaySession } from "../../../src/gateway/gateway_session.ts";
import { Host } from "../../../src/gateway/host.ts";
import { Offer } from "../../../src/gateway/offer.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { silentLogger } from "../../../src/model/log.ts";
import { FakeClock } from "../../runtime/fake_clock.ts";

const NOTHING = { code: "discovery-failed", message: "Nothing", hint: null } as const;

/** What a session offers. */
function offerOf(session: GatewaySession): Offer {
  return new Offer({
    session,
    patterns: { only: [], except: [] },
    profile: null,
    naming: "server",
    isStrict: false,
    lazy: false,
    unseen: null,
    log: silentLogger,
  });
}

/** What hosts share, where each has a server of its own unless there is none. */
function shared(own: readonly string[] = ["mine"]): Offer {
  return offerOf({ ...emptySession(NOTHING), ownServers: () => own });
}

/** Own sessions that start nothing, and what is known of them. */
class Bench {
  readonly clock = new FakeClock();
  /** Keys of hosts that are there. */
  readonly there = new Set<string>();
  /** Keys of sessions that were opened. */
  readonly opened: string[] = [];
  /** Keys of sessions that were closed. */
  readonly closed: string[] = [];
  readonly own: OwnSessions = new OwnSessions({
    open: (key, opening, { signal }) => {
      this.opened.push(key);
      return new OpenedSession({
        open: () =>
          Promise.resolve({
            ...emptySession(NOTHING),
            close: () => {
              this.closed.push(key);
              return Promise.resolve();
            },
          }),
        opening: { part: "own", ...opening },
        isShared: false,
        hosts: () => [],
        limitMs: 0,
        onPageDone: () => {},
        onRefresh: () => Promise.resolve("refreshed"),
        onServer: () => {},
        onLog: () => {},
        signal,
        clock: this.clock,
        log: silentLogger,
      });
    },
    offer: (_key, session) => offerOf(session),
    onRefresh: () => Promise.resolve("refreshed"),
    onServer: () => {},
    isThere: (key) => this.there.has(key),
    naming: "server",
    clock: this.clock,
    log: silentLogger,
  });

  /** What is on offer for a host of the modern era. */
  async modern(
    key: string,
    capabilities: JsonObject = {},
    asked: Promise<void> = Promise.resolve(),
  ): Promise<Offer> {
    const host = new Host({ principal: key, key });
    return await this.own.of(host, { clientInfo: null, capabilities }, this.shared, asked);
  }

  /** A host of the legacy era, which has asked for what is on offer. */
  async legacy(key: string): Promise<Host> {
    const host = new Host({ principal: key, key });
    host.opening = { clientInfo: null, capabilities: {} };
    await this.own.of(host, host.opening, this.shared, Promise.resolve());
    return host;
  }

  readonly shared = shared();
}

Deno.test("nothing is opened where every server is shared", async () => {
  const { own, opened } = new Bench();
  const offer = shared([]);
  const host = new Host({ principal: "a", key: "a" });
  assert.equal(
    await own.of(host, { clientInfo: null, capabilities: {} }, offer, Promise.resolve()),
    offer,
  );
  assert.deepEqual(opened, []);
  await own.close();
});

Deno.test("a host of the legacy era keeps its session until it goes", async () => {
  const bench = new Bench();
  const host = await bench.legacy("one");
  await bench.legacy("two");
  await bench.clock.turn(10 * IDLE_MS);
  assert.deepEqual(bench.closed, []);
  bench.own.left(host);
  await bench.clock.turn(0);
  assert.deepEqual(bench.closed, ["one"]);
  await bench.own.close();
  assert.deepEqual(bench.closed, ["one", "two"]);
});

Deno.test("one of the modern era keeps it as long as it comes back, and what it declares is the same", async () => {
  const bench = new Bench();
  const offer = await bench.modern("ada", { sampling: {} });
  assert.equal(await bench.modern("ada", { sampling: {} }), offer);
  assert.notEqual(await bench.modern("ada", {}), offer);
  assert.notEqual(await bench.modern("bob", { sampling: {} }), offer);
  assert.deepEqual(bench.opened, ["ada", "ada", "bob"]);
  await bench.clock.turn(IDLE_MS - 1);
  assert.equal(await bench.modern("ada", { sampling: {} }), offer);
  await bench.clock.turn(1);
  assert.deepEqual(bench.closed, ["ada", "bob"]);
  await bench.clock.turn(IDLE_MS);
  assert.equal(bench.own.size, 0);
  assert.equal(bench.clock.waiting, 0);
  await bench.own.close();
});

Deno.test("a session is not idle while its host is there", async () => {
  const bench = new Bench();
  bench.there.add("ada");
  await bench.modern("ada");
  await bench.clock.turn(IDLE_MS);
  await bench.clock.turn(IDLE_MS);
  assert.deepEqual(bench.closed, []);
  bench.there.clear();
  await bench.clock.turn(IDLE_MS);
  assert.deepEqual(bench.closed, ["ada"]);
  await bench.own.close();
});

Deno.test("there is room for so many; the one that was used longest ago gives way, if it can", async () => {
  const bench = new Bench();
  for (let count = 0; count < MOST_SESSIONS; count++) {
    await bench.modern(`host ${count}`);
    await bench.clock.turn(1);
  }
  await bench.modern("host 0");
  await bench.modern("one more");
  await bench.clock.turn(0);
  assert.deepEqual(bench.closed, ["host 1"]);
  assert.equal(bench.own.size, MOST_SESSIONS);
  for (let count = 0; count < MOST_SESSIONS; count++) bench.there.add(`host ${count}`);
  bench.there.add("one more");
  assert.equal(await bench.modern("too many"), bench.shared);
  assert.equal(bench.own.size, MOST_SESSIONS);
  await bench.own.close();
  assert.equal(bench.clock.waiting, 0);
});

Deno.test("a host that declares ever something else has a few sessions at one time", async () => {
  const bench = new Bench();
  await bench.modern("other");
  bench.there.add("ada");
  for (let count = 0; count < 20; count++) {
    await bench.modern("ada", { sampling: { count } });
    await bench.clock.turn(1);
  }
  assert.equal(bench.own.size, MOST_OF_ONE + 1);
  assert.equal(bench.closed.length, 20 - MOST_OF_ONE);
  assert.ok(!bench.closed.includes("other"));
  await bench.own.close();
});

Deno.test("a session gives way to no other while a request that asked for it has no answer", async () => {
  const bench = new Bench();
  const { promise: asked, resolve: answered } = Promise.withResolvers<void>();
  for (let count = 0; count < MOST_OF_ONE; count++) {
    await bench.modern("ada", { sampling: { count } }, asked);
  }
  assert.equal(await bench.modern("ada"), bench.shared);
  assert.deepEqual(bench.closed, []);
  answered();
  await bench.clock.turn(1);
  assert.notEqual(await bench.modern("ada"), bench.shared);
  assert.equal(bench.closed.length, 1);
  await bench.own.close();
});
