import { setImmediate } from "node:timers";
import { memoryToolCache } from "../../../src/cache/memory_tool_cache.ts";
import type { ServerView } from "../../../src/model/server_view.ts";
import { MCPManager } from "../../../src/runtime/manager.ts";
import { DRAIN_MS } from "../../../src/runtime/retired_connections.ts";
import { countedListeners } from "../../harness/counted_listeners.ts";
import type { ManagerWorld } from "../running_manager.ts";
import { HostCalls } from "./host_calls.ts";
import type { Declared, Offer, Seen } from "./model.ts";
import type { ScriptedServers } from "./scripted_listener.ts";
import type { Trap } from "./traps.ts";
import { WatchedClock } from "./watched_clock.ts";
import type { WatchedFetch } from "./watched_fetch.ts";

/** Milliseconds after which what has not settled hangs; no good step comes near it. */
const LONGEST_STEP_MS = 3_000;

/** Milliseconds after which a notification or a goodbye was lost; a good one takes one or two. */
const LOST_MS = 200;

/** The manager under test, with everything around it. */
export class Host {
  readonly manager: MCPManager;
  readonly clock: WatchedClock = new WatchedClock();
  readonly servers: ScriptedServers;
  readonly calls: HostCalls;
  readonly autoReconnect: boolean;
  /** What the config says of each server. */
  readonly declared: Map<string, Declared> = new Map();
  /** Servers that the policy forbids. */
  readonly forbidden: Set<string> = new Set();
  /** Shown states of each server, in the order in which the host was told. */
  readonly told: { readonly name: string; readonly state: string }[] = [];
  /** The last of them, by server. */
  readonly lastTold: Map<string, string> = new Map();
  /** The tools on offer when the host was last told of them. */
  toldTools = "[]";
  /** What the host does in its next callback. */
  trap: Trap | null = null;
  /** The trap that went off in this step. */
  sprung: Trap | null = null;
  /** A signal as long as the host lives. */
  readonly life: ReturnType<typeof countedListeners> = countedListeners();
  readonly #fetch: WatchedFetch;
  readonly #operations = new Set<Promise<void>>();
  #callbacks = 0;
  /** Notifications that have come, and those that have not and will not. */
  #received = 0;
  #lost = 0;

  constructor(
    world: ManagerWorld,
    parts: {
      readonly servers: ScriptedServers;
      readonly fetch: WatchedFetch;
      readonly autoReconnect: boolean;
    },
  ) {
    this.servers = parts.servers;
    this.#fetch = parts.fetch;
    this.autoReconnect = parts.autoReconnect;
    this.calls = new HostCalls(this);
    for (const name of this.names()) this.declared.set(name, "whole");
    this.manager = new MCPManager({
      machine: world.machine,
      workspacePath: world.project,
      clock: this.clock,
      toolCache: memoryToolCache(),
      logs: null,
      autoReconnect: parts.autoReconnect,
      random: () => 0.3,
      mayRun: ({ name }) =>
        this.forbidden.has(name) ? { code: "blocked-by-policy", message: "No", hint: null } : null,
      onNotification: () => this.#received++,
      onServer: (view) => this.#onServer(view),
      onToolsChanged: () => {
        this.#callbacks++;
        this.toldTools = this.toolText();
        this.#spring("onToolsChanged");
      },
    });
  }

  names(): readonly string[] {
    return [...this.servers.byName.keys()];
  }

  /** Connects to servers as they are now declared, each a new object as after a look into files. */
  connect(names: readonly string[]): Promise<unknown> {
    const configs = Object.fromEntries(names.map((name) => [name, {
      url: this.servers.url(name),
      type: "streamable_http" as const,
      ...(this.declared.get(name) === "narrow" ? { disabledTools: ["extra"] } : {}),
    }]));
    return this.manager.connectServers(configs, {}, { signal: this.life.signal });
  }

  /** Gives a server up but for the calls that it holds. */
  pause(name: string): void {
    this.servers.of(name).drain();
    // It may wait for those calls, so that nobody waits for it.
    void this.manager.disconnectServer(name, { drainMs: DRAIN_MS });
  }

