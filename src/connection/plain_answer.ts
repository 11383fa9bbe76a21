import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isJsonObject } from "../model/json.ts";

/** The answer to a request of ours, and its result as it was written. */
export interface PlainAnswer {
  /** The message. */
  readonly message: JSONRPCMessage;
  /** The JSON of its result, to the letter. */
  readonly text: string;
}

/** How most servers begin an answer that ends with its result. */
const RESULT_LAST =
  /^\{[ \t]*"jsonrpc"[ \t]*:[ \t]*"2\.0"[ \t]*,[ \t]*"id"[ \t]*:[ \t]*"(hp-\d+)"[ \t]*,[ \t]*"result"[ \t]*:[ \t]*(?=\{)/;

/** How those of the SDK's 1.x line begin an answer, and how they end it. */
const RESULT_FIRST = '{"result":';
const AFTER_RESULT = /,"jsonrpc":"2\.0","id":"(hp-\d+)"\}$/;

/** Characters of a line's end in which {@linkcode AFTER_RESULT} is looked for. */
const LONGEST_END = 64;

/**
 * Reads an answer of one of the usual shapes; `null` for any other line, which may be an answer all
 * the same. What stands where its result is read from is one JSON value and no more: a member that is
 * given twice, or after it, makes another shape. Costs no more than to parse the line.
 */
export function plainAnswer(line: string): PlainAnswer | null {
  const parts = resultLast(line) ?? resultFirst(line);
  // What JSON takes for a space would end a line, or an event, for some who read it further on.
  if (parts === null || parts.text.includes("\r")) return null;
  const { id, text } = parts;
  try {
    const result: unknown = JSON.parse(text);
    if (!isJsonObject(result)) return null;
    return { message: { jsonrpc: "2.0", id, result: result as Record<string, unknown> }, text };
  } catch {
    return null;
  }
}

function resultLast(line: string): { readonly id: string; readonly text: string } | null {
  const start = RESULT_LAST.exec(line);
  const [begin, id] = start ?? [];
  if (begin === undefined || id === undefined || !line.endsWith("}")) return null;
  return { id, text: line.slice(begin.length, -1) };
}

function resultFirst(line: string): { readonly id: string; readonly text: string } | null {
  if (!line.startsWith(RESULT_FIRST)) return null;
  const [end, id] = AFTER_RESULT.exec(line.slice(-LONGEST_END)) ?? [];
  if (end === undefined || id === undefined) return null;
  return { id, text: line.slice(RESULT_FIRST.length, -end.length) };
}
