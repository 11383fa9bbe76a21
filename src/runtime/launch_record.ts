import type { LaunchFacts, LaunchResult } from "../cache/launch_facts.ts";
import { type LaunchKeys, launchKeys } from "./launch_key.ts";
import type { StartInput } from "./server_start.ts";

/** What a server's last attempt was started with. */
export interface RecordedLaunch {
  /** Which server, and its definition. */
  readonly input: StartInput;
  /** What it came to; `null` when nothing could be started with it. Never rejects. */
  readonly facts: Promise<LaunchFacts | null>;
  /** The same, to compare. Never rejects. */
  readonly keys: Promise<LaunchKeys | null>;
  /** What commands of its values had printed; `null` without any, or before they have. Secret. */
  readonly values: string | null;
}

/** Knows what each server's last attempt was started with, to tell later what differs. */
export class LaunchRecord {
  readonly #launches = new Map<string, RecordedLaunch>();

  /** Notes an attempt that begins; a later one of the name takes its place. */
  note(input: StartInput, looked: Promise<LaunchResult>): void {
    const [facts, keys] = [factsOf(looked), keysOf(looked)];
    this.#launches.set(input.name, { input, facts, keys, values: null });
  }

  /** Notes what the commands of an attempt's values have printed. */
  notePrinted(input: StartInput, values: string): void {
    const launch = this.#launches.get(input.name);
    if (launch?.input === input) this.#launches.set(input.name, { ...launch, values });
  }

  /** The last attempt of a name. */
  get(name: string): RecordedLaunch | undefined {
    return this.#launches.get(name);
  }

  /** Forgets a name. */
  remove(name: string): void {
    this.#launches.delete(name);
  }
}

/** The keys of a launch as it was looked into; `null` when it cannot be. Never rejects. */
export async function keysOf(looked: Promise<LaunchResult>): Promise<LaunchKeys | null> {
  const facts = await factsOf(looked);
  return facts === null ? null : launchKeys(facts);
}

async function factsOf(looked: Promise<LaunchResult>): Promise<LaunchFacts | null> {
  try {
    const result = await looked;
    return result.ok ? result.facts : null;
  } catch {
    return null;
  }
}
