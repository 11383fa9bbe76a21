/** The signals that end the program, and the exit code that tells of each (128 + its number). */
export const SIGNAL_EXITS: ReadonlyMap<string, number> = new Map([
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
]);

/** The signal that an abort of {@linkcode endOnSignals} tells of; `null` for any other abort. */
export function endingSignal({ reason }: AbortSignal): string | null {
  if (!(reason instanceof DOMException)) return null;
  for (const name of SIGNAL_EXITS.keys()) if (reason.message === messageOf(name)) return name;
  return null;
}

function messageOf(name: string): string {
  return `Ended by ${name}`;
}

/** What of `process` is used here. */
export interface SignalProcess {
  /** Listens for a signal, or for what nobody caught. */
  on(event: string, listener: (...args: readonly unknown[]) => void): unknown;
  /** Ends the process; what its `exit` listeners kill is killed. */
  exit(code: number): void;
}

/** Why the program is to end before it is done. */
export interface Ending {
  /** Fires at the first signal. */
  readonly signal: AbortSignal;
  /** Exit code of the signal that came; `null` while none has. */
  exitCode(): number | null;
}

/**
 * Turns signals into an abort: the command stops its servers and prints what it has. A second
 * signal ends the process at once.
 */
export function endOnSignals(process: SignalProcess): Ending {
  const controller = new AbortController();
  let code: number | null = null;
  for (const [name, exit] of SIGNAL_EXITS) {
    process.on(name, () => {
      if (code !== null) return process.exit(exit);
      code = exit;
      controller.abort(new DOMException(messageOf(name), "AbortError"));
    });
  }
  return { signal: controller.signal, exitCode: () => code };
}
