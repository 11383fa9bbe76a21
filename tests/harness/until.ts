/**
 * Waits until something holds, looking every few milliseconds.
 * @throws When it does not hold in time; `ms` is only a bound that no good run comes near.
 */
export async function until(holds: () => boolean | Promise<boolean>, ms = 30_000): Promise<void> {
  const latest = performance.now() + ms;
  while (!await holds()) {
    if (performance.now() > latest) throw new Error(`It did not hold within ${ms} ms: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
