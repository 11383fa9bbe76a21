import type fc from "fast-check";
import type { Act } from "./acts.ts";
import { either, inOrder } from "./acts.ts";
import { aftermath, callResults, type ToolName } from "./call_rules.ts";
import type { Host } from "./host.ts";
import { checkInvariants } from "./invariants.ts";
import { called, confirmed, interruptible, rechecked, reread, shown } from "./life_rules.ts";
import { attempt } from "./life_rules.ts";
import type { Trap } from "./traps.ts";
import { distinct, type Effect, type Model, type World } from "./model.ts";

/** One step: something is done, all settles, the model follows, and the invariants are checked. */
abstract class Step implements fc.AsyncCommand<Model, Host> {
  abstract toString(): string;

  check(_model: Readonly<Model>): boolean {
    return true;
  }

  /** Does it, without waiting for what goes on afterwards. */
  protected abstract begin(host: Host): void | Promise<void>;

  /** The effects on one server, which may take turns in any order. */
  protected abstract effects(name: string, host: Host): readonly Effect[];

  async run(model: Model, host: Host): Promise<void> {
    try {
      const busy = new Set(host.calls.pending().map(({ server }) => server));
      const isAtGate = host.isOperating();
      host.sprung = null;
      await this.begin(host);
      await host.settle();
      const sprung = host.sprung as Trap | null;
      const { autoReconnect: auto } = host;
      for (const name of host.names()) {
        host.servers.of(name).mayOverlap = false;
        const effects = [...this.effects(name, host)];
        if (sprung !== null) effects.push(sprung.act.effect(name, auto, true));
        const isCrowded = busy.has(name) || effects.length > 1;
        // A call that fails asks for a sign of life, and others may act on the answer.
        if (busy.has(name) && effects.length > 1) effects.push(either(confirmed(auto)));
        model.happen(name, inAnyOrder(effects));
        if (isCrowded) model.happen(name, aftermath(auto));
        // The gate of an earlier start may have been passed, which then looks after all servers.
        if (isAtGate) model.happen(name, either(rechecked));
      }
      this.look(model, host);
      await checkInvariants(host, model);
    } catch (thrown) {
      throw new Error(`after "${this}": ${thrown instanceof Error ? thrown.message : thrown}`, {
        cause: thrown,
      });
    }
  }

  /** A look at what only this step can tell. */
  protected look(_model: Model, _host: Host): void {}
}

/** One or several acts in the same moment. */
export class DoStep extends Step {
  readonly #acts: readonly Act[];

  constructor(acts: readonly Act[]) {
    super();
    this.#acts = acts;
  }

  override toString(): string {
    return this.#acts.map(({ text }) => text).join(" & ");
  }

