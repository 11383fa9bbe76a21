import type { ConnectionLimits } from "../../platform/http_listener.ts";

/** How much a gateway over HTTP bears. */
export interface HttpLimits extends ConnectionLimits {
  /** Most bytes of one body. */
  readonly bodyBytes: number;
  /** Most bytes of one principal's bodies that are read at one time. */
  readonly readingBytesOfOne: number;
  /** Most bytes of all bodies that are read at one time. */
  readonly readingBytes: number;
  /** Milliseconds to read one body. */
  readonly bodyMs: number;
  /** Requests of one principal that may run at one time. */
  readonly requestsOfOne: number;
  /** Requests that may run at one time. */
  readonly requests: number;
  /** Streams of one principal that may be open at one time. */
  readonly streamsOfOne: number;
  /** Streams that may be open at one time. */
  readonly streams: number;
  /** Sessions of one principal. */
  readonly sessionsOfOne: number;
  /** Sessions. */
  readonly sessions: number;
  /** Milliseconds after which a session ends that nobody uses. */
  readonly sessionIdleMs: number;
  /** Most characters that wait for a client on one stream before it counts as gone. */
  readonly mostWaiting: number;
  /** Messages of one stream that are kept for a client that comes back. */
  readonly keptMessages: number;
  /** Characters of such messages; the newest one is kept whatever its length. */
  readonly keptCharacters: number;
  /** Characters of what is left of one principal's broken streams; the newest is kept whatever. */
  readonly lostCharacters: number;
  /** Milliseconds that what is left of a broken stream is kept. */
  readonly keptMs: number;
  /** Milliseconds between two signs of life on a stream; an answer that takes longer becomes one. */
  readonly aliveMs: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const MIB = 1024 * 1024;

/** What is borne unless a test says otherwise. */
export const HTTP_LIMITS: HttpLimits = {
  // What node:http bears by default is 16 KiB; hosts add long cookies and traces of proxies.
  headerBytes: 32 * 1024,
  // As much as Deno's own server bears.
  headers: 100,
  headersMs: 15 * SECOND,
  // More than the time of a body, which is answered in words.
  requestMs: 2 * MINUTE,
  // Longer than the 60 seconds for which nginx keeps a connection: who ends it first must be nginx.
  idleMs: 75 * SECOND,
  connections: 8_192,
  stallMs: 60 * SECOND,
  // As long as a message over stdio may be.
  bodyBytes: 64 * MIB,
  readingBytesOfOne: 192 * MIB,
  readingBytes: 256 * MIB,
  bodyMs: MINUTE,
  // A thousand clients that share one token may each have two calls under way.
  requestsOfOne: 2_048,
  requests: 4_096,
  streamsOfOne: 2_048,
  streams: 4_096,
  sessionsOfOne: 2_048,
  sessions: 4_096,
  sessionIdleMs: 30 * MINUTE,
  // A whole answer of the longest kind, in characters, with some room.
  mostWaiting: 80 * MIB,
  keptMessages: 256,
  keptCharacters: 256 * 1024,
  lostCharacters: 80 * MIB,
  keptMs: 2 * MINUTE,
  // nginx cuts a connection that is silent for 60 seconds, others after 30.
  aliveMs: 10 * SECOND,
};
