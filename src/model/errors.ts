/**
 * Why something failed, as a stable name. Codes are part of the public interface: they stand in
 * `--json` output and on every {@linkcode HotplugError}.
 */
export type ErrorCode =
  | "aborted"
  | "bad-arguments"
  | "blocked-by-hook"
  | "blocked-by-policy"
  | "command-failed"
  | "config-invalid"
  | "config-malformed"
  | "config-unreadable"
  | "connection-closed"
  | "discovery-failed"
  | "edit-refused"
  | "gateway-loop"
  | "handshake-failed"
  | "hook-failed"
  | "internal"
  | "message-too-large"
  | "missing-variable"
  | "needs-auth"
  | "no-session"
  | "not-connected"
  | "outcome-unknown"
  | "program-not-found"
  | "protocol-error"
  | "request-timeout"
  | "server-exited"
  | "server-not-runnable"
  | "server-unreachable"
  | "session-silent"
  | "start-timeout"
  | "tool-failed"
  | "tool-name-taken"
  | "unauthorized"
  | "unknown-server"
  | "unknown-tool"
  | "usage"
  | "write-failed";

/** The exit status of `mcp` for each {@linkcode ErrorCode}; what is not listed exits with 1. */
const EXIT_CODES: Partial<Record<ErrorCode, number>> = {
  "aborted": 130,
  "bad-arguments": 2,
  "connection-closed": 4,
  "handshake-failed": 4,
  "message-too-large": 4,
  "needs-auth": 3,
  "not-connected": 4,
  "outcome-unknown": 4,
  "program-not-found": 4,
  "protocol-error": 4,
  "request-timeout": 4,
  "server-exited": 4,
  "server-unreachable": 4,
  "start-timeout": 4,
  "tool-failed": 5,
  "unauthorized": 4,
  "unknown-server": 2,
  "unknown-tool": 2,
  "usage": 2,
};

/** A failure as plain data: what a status row, a cache entry or a JSON document carries. */
export interface ErrorInfo {
  /** Stable name of the failure. */
  readonly code: ErrorCode;
  /** What happened, in one sentence without a final stop. Never holds a secret. */
  readonly message: string;
  /** What to do about it, or `null` when there is nothing to say. */
  readonly hint: string | null;
  /** Messages of the causes, nearest first. */
  readonly causes?: readonly string[];
  /** Exit status of the process that failed, the server's or a value's command's. */
  readonly processExitCode?: number | null;
  /** Signal that ended that process. */
  readonly processSignal?: string | null;
  /** The last lines that it wrote to stderr, with known secrets replaced. */
  readonly stderr?: string;
}

/** What {@linkcode HotplugError} takes besides code and message. */
export interface HotplugErrorOptions {
  /** What the user can do about it. */
  readonly hint?: string | null | undefined;
  /** The error behind this one. */
  readonly cause?: unknown;
  /** Exit status of the server's process. */
  readonly processExitCode?: number | null | undefined;
  /** Signal that ended the server's process. */
  readonly processSignal?: string | null | undefined;
  /** The end of the server's stderr, already masked. */
  readonly stderr?: string | undefined;
  /** More facts for `--json`, such as suggestions. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** The one error class of this package. Callers switch on {@linkcode HotplugError.code}. */
export class HotplugError extends Error {
  /** Always `"HotplugError"`. */
  override readonly name: string = "HotplugError";
  /** Stable name of the failure. */
  readonly code: ErrorCode;
  /** Exit status that `mcp` ends with when this error ends a command. */
  readonly exitCode: number;
  /** What the user can do about it, or `null`. */
  readonly hint: string | null;
  /** Exit status of the server's process, if it ended. */
  readonly processExitCode: number | null;
  /** Signal that ended the server's process, if one did. */
  readonly processSignal: string | null;
  /** The end of the server's stderr, masked; empty when there is none. */
  readonly stderr: string;
  /** More facts for `--json`. */
  readonly details: Readonly<Record<string, unknown>>;

  /** Makes an error. The message states the action, then `: ` and what was found. */
  constructor(code: ErrorCode, message: string, options: HotplugErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.exitCode = EXIT_CODES[code] ?? 1;
    this.hint = options.hint ?? null;
    this.processExitCode = options.processExitCode ?? null;
    this.processSignal = options.processSignal ?? null;
    this.stderr = options.stderr ?? "";
    this.details = options.details ?? {};
  }

  /** This error as plain data. */
  toInfo(): ErrorInfo {
    const causes = causeMessages(this.cause);
    return {
      code: this.code,
      message: this.message,
      hint: this.hint,
      ...(causes.length > 0 ? { causes } : {}),
      ...(this.processExitCode === null ? {} : { processExitCode: this.processExitCode }),
      ...(this.processSignal === null ? {} : { processSignal: this.processSignal }),
      ...(this.stderr === "" ? {} : { stderr: this.stderr }),
    };
  }
}

/** The error that {@linkcode ErrorInfo} describes, with its stack starting here. */
export function errorFromInfo(info: ErrorInfo): HotplugError {
  return new HotplugError(info.code, info.message, {
    hint: info.hint,
    processExitCode: info.processExitCode,
    processSignal: info.processSignal,
    stderr: info.stderr,
  });
}

/** Any thrown value as a {@linkcode HotplugError}; an unknown one becomes `fallback`. */
export function toHotplugError(thrown: unknown, fallback: ErrorCode = "internal"): HotplugError {
  if (thrown instanceof HotplugError) return thrown;
  if (isAbortError(thrown)) return new HotplugError("aborted", "Aborted", { cause: thrown });
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new HotplugError(fallback, message === "" ? "Unknown failure" : message, {
    cause: thrown instanceof Error ? thrown.cause : undefined,
  });
}

/** Tells whether a thrown value means that a caller's `AbortSignal` fired. */
export function isAbortError(thrown: unknown): boolean {
  if (thrown instanceof HotplugError) return thrown.code === "aborted";
  return thrown instanceof Error && thrown.name === "AbortError";
}

/**
 * Throws when a caller's signal has fired.
 * @throws {HotplugError} `aborted`.
 */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new HotplugError("aborted", "Aborted", { cause: signal.reason });
}

/** Messages of a chain of causes, nearest first; at most five, cycles cut. */
function causeMessages(cause: unknown): string[] {
  const messages: string[] = [];
  let current = cause;
  while (current instanceof Error && messages.length < 5) {
    messages.push(current.message);
    current = current.cause;
  }
  return messages;
}
