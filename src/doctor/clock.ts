import { ageWords } from "./age_words.ts";
import { type Finding, NOWHERE } from "./finding.ts";

/** No build of this version is older: a clock that says so is wrong. 1 September 2026. */
export const OLDEST_NOW: number = Date.UTC(2026, 8, 1);

/** How far ahead a file may be, in milliseconds: disks of the network have clocks of their own. */
const TOLERANCE_MS = 5 * 60_000;

/** What is known of the clock without asking anybody. */
export interface ClockFacts {
  /** What it says, in milliseconds since 1970. */
  readonly now: number;
  /** When one of Hotplug's own files was last written; `null` when there is none. */
  readonly lastWrite: number | null;
}

/**
 * Whether the clock surely is wrong: before this program was made, or before it was last used.
 * Certificates and logins are then taken for expired, or for not valid yet. Pure.
 */
export function clockFindings({ now, lastWrite }: ClockFacts): readonly Finding[] {
  const late = lastWrite === null ? 0 : lastWrite - now;
  const reason = now < OLDEST_NOW
    ? "it says a day before this program was made"
    : late > TOLERANCE_MS
    ? `Hotplug's own files were written ${ageWords(late)} later than it says`
    : null;
  if (reason === null) return [];
  return [{
    check: "clock",
    severity: now < OLDEST_NOW ? "error" : "warning",
    ...NOWHERE,
    message: `The clock of this machine is wrong: ${reason}; secure connections and logins fail`,
    remedy: "Set the clock by the network: timedatectl set-ntp true on Linux, " +
      "Date & Time in the settings of macOS and Windows",
  }];
}
