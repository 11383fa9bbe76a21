import { type FrameId, readFrame, repairedAnswer } from "./frames.ts";

/** What the transport reads of an answer's headers. */
export function keptHeaders(headers: Headers): Headers {
  const kept = new Headers();
  for (const key of ["content-type", "mcp-session-id"]) {
    const value = headers.get(key);
    if (value !== null) kept.set(key, value);
  }
  return kept;
}

/** The media type of an answer in lower case, without parameters; empty when it names none. */
export function mediaType(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** The answer that means: this server opens no stream. */
export function noStream(): Response {
  return new Response(null, { status: 405 });
}

/** The id of the request in a body; `null` when it holds none. */
export function requestId(body: RequestInit["body"]): FrameId | null {
  if (typeof body !== "string") return null;
  try {
    const { id, method } = JSON.parse(body) as { id?: unknown; method?: unknown };
    const isRequest = typeof method === "string" &&
      (typeof id === "string" || typeof id === "number");
    return isRequest ? id : null;
  } catch {
    return null;
  }
}

/** Whether a request asks for the common stream. */
export function asksForStream({ method }: RequestInit): boolean {
  return (method ?? "GET") === "GET";
}

/** Whether a body asks for the stream of changes of the modern era, which stands for hours. */
export function asksForChanges(body: RequestInit["body"]): boolean {
  const method = "subscriptions/listen";
  if (typeof body !== "string" || !body.includes(method)) return false;
  try {
    return (JSON.parse(body) as { method?: unknown }).method === method;
  } catch {
    return false;
  }
}

/** Longest body that is looked into to tell whether it holds protocol messages. */
const LONGEST_LOOK = 16 * 1024;

/** Tells whether a body is JSON and yet no protocol message; a long one is given the benefit. */
export function isForeignJson(text: string): boolean {
  if (text.length > LONGEST_LOOK) return false;
  try {
    const value: unknown = JSON.parse(text);
    return !(Array.isArray(value) ? value : [value]).some((item) => readFrame(item) !== null);
  } catch {
    // Broken JSON is told as what it is.
    return false;
  }
}

/**
 * A body as a JSON answer that a strict reader takes: odd errors made sound, JSON under another
 * content type accepted. `null` when the body is fine or no JSON.
 */
export function answerText(
  text: string,
  type: string,
  id: FrameId | null,
): string | null {
  const isJson = type === "application/json";
  if (id === null || text === "" || (isJson && !text.includes('"error"'))) return null;
  if (isJson && text.length > 256 * 1024) return null;
  try {
    const repaired = repairedAnswer(JSON.parse(text), id);
    return repaired === null ? isJson ? null : text : JSON.stringify(repaired);
  } catch {
    return null;
  }
}
