/** How much may be under way. */
export interface AdmissionLimits {
  /** Of one principal. */
  readonly ofOne: number;
  /** In all. */
  readonly inAll: number;
}

/** Why something was not let in: its principal has enough under way, or all have together. */
export type NotAdmitted = "of-one" | "in-all";

/** Counts what is under way, by principal. */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #counts = new Map<string, number>();
  #count = 0;

  /** Nothing is under way. */
  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /** How much is under way. */
  get count(): number {
    return this.#count;
  }

  /** Lets so many in together, which must {@linkcode leave} so; or says why not. */
  enter(principal: string, count: number = 1): NotAdmitted | null {
    const own = (this.#counts.get(principal) ?? 0) + count;
    if (own > this.#limits.ofOne) return "of-one";
    if (this.#count + count > this.#limits.inAll) return "in-all";
    this.#counts.set(principal, own);
    this.#count += count;
    return null;
  }

  /** Notes that so many of these are done. */
  leave(principal: string, count: number = 1): void {
    const own = (this.#counts.get(principal) ?? 0) - count;
    if (own > 0) this.#counts.set(principal, own);
    else this.#counts.delete(principal);
    this.#count -= count;
  }
}
