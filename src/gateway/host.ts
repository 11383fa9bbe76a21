import type { FrameId } from "../connection/frames.ts";
import type { Asker } from "../model/forward.ts";
import type { JsonObject } from "../model/json.ts";
import type { LoggingLevel } from "../model/log_message.ts";
import type { HostOpening } from "./gateway_session.ts";
import type { RequestMeta } from "./request_meta.ts";

/** The way to one host. */
export interface HostLink {
  /**
   * Sends a message. Must not throw.
   * @param about Id of the host's request that it belongs to; `null` for one that stands alone.
   * @returns `false` when the message cannot be written as text.
   */
  send(message: JsonObject, about: FrameId | null): boolean;
  /**
   * Notes that a request of the host has its answer, or will never have one. Must not throw.
   * Over a link that carries everything in one stream there is nothing to do.
   */
  settled?(id: FrameId): void;
  /** Whether so much waits for the host to read that it does better without log lines. */
  isBehind?(): boolean;
}

/** Whose requests are told apart: hosts of one principal may know the same. */
export interface HostIdentity {
  /** Who speaks, by the token that it showed; the same for all where there are none. */
  readonly principal: string;
  /** What has connections of its own where servers are not shared. */
  readonly key: string;
}

/** The only host of a gateway that serves one. */
export const ONLY_HOST: HostIdentity = { principal: "host", key: "host" };

/** What a gateway remembers of one host from request to request. */
export class Host implements HostIdentity {
  readonly principal: string;
  readonly key: string;
  /** How a host of the legacy era has opened the conversation; `null` for any other. */
  opening: HostOpening | null = null;
  /** Least grave log lines that a host of the legacy era wants; `null` until it has said so. */
  logLevel: LoggingLevel | null = null;

  /** A host that has said nothing yet. */
  constructor({ principal, key }: HostIdentity) {
    this.principal = principal;
    this.key = key;
  }

  /** Ids of the sessions around it, said as {@linkcode asker} is; none when it is no session. */
  chain({ version, chain }: RequestMeta): readonly string[] {
    return version === null ? this.opening?.chain ?? [] : chain;
  }

  /** Who asks with one request: modern ones say so themselves, legacy ones have said it before. */
  asker({ version, clientInfo, capabilities, logLevel }: RequestMeta): Asker {
    if (version !== null) return { clientInfo, capabilities: capabilities ?? {}, logLevel };
    const { opening } = this;
    return {
      clientInfo: opening?.clientInfo ?? null,
      capabilities: opening?.capabilities ?? {},
      logLevel: this.logLevel,
    };
  }
}
