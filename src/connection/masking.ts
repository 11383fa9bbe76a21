import { HotplugError } from "../model/errors.ts";
import type { Logger } from "../model/log.ts";

/**
 * An error with every text of it masked, its causes and details included: servers echo what they
 * were sent in their messages and in the bodies of HTTP errors. The same error when it holds no
 * secret.
 */
export function maskedError(error: HotplugError, mask: (text: string) => string): HotplugError {
  let isChanged = false;
  const hide = (text: string): string => {
    const shown = mask(text);
    isChanged ||= shown !== text;
    return shown;
  };
  const hideIn = (value: unknown, depth: number): unknown => {
    if (typeof value === "string") return hide(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth > DEEPEST_DETAIL) {
      isChanged = true;
      return null;
    }
    if (Array.isArray(value)) return value.map((item) => hideIn(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [hide(key), hideIn(item, depth + 1)]),
    );
  };
  const hideCause = (cause: unknown, depth: number): Error | undefined => {
    if (!(cause instanceof Error) || depth > DEEPEST_CAUSE) return undefined;
    const shown = new Error(hide(cause.message), { cause: hideCause(cause.cause, depth + 1) });
    shown.name = cause.name;
    return shown;
  };
  const { code, processExitCode, processSignal } = error;
  const shown = new HotplugError(code, hide(error.message), {
    hint: error.hint === null ? null : hide(error.hint),
    stderr: hide(error.stderr),
    cause: hideCause(error.cause, 0),
    processExitCode,
    processSignal,
    details: hideIn(error.details, 0) as Readonly<Record<string, unknown>>,
  });
  if (!isChanged) return error;
  originals.set(shown, error);
  return shown;
}

/** The errors that masked ones were made of, for as long as those are held. */
const originals = new WeakMap<HotplugError, HotplugError>();

/**
 * The error that a masked one was made of, itself for any other. For what must be used as the server
 * gave it, such as the address of a page; it is never shown or logged.
 */
export function unmaskedError(error: HotplugError): HotplugError {
  return originals.get(error) ?? error;
}

/** A log that secrets do not get into: its messages and the texts among its fields are masked. */
export function maskedLogger(log: Logger, mask: (text: string) => string): Logger {
  return {
    log(level, message, fields = {}): void {
      const shown = Object.entries(fields).map(([key, value]) => [
        key,
        typeof value === "string" ? mask(value) : value,
      ]);
      log.log(level, mask(message), Object.fromEntries(shown));
    },
  };
}

/** How deep details are looked into; what a server nests deeper is left out. */
const DEEPEST_DETAIL = 32;

/** How many causes behind a cause are kept; no more are ever shown. */
const DEEPEST_CAUSE = 5;
