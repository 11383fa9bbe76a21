import process from "node:process";
import { leadsToOwnAddress } from "../definitions/own_address.ts";
import type { PlannedServer } from "../model/plan.ts";
import { CHAIN_KEY, LONGEST_CHAIN, type Loop, LOOP_KEY } from "../model/session_chain.ts";
import { type ChainLink, newChain, readChain, workspaceMark } from "../session/gateway_chain.ts";
import type { LeftOut } from "../session/session_options.ts";
import { type Answer, INVALID_REQUEST, refused } from "./rpc.ts";

/** What a {@linkcode LoopGuard} goes by. */
export interface LoopGuardOptions {
  /** The process's environment. Default: the one that it was started with. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Absolute path of the gateway's workspace; `null` when it is not known. */
  readonly workspacePath: string | null;
}

const MESSAGES: Readonly<Record<Loop, string>> = {
  "itself": `This gateway is itself one of the sessions that ask it ("${CHAIN_KEY}")`,
  "same-workspace": "This gateway was started by a session of the same workspace, which has all " +
    "that it would offer",
  "too-deep": `${LONGEST_CHAIN} sessions of Hotplug run inside each other, and no more may`,
};

/**
 * Keeps a gateway from being a server of itself, however it was reached: it has a random id, which
 * all servers behind it are told, and refuses a host that names it.
 */
export class LoopGuard {
  /** Its random id. */
  readonly id: string;
  readonly #links: readonly ChainLink[];
  /** Ids of the sessions around the process, its own last. */
  readonly #ids: readonly string[];
  readonly #workspace: string | null;
  readonly #addresses: string[] = [];

  /** Makes an id. */
  constructor({ env = process.env, workspacePath }: LoopGuardOptions) {
    this.#links = readChain(env);
    this.#ids = newChain(env);
    this.id = this.#ids.at(-1) ?? "";
    this.#workspace = workspacePath;
  }

  /**
   * Why a host is refused, by the sessions that it says are around it; `null` when it is not. A host
   * that is a session of the same workspace, and started this very process, has everything already;
   * one that somebody else speaks for may not, such as an agent that is itself a server.
   */
  refusal(chain: readonly string[]): Answer | null {
    const host = chain.at(-1);
    if (host === undefined) return null;
    if (chain.includes(this.id)) return refusal("itself");
    const parent = this.#links.at(-1);
    if (parent?.session === host && parent.workspace === this.#mark) {
      return refusal("same-workspace");
    }
    return this.around(chain).length > LONGEST_CHAIN ? refusal("too-deep") : null;
  }

  /**
   * The ids that servers are told: of the sessions around the host and the process, its own last.
   * @param chain What the host says is around it.
   */
  around(chain: readonly string[]): readonly string[] {
    return [...new Set([...this.#ids.slice(0, -1), ...chain]), this.id];
  }

  /** Notes an address that the gateway listens at: a whole URL. */
  listensAt(url: string): void {
    this.#addresses.push(url);
  }

  /** Whether it listens at an address, so that servers of it may be its hosts. */
  get isListening(): boolean {
    return this.#addresses.length > 0;
  }

  /** Why a server takes no part that leads to an address of the gateway; `null` for any other. */
  addressRefusal({ launch }: Pick<PlannedServer, "launch">): LeftOut | null {
    if (launch === null || !leadsToOwnAddress(launch, this.#addresses)) return null;
    return {
      message: "It leads to this very gateway",
      hint: "Nothing to do; its tools are here without it",
    };
  }

  get #mark(): string | null {
    return this.#workspace === null ? null : workspaceMark(this.#workspace);
  }
}

function refusal(loop: Loop): Answer {
  return refused(INVALID_REQUEST, MESSAGES[loop], { [LOOP_KEY]: loop });
}
