import type { FrameId } from "../connection/frames.ts";
import type { JsonObject } from "../model/json.ts";
import type { Progress } from "../model/tool.ts";
import type { Gateway } from "./gateway.ts";
import type { GatewaySession } from "./gateway_session.ts";
import type { ListenStreams } from "./listen_streams.ts";
import type { RequestMeta } from "./request_meta.ts";
import type { Answer } from "./rpc.ts";

/** One request of a host, and what its method works with. */
export interface HostRequest {
  /** Its id. */
  readonly id: FrameId;
  /** Its parameters. */
  readonly params: JsonObject;
  /** What it says about itself. */
  readonly meta: RequestMeta;
  /** Whether it is of the modern era. */
  readonly isModern: boolean;
  /** Fires when the host has cancelled it or is gone. */
  readonly signal: AbortSignal;
  /** Tells the host how far it has come; `undefined` when the host does not want to know. */
  readonly onProgress: ((progress: Progress) => void) | undefined;
  /** The gateway. */
  readonly gateway: Gateway;
  /** The session, opened. */
  readonly session: GatewaySession;
  /** The host's streams of changes. */
  readonly streams: ListenStreams;
  /** Notes that the host was given the list of tools of this generation. */
  readonly onListed: (generation: number) => void;
}

/**
 * What a method does; `null` gives no answer now.
 * @throws {HotplugError} `aborted` when the request's signal fired; anything else is a failure here.
 */
export type Method = (request: HostRequest) => Answer | null | Promise<Answer | null>;
