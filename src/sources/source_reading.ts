import type { SourceReading } from "./source.ts";

/** Several readings as one, in their order. */
export function joinReadings(readings: readonly SourceReading[]): SourceReading {
  return {
    definitions: readings.flatMap((reading) => reading.definitions),
    reports: readings.flatMap((reading) => reading.reports),
    switches: readings.flatMap((reading) => reading.switches),
  };
}
