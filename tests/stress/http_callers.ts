import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type Era, HttpClient, type Message } from "../harness/raw_http_client.ts";

/** A client of a gateway over HTTP, of whatever make. */
export interface Caller {
  /** What it is. */
  readonly kind: string;
  /** Its token. */
  readonly token: string;
  /** Its session; `null` in the modern era. */
  readonly session: string | null;
  /** Calls a tool; gives the result. Rejects on any other answer. */
  call(name: string, args: Record<string, unknown>): Promise<Message>;
  /** Ends it, and its session. */
  close(): Promise<void>;
}

/** Connects one kind of client with a token. */
export type Connect = (url: string, token: string) => Promise<Caller>;

/** One client in so many is made with an SDK: they cost the machine more than the gateway does. */
const SDK_EVERY = 10;

const INFO = { name: "crowd", version: "1.0.0" };

/** Milliseconds that an SDK's client waits for an answer: longer than a server may take to start. */
const TIMEOUT_MS = 120_000;

/** How the client of a number connects: most by hand, every tenth with an SDK, in turn both eras. */
export function connectOf(index: number): Connect {
  const isModern = Math.floor(index / 2) % 2 === 1;
  if (index % SDK_EVERY === 0) return isModern ? bySecondSdk : byFirstSdk;
  return byHand(isModern ? "modern" : "legacy");
}

function byHand(era: Era): Connect {
  return async (url, token) => {
    const client = await HttpClient.open({ url, era, token });
    return {
      kind: `raw ${era}`,
      token,
      session: client.session,
      call: (name, args) => client.ask("tools/call", { name, arguments: args }),
      close: () => client.close(),
    };
  };
}

/** The SDK's 1.x line, which knows the legacy era alone, and keeps a stream open. */
async function byFirstSdk(url: string, token: string): Promise<Caller> {
  const client = new LegacyClient(INFO, { capabilities: {} });
  const transport = new LegacyTransport(new URL(url), { requestInit: authorized(token) });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    kind: "SDK 1.x",
    token,
    session: transport.sessionId ?? null,
    call: (name, args) =>
      client.callTool({ name, arguments: args }, undefined, { timeout: TIMEOUT_MS }),
    async close(): Promise<void> {
      await transport.terminateSession();
      await client.close();
    },
  };
}

/** The SDK's 2.x line in the modern era. */
async function bySecondSdk(url: string, token: string): Promise<Caller> {
  const client = new ModernClient(INFO, {
    capabilities: {},
    versionNegotiation: { mode: "auto" },
  });
  await client.connect(new ModernTransport(new URL(url), { requestInit: authorized(token) }));
  return {
    kind: "SDK 2.x",
    token,
    session: null,
    call: (name, args) => client.callTool({ name, arguments: args }, { timeout: TIMEOUT_MS }),
    close: () => client.close(),
  };
}

function authorized(token: string): RequestInit {
  return { headers: { authorization: `Bearer ${token}` } };
}