  /** Lets an operation of the manager go on; it is waited for with everything else. */
  operate(work: Promise<unknown>): void {
    const done = work.then(() => {}, () => {}).finally(() => this.#operations.delete(done));
    this.#operations.add(done);
  }

  /** Whether an operation goes on. */
  isOperating(): boolean {
    return this.#operations.size > 0;
  }

  view(name: string): ServerView | undefined {
    return this.manager.getServers().find((view) => view.name === name);
  }

  /** The tools on offer as one text. */
  toolText(): string {
    return JSON.stringify(
      this.manager.getTools().map(({ name, server, info }) => [
        name,
        server,
        info.description,
      ]),
    );
  }

  /** What can be seen of a server. */
  seen(name: string): Seen {
    return {
      row: this.view(name)?.state ?? null,
      offer: offerOf(this.manager, name),
      sessions: this.servers.of(name).sessions.size - this.servers.of(name).draining(),
      isRegistered: this.manager.getConnection(name) !== undefined,
    };
  }

  /** Waits until nothing goes on any more but what waits for the clock or for an answer. */
  async settle(): Promise<void> {
    const latest = performance.now() + LONGEST_STEP_MS;
    const lost = performance.now() + LOST_MS;
    let before = "";
    for (let quiet = 0; quiet < 3;) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      const unsettled = this.#unsettled(performance.now() < lost);
      const now = `${this.#fetch.total()} ${this.#callbacks} ${this.clock.running().length}`;
      quiet = unsettled === null && now === before ? quiet + 1 : 0;
      before = now;
      if (performance.now() > latest) {
        throw new Error(`It does not settle: ${unsettled ?? "things keep happening"}`);
      }
      if (unsettled !== null) await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }

  /** Ends the manager, also after a failure: what the end waits for is not waited for here. */
  async giveUp(): Promise<void> {
    this.trap = null;
    void this.manager.disconnectAll();
    await this.clock.turn(1_000);
    await this.clock.turn(1_000);
  }

  /** What is going on. */
  #unsettled(isOnItsWay: boolean): string | null {
    const sent = this.names().reduce((sum, name) => sum + this.servers.of(name).sent, 0);
    if (isOnItsWay && this.#received + this.#lost < sent) return "a notification is on its way";
    this.#lost = sent - this.#received;
    const held = this.names().flatMap((name) => this.servers.of(name).held());
    if (this.#fetch.inFlight() !== held.length) {
      return `${this.#fetch.inFlight()} requests, ${held.length} held`;
    }
    const rows = this.manager.getServers();
    const connecting = rows.filter(({ state }) => state === "connecting").length;
    const shown = this.clock.running().filter(({ ms, kind }) => kind === "delay" && ms === 500);
    if (connecting > shown.length) return `${connecting} connecting, ${shown.length} shown`;
    const trying = rows.find((row) => row.state === "retrying" && row.nextAttemptAt === null);
    if (trying !== undefined) return `"${trying.name}" is being tried`;
    if (this.#operations.size > 0 && connecting === 0) return "an operation hangs";
    for (const name of this.names()) {
      const server = this.servers.of(name);
      const { sessions } = server;
      // An attempt that is given up before it hears of its session cannot end it.
      if (!isOnItsWay && server.mayOverlap) server.expire();
      const isUp = ["connected", "connecting"].includes(this.view(name)?.state ?? "");
      const wanted = (isUp ? 1 : 0) + server.draining();
      if (isOnItsWay && sessions.size > wanted) return "a goodbye is on its way";
      if ([...sessions.values()].includes(null)) return `"${name}" has no stream yet`;
    }
    return this.calls.unsettled(held);
  }

  #onServer({ name, state }: ServerView): void {
    this.#callbacks++;
    this.told.push({ name, state });
    this.#spring("onServer");
  }

  #spring(on: Trap["on"]): void {
    const { trap } = this;
    if (trap?.on !== on) return;
    this.trap = null;
    this.sprung = trap;
    trap.act.begin(this);
  }
}

/** Which tools of a server are on offer; `null` for none. */
function offerOf(manager: MCPManager, server: string): Offer | null {
  const infos = manager.getTools().filter((tool) => tool.server === server).map(({ info }) => info);
  if (infos.length === 0) return null;
  const names = infos.map(({ name }) => name).join();
  const versions = new Set(infos.map(({ description }) => description));
  const version = Number([...versions][0]?.replace("version ", ""));
  const isWhole = names === "act,look,hang-act,hang-look,extra";
  if (versions.size > 1 || (!isWhole && names !== "act,look,hang-act,hang-look")) {
    throw new Error(`Mixed tools of "${server}": ${names} of ${[...versions].join(" and ")}`);
  }
  return { version, declared: isWhole ? "whole" : "narrow" };
}
