import {
  Client as SecondClient,
  type JSONRPCMessage as SecondMessage,
  StreamableHTTPClientTransport as SecondHttpTransport,
  type Transport as SecondTransport,
} from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport as FirstTransport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CreateMessageRequestSchema,
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  type JSONRPCMessage as FirstMessage,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { ChildTransport } from "./child_transport.ts";
import type { Served } from "./http/served.ts";
import type { TempHome } from "../harness/temp_home.ts";
import { until } from "../harness/until.ts";

/** A real client that can be asked for everything, whichever it is. */
export interface AskedClient {
  /** What it was asked for, in order. */
  readonly asked: readonly Asked[];
  /** Names of the pages of which it was told that their business is done. */
  readonly completed: readonly string[];
  /** The roots that it names. */
  roots: readonly string[];
  /** Waits until all of these tools are listed. */
  listing(...names: readonly string[]): Promise<void>;
  /** What a tool said, as it was before it became text. */
  call(name: string, args?: Record<string, unknown>): Promise<unknown>;
  /** The description of a prompt, as it was before it became text. */
  prompt(name: string): Promise<unknown>;
  /** The text of a resource, as it was before it became text. */
  read(uri: string): Promise<unknown>;
  /** Everything that a call reported before its answer. */
  progress(name: string): Promise<readonly number[]>;
  /** Tells that its roots have changed; the modern era has no word for that. */
  rootsChanged(): Promise<void>;
  /** Ends it. */
  close(): Promise<void>;
}

/** One thing that a client was asked for. */
export interface Asked {
  /** By which method. */
  readonly method: string;
  /** With which parameters. */
  readonly params: Record<string, unknown>;
}

/** What a client declares. */
export type Capabilities = Record<string, unknown>;

/** Everything that there is. */
export const ALL: Capabilities = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: { listChanged: true },
};

/** What each client answers, and the server then says that it got. */
export const ANSWERS: Readonly<Record<"form" | "page" | "sample" | "roots", unknown>> = {
  form: { action: "accept", content: { name: "Ada" } },
  page: { action: "accept" },
  sample: { role: "assistant", model: "m1", content: { type: "text", text: "Hi" } },
  roots: { roots: [{ uri: "file:///work" }] },
};

const INFO = { name: "asked", version: "1.0.0" };

/** The ways of the clients of both lines to one gateway. */
export interface Ways {
  /** A transport for the 1.x line. */
  first(): FirstTransport;
  /** A transport for the 2.x line. */
  second(): SecondTransport;
  /** Ends what a transport of the 1.x line has opened beside itself. */
  ended?(transport: FirstTransport): Promise<void>;
}

/** To a gateway over stdio, which each client starts. */
export function overStdio(world: TempHome): Ways {
  return {
    first: () => new ChildTransport<FirstMessage>(world),
    second: () => new ChildTransport<SecondMessage>(world),
  };
}

/** To a gateway over HTTP, with its own token or another. */
export function overHttp({ url, token }: Served, shown: string = token): Ways {
  const requestInit = { headers: { authorization: `Bearer ${shown}` } };
  return {
    first: () => new StreamableHTTPClientTransport(new URL(url), { requestInit }) as FirstTransport,
    second: () => new SecondHttpTransport(new URL(url), { requestInit }),
    ended: (transport) => (transport as StreamableHTTPClientTransport).terminateSession(),
  };
}

/** A client over a way to a gateway, with its capabilities. */
export type Connect = (ways: Ways, capabilities?: Capabilities) => Promise<AskedClient>;

/** Every client, by its name for tests; those of the modern era last. */
export const CLIENTS: readonly { name: string; isModern: boolean; connect: Connect }[] = [
  { name: "the SDK's 1.x client", isModern: false, connect: first },
  {
    name: "the SDK's 2.x client in the legacy era",
    isModern: false,
    connect: (ways, capabilities) => second(ways, "legacy", capabilities),
  },
  {
    name: "the SDK's 2.x client in the modern era",
    isModern: true,
    connect: (ways, capabilities) => second(ways, "auto", capabilities),
  },
];

/** What a client was asked for, and its answer. */
function answering(notes: Notes): (request: unknown) => never {
  return (request) => {
    const { method, params = {} } = request as Asked;
    notes.asked.push({ method, params });
    // The SDKs check it.
    return answerTo(method, params, notes.roots) as never;
  };
}

