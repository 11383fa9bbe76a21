import { callResults, type ToolName } from "./call_rules.ts";
import type { Host } from "./host.ts";
import { called } from "./life_rules.ts";
import type { Effect } from "./model.ts";
import { Step } from "./step.ts";

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
    return [(world) => {
      const results = callResults(world, this.#tool, host.autoReconnect);
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
