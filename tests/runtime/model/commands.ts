import { type Act, either, inOrder } from "./acts.ts";
import type { Host } from "./host.ts";
import { attempt, called, confirmed, rechecked, reread, shown } from "./life_rules.ts";
import type { Effect } from "./model.ts";
import { Step } from "./step.ts";

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