function answerTo(method: string, params: Asked["params"], roots: readonly string[]): unknown {
  switch (method) {
    case "elicitation/create":
      return params["mode"] === "url" ? ANSWERS.page : ANSWERS.form;
    case "sampling/createMessage":
      return ANSWERS.sample;
    default:
      return { roots: roots.map((uri) => ({ uri })) };
  }
}

interface Notes {
  readonly asked: Asked[];
  readonly completed: string[];
  roots: readonly string[];
}

function notes(): Notes {
  return { asked: [], completed: [], roots: ["file:///work"] };
}

/** A client of the SDK's 1.x line. */
async function first(ways: Ways, capabilities: Capabilities = ALL): Promise<AskedClient> {
  const noted = notes();
  const client = new FirstClient(INFO, { capabilities });
  const answer = answering(noted);
  if (capabilities["elicitation"]) client.setRequestHandler(ElicitRequestSchema, answer);
  if (capabilities["sampling"]) client.setRequestHandler(CreateMessageRequestSchema, answer);
  if (capabilities["roots"]) client.setRequestHandler(ListRootsRequestSchema, answer);
  client.setNotificationHandler(
    ElicitationCompleteNotificationSchema,
    ({ params }: { params: { elicitationId: string } }) =>
      void noted.completed.push(params.elicitationId),
  );
  const transport = ways.first();
  await client.connect(transport);
  return Object.assign(noted, {
    listing: (...names: readonly string[]) => listed(client, names),
    call: async (name: string, args: Record<string, unknown> = {}) =>
      said(await client.callTool({ name, arguments: args })),
    prompt: async (name: string) => parsed((await client.getPrompt({ name })).description),
    read: async (uri: string) => contentOf(await client.readResource({ uri })),
    progress: async (name: string) => {
      const steps: number[] = [];
      await client.callTool({ name, arguments: {} }, undefined, {
        onprogress: ({ progress }: { progress: number }) => steps.push(progress),
      });
      return steps;
    },
    rootsChanged: () => client.sendRootsListChanged(),
    async close(): Promise<void> {
      await ways.ended?.(transport);
      await client.close();
    },
  });
}

/** A client of the SDK's 2.x line: in the legacy era, or in the one that it finds. */
async function second(
  ways: Ways,
  mode: "legacy" | "auto",
  capabilities: Capabilities = ALL,
): Promise<AskedClient> {
  const noted = notes();
  const client = new SecondClient(INFO, { capabilities, versionNegotiation: { mode } });
  const answer = answering(noted);
  if (capabilities["elicitation"]) client.setRequestHandler("elicitation/create", answer);
  if (capabilities["sampling"]) client.setRequestHandler("sampling/createMessage", answer);
  if (capabilities["roots"]) client.setRequestHandler("roots/list", answer);
  if (mode === "legacy") {
    client.setNotificationHandler(
      "notifications/elicitation/complete",
      ({ params }) => void noted.completed.push(params.elicitationId),
    );
  }
  const transport = ways.second();
  await client.connect(transport);
  return Object.assign(noted, {
    listing: (...names: readonly string[]) => listed(client, names),
    call: async (name: string, args: Record<string, unknown> = {}) =>
      said(await client.callTool({ name, arguments: args })),
    prompt: async (name: string) => parsed((await client.getPrompt({ name })).description),
    read: async (uri: string) => contentOf(await client.readResource({ uri })),
    progress: async (name: string) => {
      const steps: number[] = [];
      await client.callTool({ name, arguments: {} }, {
        onprogress: ({ progress }) => steps.push(progress),
      });
      return steps;
    },
    rootsChanged: () => client.sendRootsListChanged(),
    async close(): Promise<void> {
      if (mode === "legacy" && transport instanceof SecondHttpTransport) {
        await transport.terminateSession();
      }
      await client.close();
    },
  });
}

/** Waits until a client lists tools. */
async function listed(
  client: { listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }> },
  names: readonly string[],
): Promise<void> {
  await until(async () => {
    const { tools } = await client.listTools();
    const listed = new Set(tools.map(({ name }) => name));
    return names.every((name) => listed.has(name));
  }, 30_000);
}

function said(result: unknown): unknown {
  const { content } = result as { content: readonly { text?: string }[] };
  return parsed(content[0]?.text);
}

function contentOf(result: unknown): unknown {
  const { contents } = result as { contents: readonly { text?: string }[] };
  return parsed(contents[0]?.text);
}

/** What stands in a text; the text itself when it is no JSON. */
function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
}
