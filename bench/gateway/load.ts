/** What one round came to. */
export interface Round {
  /** Milliseconds of the call in the middle, one call after the other. */
  readonly p50: number;
  /** Milliseconds that one call in a hundred takes longer than. */
  readonly p99: number;
  /** Calls a second, one after the other. */
  readonly alone: number;
  /** Calls a second, many in flight. */
  readonly together: number;
}

/** How much one round calls. */
export interface LoadOptions {
  /** Calls one after the other. */
  readonly calls: number;
  /** Calls with many in flight. */
  readonly together: number;
  /** How many those are. */
  readonly inFlight: number;
}

/** Calls again and again: one after the other, then many at once. */
export async function measure(
  call: () => Promise<unknown>,
  { calls, together, inFlight }: LoadOptions,
): Promise<Round> {
  const times: number[] = [];
  const begun = performance.now();
  for (let index = 0; index < calls; index++) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  const aloneMs = performance.now() - begun;
  times.sort((a, b) => a - b);
  const start = performance.now();
  let left = together;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  return {
    p50: at(0.5),
    p99: at(0.99),
    alone: calls / (aloneMs / 1000),
    together: together / ((performance.now() - start) / 1000),
  };
}

/** The best that each figure came to. */
export function best(rounds: readonly Round[]): Round {
  return {
    p50: Math.min(...rounds.map(({ p50 }) => p50)),
    p99: Math.min(...rounds.map(({ p99 }) => p99)),
    alone: Math.max(...rounds.map(({ alone }) => alone)),
    together: Math.max(...rounds.map((round) => round.together)),
  };
}
