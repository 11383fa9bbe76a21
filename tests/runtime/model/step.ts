import type fc from "fast-check";
import { either, inOrder } from "./acts.ts";
import { aftermath } from "./call_rules.ts";
import type { Host } from "./host.ts";
import { checkInvariants } from "./invariants.ts";
import { confirmed, interruptible, perhapsLate, rechecked } from "./life_rules.ts";
import { distinct, type Effect, type Model, type World } from "./model.ts";
import type { Trap } from "./traps.ts";

/** One step: something is done, all settles, the model follows, and the invariants are checked. */
export abstract class Step implements fc.AsyncCommand<Model, Host> {
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
        if (isAtGate) model.happen(name, inOrder(perhapsLate, either(rechecked)));
      }
      await checkInvariants(host, model);
    } catch (thrown) {
      throw new Error(`after "${this}": ${thrown instanceof Error ? thrown.message : thrown}`, {
        cause: thrown,
      });
    }
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
