import { access, lstat } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";

import { abortedError } from "../model/abort.ts";
import { HotplugError, throwIfAborted } from "../model/errors.ts";
import { errnoOf, errnoText } from "../platform/errno.ts";
import { SocketLines } from "../platform/local_socket_lines.ts";
import { isRunning } from "../platform/process_identity.ts";
import { type ControlMethod, parseReply, requestLine } from "./control_messages.ts";
import type { LiveRecord } from "./live_record.ts";
import type { FoundRecord } from "./live_records.ts";

/** How long a session is waited for. */
export interface ControlCallOptions {
  /** Gives up; the session goes on with what it began. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds without any sign of life after which a session counts as hung: until it takes a
   * request up, and beyond what its slowest server may take. Default 10,000.
   */
  readonly patienceMs?: number | undefined;
  /** Most milliseconds in all. Default: no bound but the other one. */
  readonly limitMs?: number | undefined;
}

/** What a session may take beyond its slowest server, in milliseconds. */
export const PATIENCE_MS = 10_000;

/** Most characters of an answer: thousands of tools with long descriptions. */
const LONGEST_ANSWER = 64 * 1024 * 1024;

/** Milliseconds that a session which is just starting has between its record and its socket. */
const STARTING_MS = 1_000;

/** Milliseconds that a killed process needs to be gone. */
const DYING_MS = 50;

/** Milliseconds between two looks for a socket. */
const LOOK_MS = 20;

/** What the system says of a socket that nobody listens at. */
const NOBODY: ReadonlySet<string> = new Set(["ENOENT", "ECONNREFUSED"]);

/** The longest wait that timers of all runtimes keep. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Asks a live session for one thing.
 * @throws {HotplugError} `session-silent` when it says nothing in time; `no-session` when it ends
 * before it answers; `aborted`; and whatever the session says.
 */
export async function controlCall(
  found: FoundRecord,
  method: ControlMethod,
  params: Readonly<Record<string, unknown>>,
  options: ControlCallOptions = {},
): Promise<unknown> {
  const { record } = found;
  const { signal, patienceMs = PATIENCE_MS, limitMs = LONGEST_MS } = options;
  throwIfAborted(signal);
  const begun = performance.now();
  const leftMs = (): number => Math.max(0, limitMs - (performance.now() - begun));
  const socket = await connected(found, method, { signal, leftMs });
  if (signal?.aborted) {
    socket.destroy();
    throw abortedError(signal);
  }
  return await new Promise((resolve, reject) => {
    let isSettled = false;
    const settle = (finish: () => void): void => {
      isSettled = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      lines.cut();
      finish();
    };
    const fail = (error: HotplugError): void => settle(() => reject(error));
    const onAbort = (): void => fail(abortedError(signal));
    const waitAtMost = (milliseconds: number): ReturnType<typeof setTimeout> => {
      const bound = Math.min(milliseconds, leftMs(), LONGEST_MS);
      return setTimeout(() => fail(silentError(record, method, performance.now() - begun)), bound);
    };
    let timer = waitAtMost(patienceMs);
    const lines = new SocketLines(socket, {
      longest: LONGEST_ANSWER,
      mostQueued: LONGEST_ANSWER,
      onLine: (line) => {
        const reply = parseReply(line, REQUEST_ID);
        if (reply?.kind === "result") settle(() => resolve(reply.result));
        if (reply?.kind === "failure") fail(reply.error);
        if (reply?.kind !== "accepted") return;
        clearTimeout(timer);
        timer = waitAtMost(reply.slowestMs + patienceMs);
      },
      onEnd: () => {
        if (isSettled) return;
        clearTimeout(timer);
        // A killed process loses its connections a moment before it counts as gone.
        void delay(DYING_MS).then(() => whyNobody(found, method, "it has cut the connection"))
          .then(fail);
      },
    });
    signal?.addEventListener("abort", onAbort, { once: true });
    lines.write(record.token);
    lines.write(requestLine(REQUEST_ID, method, params));
  });
}

/** Each call has a connection of its own. */
const REQUEST_ID = 1;

/** A connection to a session; one that is just starting gets a moment. */
async function connected(
  found: FoundRecord,
  method: ControlMethod,
  { signal, leftMs }: { readonly signal: AbortSignal | undefined; readonly leftMs: () => number },
): Promise<Socket> {
  const latest = performance.now() + Math.min(STARTING_MS, leftMs());
  const { record } = found;
  for (;;) {
    throwIfAborted(signal);
    try {
      await refuseOthers(record.socket);
      return await connection(record.socket);
    } catch (thrown) {
      const isNobody = NOBODY.has(errnoOf(thrown) ?? "");
      const error = await whyNobody(
        found,
        method,
        isNobody ? "nobody listens at its socket" : errnoText(thrown),
      );
      if (!isNobody || error.code === "no-session" || performance.now() > latest) throw error;
    }
    await delay(LOOK_MS, undefined, signal === undefined ? {} : { signal }).catch(() => {});
  }
}

/** Why a session cannot be talked to: it has ended, or it lives and something is wrong with it. */
async function whyNobody(
  { record, file }: FoundRecord,
  method: ControlMethod,
  why: string,
): Promise<HotplugError> {
  // One that ends takes its record away before its socket; one that is killed leaves both.
  const isLive = isRunning(record.process) === true &&
    await access(file).then(() => true, () => false);
  return isLive
    ? new HotplugError("session-silent", `Cannot ${WORDS[method]} ${shown(record)}: ${why}`, {
      hint: `Start its process ${record.session.pid} anew`,
    })
    : new HotplugError("no-session", `Cannot ${WORDS[method]} ${shown(record)}: it has ended`);
}

/** The token is for nobody but the user's own socket. @throws What the system says. */
async function refuseOthers(path: string): Promise<void> {
  if (path.startsWith("\\\\")) return;
  const facts = await lstat(path);
  const uid = process.getuid?.() ?? facts.uid;
  if (facts.isSocket() && facts.uid === uid) return;
  throw new Error("its socket is none, or another user's");
}

function connection(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}

/** What is done to a session, in messages. */
const WORDS: Readonly<Record<ControlMethod, string>> = {
  status: "look at",
  tools: "list the tools of",
  logs: "read the logs of",
  reload: "reload",
  pause: "pause a server of",
  resume: "resume a server of",
  retry: "retry a server of",
};

/** How a session is called in messages. */
function shown({ session: { id } }: LiveRecord): string {
  return `session "${id}"`;
}

function silentError(record: LiveRecord, method: ControlMethod, waitedMs: number): HotplugError {
  const seconds = (waitedMs / 1_000).toFixed(1);
  return new HotplugError(
    "session-silent",
    `Cannot ${WORDS[method]} ${shown(record)}: no answer within ${seconds} s`,
    { hint: `Its process ${record.session.pid} may be stopped or hung; start it anew` },
  );
}
