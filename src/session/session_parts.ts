import type { SessionInfo } from "../model/session_view.ts";
import type { Assembly } from "./assembly.ts";
import type { SessionOptions } from "./session_options.ts";

/** What takes a running session and ends with it, such as its control socket. */
export interface SessionCompanion {
  /** Ends it. Bounded, idempotent, never rejects. */
  close(): Promise<void>;
}

/** What a {@linkcode LiveSession} is made of. */
export interface SessionParts {
  /** Who it is. */
  readonly info: SessionInfo;
  /** What the host asked for. */
  readonly options: SessionOptions;
  /** Reads configs, makes the manager. */
  readonly assembly: Assembly;
}
