/**
 * One MCP server over HTTP, written by hand so that it can break every rule. Tests start it in
 * their own process and see what it was asked; by hand: `http_trap.ts <behaviour>`.
 * @module
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { httpBehaviours } from "./http_trap/behaviours.ts";
import type { Data, RecordedRequest, TrapState } from "./http_trap/exchange.ts";

/** A running trap. */
export interface HttpTrap {
  /** Its endpoint. */
  readonly url: string;
  /** Origin of the endpoint. */
  readonly origin: string;
  /** Another origin that it listens on too; nothing should come there. */
  readonly foreignOrigin: string;
  /** Every request so far, in order. */
  readonly requests: readonly RecordedRequest[];
  /** What it remembers: its counters among them. */
  readonly state: TrapState;
  /** Ends it and every connection to it. */
  close(): Promise<void>;
}

/** Starts a trap on loopback ports of its own. */
export async function startHttpTrap(behaviour: string): Promise<HttpTrap> {
  const behave = httpBehaviours.get(behaviour);
  if (behave === undefined) {
    throw new RangeError(`Unknown "${behaviour}"; known: ${[...httpBehaviours.keys()].join(", ")}`);
  }
  const requests: RecordedRequest[] = [];
  const state: TrapState = { sessions: new Set(), counts: new Map(), stream: null };
  const origins: string[] = [];
  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    foreign: boolean,
  ): Promise<void> => {
    const { method = "", url: path = "", headers } = request;
    const message = messageIn(await bodyOf(request));
    const recorded = { foreign, method, path, headers, message };
    requests.push(recorded);
    const [own = "", other = ""] = foreign ? origins.toReversed() : origins;
    await behave({ ...recorded, origin: own, foreignOrigin: other, request, response }, state);
  };
  const servers = [false, true].map((foreign) =>
    createServer((request, response) => {
      answer(request, response, foreign).catch(() => response.destroy());
    })
  );
  for (const server of servers) origins.push(`http://127.0.0.1:${await listen(server)}`);
  const [origin = "", foreignOrigin = ""] = origins;
  return {
    url: `${origin}/mcp`,
    origin,
    foreignOrigin,
    requests,
    state,
    async close(): Promise<void> {
      await Promise.all(servers.map(closed));
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of request) pieces.push(piece as Uint8Array);
  return await new Blob(pieces as BlobPart[]).text();
}

function messageIn(body: string): Data | null {
  try {
    return JSON.parse(body) as Data;
  } catch {
    return null;
  }
}

if (import.meta.main) {
  const trap = await startHttpTrap(process.argv[2] ?? "");
  process.stdout.write(`${trap.url}\n`);
}
