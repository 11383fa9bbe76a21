import type { JsonObject } from "../../../mod.ts";

/** What a server asks its host for in the middle of a request. */
export interface Question {
  /** One of the three requests that a server may make. */
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  /** Its parameters. */
  readonly params: JsonObject;
}

/** Questions that are asked at once, by a key of their own. */
export type Round = Readonly<Record<string, Question>>;

/** What a request of a host may set off beside its answer; each era does it in its own way. */
export interface Work {
  /** Writes a log line of level `info` for the host. */
  log(text: string): Promise<void>;
  /** Tells how far the request is, of 100, if the host wants to know. */
  progress(done: number): Promise<void>;
  /** Ends the stream of the answer before it has come, where streams can be resumed. */
  hangUp(): void;
  /** Changes a list, and tells the hosts. */
  change(list: "tools" | "prompts"): void;
}

/** How a tool or a prompt comes to its answer, whatever the era. */
export interface Behaviour {
  /** What it is called. */
  readonly name: string;
  /** What a host reads about it. */
  readonly description: string;
  /** What it asks before it answers, round by round; it may depend on what the host can do. */
  readonly rounds?: (args: JsonObject, capabilities: JsonObject) => readonly Round[];
  /** Whether the modern era gives a `requestState` along with the questions. */
  readonly keepsState?: boolean;
}

/** A tool of the fixtures. */
export interface FixtureTool extends Behaviour {
  /** Its parameters; none by default. */
  readonly inputSchema?: JsonObject;
  /** The content of its result, given the answers to all questions by their keys. */
  readonly run: (
    args: JsonObject,
    work: Work,
    answers: JsonObject,
  ) => readonly JsonObject[] | Promise<readonly JsonObject[]>;
}

/** A prompt of the fixtures. */
export interface FixturePrompt extends Behaviour {
  /** Its arguments: all are required. */
  readonly arguments?: readonly string[];
  /** The contents of its messages, all of them the user's. */
  readonly run: (args: JsonObject, answers: JsonObject) => readonly JsonObject[];
}

/** Content of plain text. */
export function text(words: string): JsonObject {
  return { type: "text", text: words };
}

/** A question for values of a form. */
export function form(
  message: string,
  properties: JsonObject,
  required?: readonly string[],
): Question {
  const requestedSchema = {
    type: "object",
    properties,
    ...required !== undefined && { required },
  };
  return { method: "elicitation/create", params: { message, requestedSchema } };
}

/** A question for the words of a model. */
export function sample(prompt: string): Question {
  const messages = [{ role: "user", content: text(prompt) }];
  return { method: "sampling/createMessage", params: { messages, maxTokens: 100 } };
}

/** The question for the folders that the host works in. */
export const ROOTS: Question = { method: "roots/list", params: {} };
