import { HotplugError } from "../../model/errors.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Clock } from "../../runtime/clock.ts";
import { INVALID_PARAMS } from "../rpc.ts";
import type { AskingCall } from "./asking_call.ts";
import { RequestStates, type StateBinding, type StateClaims } from "./request_state.ts";

/** Milliseconds that a call waits for its host to come back: as long as a question may hold a call. */
export const PARKED_MS = 600_000;

/** Calls of one principal that wait at one time; one more ends the oldest of them. */
export const MOST_OF_ONE = 64;

/** Calls that wait in all; one more ends the oldest of whoever has the most. */
export const MOST_PARKED = 512;

/** A call that waits. */
interface Parked {
  readonly call: AskingCall;
  readonly principal: string;
  readonly round: number;
  /** Ends the clock. */
  readonly taken: AbortController;
}

/**
 * The calls whose hosts were asked and have not come back yet. Each is taken at most once by each
 * state that was given out for it, and by its own principal alone.
 */
export class ParkedCalls {
  readonly #clock: Clock;
  readonly #states = new RequestStates();
  /** By the call, oldest first. */
  readonly #parked = new Map<string, Parked>();
  /** How often each call that goes on was parked. */
  readonly #rounds = new WeakMap<AskingCall, number>();
  #isClosed = false;

  /** None waits. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many wait. */
  get size(): number {
    return this.#parked.size;
  }

  /** The result that ends a request of the host, with what the call's server asks. */
  async park(call: AskingCall, binding: StateBinding, signal: AbortSignal): Promise<JsonObject> {
    const round = (this.#rounds.get(call) ?? 0) + 1;
    const expires = Math.ceil(this.#clock.ticks()) + PARKED_MS;
    const requestState = await this.#signed({ call: call.id, round, expires }, binding, call);
    if (signal.aborted || this.#isClosed) {
      call.end("The request was cancelled");
      throw new HotplugError("aborted", "Aborted", { cause: signal.reason });
    }
    call.park();
    this.#rounds.set(call, round);
    const parked = { call, principal: binding.principal, round, taken: new AbortController() };
    this.#parked.set(call.id, parked);
    void this.#clock.idle(PARKED_MS, parked.taken.signal).then(() => this.#drop(parked));
    this.#makeRoom(binding.principal);
    return { resultType: "input_required", inputRequests: call.inputRequests(), requestState };
  }

  /**
   * Takes the call that a state was given out for; `null` when it is none of ours.
   * @throws {HotplugError} `protocol-error` with -32602 when it is ours and of no use any more.
   */
  async take(state: string, binding: StateBinding): Promise<AskingCall | null> {
    const claims = await this.#states.read(state, binding);
    if (claims === null) return null;
    if (claims.expires <= this.#clock.ticks()) throw uselessState("it has expired");
    const parked = this.#parked.get(claims.call);
    if (parked === undefined || parked.round !== claims.round) {
      throw uselessState("it was used before, or its call is over");
    }
    this.#parked.delete(claims.call);
    parked.taken.abort();
    return parked.call;
  }

  /** Ends all, and takes no more. */
  close(): void {
    this.#isClosed = true;
    for (const parked of this.#parked.values()) this.#drop(parked);
  }

  /** The state for a call, which ends where there can be none: its params may be too deep. */
  async #signed(claims: StateClaims, binding: StateBinding, call: AskingCall): Promise<string> {
    try {
      return await this.#states.sign(claims, binding);
    } catch (thrown) {
      call.end("The host cannot be asked");
      throw thrown;
    }
  }

  #makeRoom(principal: string): void {
    if (this.#of(principal).length > MOST_OF_ONE) this.#drop(this.#of(principal)[0]);
    if (this.#parked.size <= MOST_PARKED) return;
    const principals = new Set([...this.#parked.values()].map((parked) => parked.principal));
    const longest = [...principals].map((one) => this.#of(one))
      .reduce((most, of) => of.length > most.length ? of : most);
    this.#drop(longest[0]);
  }

  #of(principal: string): readonly Parked[] {
    return [...this.#parked.values()].filter((parked) => parked.principal === principal);
  }

  #drop(parked: Parked | undefined): void {
    if (parked === undefined || this.#parked.get(parked.call.id) !== parked) return;
    this.#parked.delete(parked.call.id);
    parked.taken.abort();
    parked.call.end("The host has not answered");
  }
}

/** The error for a `requestState` that a host cannot go on with. */
export function uselessState(why: string): HotplugError {
  const message = `Invalid requestState: ${why}; make the call anew`;
  return new HotplugError("protocol-error", message, {
    details: { code: INVALID_PARAMS, message, data: { reason: "invalid_request_state" } },
  });
}
