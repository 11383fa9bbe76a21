import type { ConnectContext } from "./connect_options.ts";
import type { Link } from "./link.ts";

/** What a `ServerConnection` is made of. */
export interface ServerConnectionParts {
  /** How it was connected: the host, what to tell the server, masking and log. */
  readonly context: ConnectContext;
  /** The first link. */
  readonly link: Link;
  /** Process id; `null` over HTTP. */
  readonly pid: number | null;
  /** Whether its process is known to be ending, of which the link tells a moment later. */
  readonly isEnding: () => boolean;
  /** Makes another link after a lost session; `null` where there are no sessions. */
  readonly renew: ((signal: AbortSignal) => Promise<Link>) | null;
  /** Ends what lies below the link, such as the process; bounded, never rejects. */
  readonly end: () => Promise<void>;
  /** What was odd so far. */
  readonly warnings: () => readonly string[];
}
