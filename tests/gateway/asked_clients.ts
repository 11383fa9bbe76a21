import {
  Client as SecondClient,
  type JSONRPCMessage as SecondMessage,
} from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import {
  CreateMessageRequestSchema,
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  type JSONRPCMessage as FirstMessage,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { ChildTransport } from "./child_transport.ts";
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

/** A client over a gateway that it starts, with its capabilities. */
export type Connect = (world: TempHome, capabilities?: Capabilities) => Promise<AskedClient>;

/** Every client, by its name for tests; those of the modern era last. */
export const CLIENTS: readonly { name: string; isModern: boolean; connect: Connect }[] = [
  { name: "the SDK's 1.x client", isModern: false, connect: first },
  {
    name: "the SDK's 2.x client in the legacy era",
    isModern: false,
    connect: (world, capabilities) => second(world, "legacy", capabilities),
  },
  {
    name: "the SDK's 2.x client in the modern era",
    isModern: true,
    connect: (world, capabilities) => second(world, "auto", capabilities),
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
async function first(world: TempHome, capabilities: Capabilities = ALL): Promise<AskedClient> {
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
  await client.connect(new ChildTransport<FirstMessage>(world));
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
    close: () => client.close(),
  });
}

/** A client of the SDK's 2.x line: in the legacy era, or in the one that it finds. */
async function second(
  world: TempHome,
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
  await client.connect(new ChildTransport<SecondMessage>(world));
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
    close: () => client.close(),
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
