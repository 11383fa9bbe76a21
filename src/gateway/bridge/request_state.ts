import { timingSafeEqual } from "node:crypto";
import { canonicalJson } from "../../definitions/canonical_json.ts";
import { hmacHex, sha256Hex } from "../../definitions/digest.ts";
import type { JsonObject } from "../../model/json.ts";

/** What a state is good for: one round of one call. */
export interface StateClaims {
  /** The call that is parked. */
  readonly call: string;
  /** Which of its rounds. */
  readonly round: number;
  /** When it ends, in ticks of the gateway's clock. */
  readonly expires: number;
}

/** The request that a state is given out with and comes back with. */
export interface StateBinding {
  /** Whose request it is. */
  readonly principal: string;
  /** Its method. */
  readonly method: string;
  /** Its parameters, as the host sends them. */
  readonly params: JsonObject;
}

/** How every state of ours is built: what it claims, and the signature. */
const FORM = /^[0-9a-f-]{36}\.\d{1,9}\.\d{1,15}\.[0-9a-f]{64}$/;

/** Members of a request's parameters in which a retry differs from what it repeats. */
const OF_ROUND: ReadonlySet<string> = new Set(["_meta", "inputResponses", "requestState"]);

/**
 * Signs and reads the `requestState` of parked calls: HMAC-SHA-256 by a key that nobody else has and
 * that ends with the process. Who it was given to, the method and the parameters are signed and not
 * contained: with any other request it is as good as forged.
 */
export class RequestStates {
  readonly #key = crypto.getRandomValues(new Uint8Array(32));

  /** The state for these claims. */
  async sign(claims: StateClaims, binding: StateBinding): Promise<string> {
    const { call, round, expires } = claims;
    return [call, round, expires, await this.#mac(claims, binding)].join(".");
  }

  /** What a state of ours claims; `null` for what was not given out for such a request. */
  async read(state: string, binding: StateBinding): Promise<StateClaims | null> {
    if (!FORM.test(state)) return null;
    const [call = "", round = "", expires = ""] = state.split(".");
    const claims: StateClaims = { call, round: Number(round), expires: Number(expires) };
    const given = new TextEncoder().encode(state);
    const ours = new TextEncoder().encode(await this.sign(claims, binding));
    return given.length === ours.length && timingSafeEqual(given, ours) ? claims : null;
  }

  async #mac(
    { call, round, expires }: StateClaims,
    { principal, method, params }: StateBinding,
  ): Promise<string> {
    const salient = Object.entries(params).filter(([key]) => !OF_ROUND.has(key));
    const digest = await sha256Hex(canonicalJson(Object.fromEntries(salient)));
    return await hmacHex(
      this.#key,
      canonicalJson([call, round, expires, principal, method, digest]),
    );
  }
}
