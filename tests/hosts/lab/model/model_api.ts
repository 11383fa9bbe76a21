import { isJsonObject, type JsonObject, type JsonValue } from "../../../../src/model/json.ts";

/** What a host asks its model, in words that all APIs share. */
export interface ModelRequest {
  /** Full names of the tools that are declared. Where an API has namespaces: `<namespace>/<name>`. */
  readonly tools: readonly string[];
  /** Every text of the user since the conversation began, in order. */
  readonly prompts: readonly string[];
  /** Texts of the results of tools since the last of these, in order. */
  readonly results: readonly string[];
}

/** What the scripted model says. */
export type ModelReply =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly tool: string; readonly args: JsonObject };

/** One API by which hosts reach their models. */
export interface ModelApi {
  /** Its name, for messages. */
  readonly name: string;
  /** Whether a POST to this path is a request of it. */
  matches(path: string): boolean;
  /** What is asked. */
  read(body: JsonObject): ModelRequest;
  /** The stream of events that says this. `id` differs for each answer. */
  answer(reply: ModelReply, id: string): string;
}

/** A conversation as it is gathered piece by piece: a prompt begins a new list of results. */
export class Conversation {
  readonly prompts: string[] = [];
  results: string[] = [];

  /** Notes what the user wrote; nothing, when it is empty. */
  prompt(text: string): void {
    if (text === "") return;
    this.prompts.push(text);
    // What a host puts between the results and the next request is no prompt of the user.
    if (!text.trimStart().startsWith("<system-reminder>")) this.results = [];
  }
}

/** The objects in a list; none when it is no list. */
export function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** A text; empty when it is none. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The texts of a message whose content is a text or a list of blocks with one each. */
export function contentTexts(value: JsonValue | undefined): readonly string[] {
  return typeof value === "string" ? [value] : objects(value).map(({ text }) => textOf(text));
}

/** Events of a stream without names. */
export function dataEvents(events: readonly JsonObject[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
}

/** Events of a stream, each named by its type. */
export function typedEvents(events: readonly (JsonObject & { readonly type: string })[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