  protected override begin(host: Host): void {
    // An end of all waits for what is shown meanwhile, until the clock is turned.
    if (host.trap?.act.isShown === true && this.#acts.some((act) => act.endsAll)) host.trap = null;
    const mayOverlap = this.#acts.some(({ givesUp }) => givesUp) && this.#acts.length > 1;
    for (const name of host.names()) {
      host.servers.of(name).mayOverlap = mayOverlap || host.trap?.act.givesUp === true;
    }
    for (const act of this.#acts) act.begin(host);
  }

  protected override effects(name: string, host: Host): readonly Effect[] {
    const isCrowded = this.#acts.length > 1 || host.sprung !== null;
    return this.#acts.map((act) => act.effect(name, host.autoReconnect, isCrowded));
  }
}

/** The host will do something in its next callback. */
export class TrapStep extends Step {
  readonly #on: "onServer" | "onToolsChanged";
  readonly #act: Act;

  constructor(on: "onServer" | "onToolsChanged", act: Act) {
    super();
    this.#on = on;
    this.#act = act;
  }

  override toString(): string {
    return `${this.#act.text} in the next ${this.#on}`;
  }

  protected override begin(host: Host): void {
    host.trap = { on: this.#on, act: this.#act };
  }

  protected override effects(): readonly Effect[] {
    return [];
  }
}

/** Time passes at once. */
export class TurnStep extends Step {
  readonly #ms: number;
  #due = new Set<string>();

  constructor(ms: number) {
    super();
    this.#ms = ms;
  }

  override toString(): string {
    return `${this.#ms} ms`;
  }

  protected override async begin(host: Host): Promise<void> {
    for (const name of host.names()) {
      host.servers.of(name).mayOverlap = host.trap?.act.givesUp === true;
    }
    const until = host.clock.now() + this.#ms;
    this.#due = new Set(
      host.names().filter((name) => (host.view(name)?.nextAttemptAt ?? Infinity) <= until),
    );
    await host.clock.turn(this.#ms);
  }

  protected override effects(name: string, { autoReconnect: auto }: Host): readonly Effect[] {
    const ms = this.#ms;
    const due: Effect = (world) =>
      this.#due.has(name) && world.standing === "waiting"
        ? [attempt(world, { isLate: true, isRestart: false }, auto)]
        : [world];
    return [inOrder(
      reread(ms),
      due,
      shown(ms, auto),
      ms >= 2_000 ? rechecked : either(rechecked),
      ...(ms > 20_000 ? [either(called(auto)), either(confirmed(auto))] : []),
    )];
  }
}

let calls = 0;

/** A call; the model tells how it may end. */
export class CallStep extends Step {
  readonly #server: string;
  readonly #tool: ToolName;
  #call: { readonly outcome: string } = { outcome: "held" };

  constructor(server: string, tool: ToolName) {
    super();
    this.#server = server;
    this.#tool = tool;
  }

  override toString(): string {
    return `call ${this.#tool} of ${this.#server}`;
  }

  protected override begin(host: Host): void {
    host.servers.of(this.#server).mayOverlap = host.trap?.act.givesUp === true;
    const signal = this.#tool.startsWith("hang") ? undefined : host.life.signal;
    this.#call = host.calls.begin(this.#server, this.#tool, ++calls, signal);
  }

  protected override effects(name: string, host: Host): readonly Effect[] {
    if (name !== this.#server) return [];
    const { outcome } = this.#call;
    const allowed = new Set<string>();
    return [(world) => {
      const results = callResults(world, this.#tool, host.autoReconnect);
      for (const result of results) allowed.add(result.outcome);
      // What a callback does in between may change how it ends.
      return results.flatMap((result) =>
        result.outcome === outcome || result.outcome === "dead" || host.sprung !== null
          ? [result.world]
          : []
      );
    }];
  }
}

/** A call that is held is given up by the host. */
export class AbortStep extends Step {
  override toString(): string {
    return "abort the oldest call";
  }

  protected override async begin(host: Host): Promise<void> {
    const call = host.calls.pending().find(({ controller }) => controller !== null);
    if (call !== undefined) await host.calls.abort(call);
  }

  protected override effects(): readonly Effect[] {
    return [];
  }
}

/** A call that is aborted in the moment of its beginning, or a moment later. */
export class BriefCallStep extends Step {
  readonly #server: string;
  readonly #tool: ToolName;
  readonly #turns: number;

  constructor(server: string, tool: ToolName, turns: number) {
    super();
    this.#server = server;
    this.#tool = tool;
    this.#turns = turns;
  }

  override toString(): string {
    return `call ${this.#tool} of ${this.#server} and abort it after ${this.#turns} turns`;
  }

  protected override async begin(host: Host): Promise<void> {
    host.servers.of(this.#server).mayOverlap = host.trap?.act.givesUp === true;
    const call = host.calls.begin(this.#server, this.#tool, ++calls);
    for (let turn = 0; turn < this.#turns; turn++) await Promise.resolve();
    // One that has ended before is not aborted.
    if (call.outcome === "held") await host.calls.abort(call);
  }

  protected override effects(name: string, { autoReconnect: auto }: Host): readonly Effect[] {
    if (name !== this.#server) return [];
    return [(world) => [
      world,
      ...called(auto)(world),
      ...callResults(world, this.#tool, auto).map((result) => result.world),
    ]];
  }
}

/** Every server answers what it holds. */
export class ReleaseStep extends Step {
  override toString(): string {
    return "answer all calls that are held";
  }

  protected override begin(host: Host): void {
    for (const name of host.names()) host.servers.of(name).release();
  }

  protected override effects(): readonly Effect[] {
    return [];
  }
}

/** What several effects lead to that take turns in some order. */
function inAnyOrder(effects: readonly Effect[]): Effect {
  if (effects.length < 2) return inOrder(...effects);
  const orders = permutations(effects.map(interruptible));
  return (world: World) => distinct(orders.flatMap((order) => inOrder(...order)(world)));
}

function permutations<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest])
  );
}
