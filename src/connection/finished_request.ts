import type { MCPServerConnection } from "../model/connection.ts";
import { HotplugError } from "../model/errors.ts";
import type { AskAsker } from "../model/forward.ts";
import type { JsonObject } from "../model/json.ts";
import { URL_ELICITATION_REQUIRED } from "./protocol_error.ts";
import type { WireRequestOptions } from "./wire_options.ts";

/** How a request is brought to its end. */
export interface FinishOptions extends WireRequestOptions {
  /** Answers what the server asks for. Default: the host of the connection. */
  readonly ask?: AskAsker | undefined;
}

/**
 * Sends a request until its result is there: the modern era also knows results that ask the host
 * for input first, 2025-11-25 an error that sends the user to a page first. What they need is loaded
 * when it is needed.
 * @throws {HotplugError} What {@linkcode MCPServerConnection.request} throws; `protocol-error` for
 * what was not answered.
 */
export async function finished(
  connection: MCPServerConnection,
  method: string,
  params: JsonObject,
  options: FinishOptions,
): Promise<JsonObject> {
  const { signal, call = null, ask } = options;
  const asked: AskAsker = ask ?? ((...question) => connection.host.ask(...question, call));
  let result: JsonObject;
  try {
    result = await connection.request(method, params, options);
  } catch (thrown) {
    if (!needsVisit(thrown)) throw thrown;
    const opensUrls = ask !== undefined || connection.host.opensUrls;
    const { visitPages } = await import("./url_detour.ts");
    await visitPages(connection, thrown, { signal, ask: opensUrls ? asked : null });
    result = await connection.request(method, params, options);
  }
  for (let round = 1; !isComplete(connection, result); round++) {
    const { answeredParams, MOST_ROUNDS, tooManyRounds } = await import("./input_rounds.ts");
    if (round > MOST_ROUNDS) throw tooManyRounds(connection, method);
    const request = { method, params, signal, ask: asked };
    const answered = await answeredParams(connection, result, request);
    result = await connection.request(method, answered, options);
  }
  return result;
}

/** Whether an error says that the user is to visit a page before the request is sent again. */
export function needsVisit(thrown: unknown): thrown is HotplugError {
  return thrown instanceof HotplugError && thrown.details["code"] === URL_ELICITATION_REQUIRED;
}

/** Whether a result is one, or asks for input. @throws {HotplugError} for any other kind. */
function isComplete(connection: MCPServerConnection, result: JsonObject): boolean {
  const kind = result["resultType"];
  if (connection.protocol.era !== "modern" || kind === undefined || kind === "complete") {
    return true;
  }
  if (kind === "input_required") return false;
  throw new HotplugError(
    "protocol-error",
    `"${connection.name}" answered with an unknown kind of result: ${
      JSON.stringify(kind).slice(0, 100)
    }`,
    { details: { resultType: typeof kind === "string" ? kind.slice(0, 100) : null } },
  );
}
