import { HotplugError } from "../../../src/model/errors.ts";
import type { ToolName } from "./call_rules.ts";
import type { Host } from "./host.ts";

/** One call of the host. */
export interface HostCall {
  readonly server: string;
  readonly tool: ToolName;
  readonly token: string;
  /** What gives it up; `null` when it has a signal that never fires. */
  readonly controller: AbortController | null;
  /** Whether an abort has had the time to be noticed. */
  isOverdue: boolean;
  /** `answer`, `held` while none came, or the code of its error. */
  outcome: string;
}

/** The calls of a host, and what came of them. */
export class HostCalls {
  readonly #host: Host;
  readonly #calls = new Set<HostCall>();
  #settled: HostCall[] = [];
  /** What must never happen to a call and did. */
  readonly faults: string[] = [];

  constructor(host: Host) {
    this.#host = host;
  }

  /** Begins a call, with a signal of its own unless one is given. */
  begin(server: string, tool: ToolName, time: number, signal?: AbortSignal): HostCall {
    const token = `${tool}-${time}`;
    const controller = signal === undefined ? new AbortController() : null;
    const call: HostCall = { server, tool, token, controller, outcome: "held", isOverdue: false };
    this.#calls.add(call);
    void this.#follow(call, signal ?? controller?.signal);
    return call;
  }

  /** Gives a call up. What is decided in the same moment may still be told. */
  async abort(call: HostCall): Promise<void> {
    call.controller?.abort();
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    call.isOverdue = true;
  }

  /** Calls that have not settled. */
  pending(server?: string): readonly HostCall[] {
    return [...this.#calls].filter((call) => server === undefined || call.server === server);
  }

  /** Calls that have not settled, but for those whose server's tools are not known yet. */
  waiting(): readonly HostCall[] {
    return this.pending().filter(({ server }) => {
      const view = this.#host.view(server);
      return view?.state !== "connecting" || view.tools !== null;
    });
  }

  /** Calls that have settled since the last time. */
  takeSettled(): readonly HostCall[] {
    const settled = this.#settled;
    this.#settled = [];
    return settled;
  }

  /** Why the calls are not yet what they will be; `null` when each has settled or is held. */
  unsettled(held: readonly string[]): string | null {
    const left = held.find((token) => !this.pending().some((call) => call.token === token));
    if (left !== undefined) return `call ${left} is held though nobody waits for it`;
    const lost = this.waiting().find(({ token }) => !held.includes(token));
    return lost === undefined ? null : `call ${lost.token} of "${lost.server}" waits for nothing`;
  }

  async #follow(call: HostCall, signal: AbortSignal | undefined): Promise<void> {
    const { server, tool, token } = call;
    try {
      const { content } = await this.#host.manager.callTool(server, tool, { token }, {
        signal,
      });
      const text = String(content[0]?.["text"]);
      if (text !== `${server} ${token}`) this.faults.push(`${token} of "${server}" got: ${text}`);
      this.#settle(call, "answer");
    } catch (thrown) {
      this.#settle(call, thrown instanceof HotplugError ? thrown.code : String(thrown));
    }
  }

  #settle(call: HostCall, outcome: string): void {
    call.outcome = outcome;
    this.#calls.delete(call);
    this.#settled.push(call);
    const mayBeAborted = call.controller?.signal.aborted === true;
    if (outcome === "aborted" ? mayBeAborted : !call.isOverdue) return;
    this.faults.push(`${call.token} of "${call.server}" ended as ${outcome}`);
  }
}
