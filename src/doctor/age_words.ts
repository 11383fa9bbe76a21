/** Units of an age in milliseconds, the largest first. */
const UNITS: readonly (readonly [string, number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** A span of time in words: `3 hours`, `1 day`; what is shorter than a minute is `a moment`. */
export function ageWords(milliseconds: number): string {
  for (const [unit, length] of UNITS) {
    const count = Math.floor(milliseconds / length);
    if (count > 0) return `${count} ${unit}${count === 1 ? "" : "s"}`;
  }
  return "a moment";
}
