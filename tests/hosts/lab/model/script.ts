import { isJsonObject, type JsonObject } from "../../../../src/model/json.ts";
import type { ModelReply, ModelRequest } from "./model_api.ts";

/** A call that a turn asks the model for. */
export interface ScriptedCall {
  /** End of the tool's name; what hosts and gateways put before it does not matter. */
  readonly tool: string;
  /** Its arguments: a flat object. Default: none. */
  readonly args?: JsonObject;
}

/** What a turn of a test looks like to the model. */
export interface Turn {
  /** Its number within the test. */
  readonly number: number;
  /** What the model calls one after the other before it says that it is done. */
  readonly calls: readonly ScriptedCall[];
}

/** The text of the user that asks the model for these calls. */
export function turnText({ number, calls }: Turn): string {
  const marked = calls.map(({ tool, args = {} }) => `CALL ${tool} ${JSON.stringify(args)} `);
  return `Turn ${number}: ${marked.join("")}END`;
}

/** The turn that a text asks for, whatever stands around it; `null` when it asks for none. */
export function turnIn(text: string): Turn | null {
  const [, number, body = ""] = /Turn (\d+): (.*?)END/s.exec(text) ?? [];
  if (number === undefined) return null;
  const calls = [...body.matchAll(/CALL (\S+) (\{[^}]*\})/g)].map(([, tool = "", json = ""]) => {
    const args: unknown = JSON.parse(json);
    return { tool, args: isJsonObject(args) ? args : {} };
  });
  return { number: Number(number), calls };
}

/**
 * The turn that a request belongs to; `null` for what a host asks beside it: a title, its memory,
 * a suggestion. Those have no tools, or something after the user's text.
 */
export function turnOf({ tools, prompts }: ModelRequest): Turn | null {
  if (tools.length === 0) return null;
  const own = prompts.findLast((text) => !text.trimStart().startsWith("<system-reminder>"));
  return own === undefined ? null : turnIn(own);
}

/**
 * What the model says. It calls a tool that is gone by the name that it once had, as a model with a
 * long memory would.
 *
 * @param known Names of tools that were ever declared, the latest last.
 */
export function replyTo(turn: Turn, request: ModelRequest, known: readonly string[]): ModelReply {
  const call = turn.calls[request.results.length];
  if (call === undefined) return { kind: "text", text: `Turn ${turn.number} is done.` };
  const { tool, args = {} } = call;
  const named = (name: string): boolean => name.endsWith(tool);
  const found = request.tools.find(named) ?? known.findLast(named);
  if (found === undefined) return { kind: "text", text: `There is no tool "${tool}".` };
  return { kind: "call", tool: found, args };
}
