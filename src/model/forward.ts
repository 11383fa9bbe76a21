import type { JsonObject } from "./json.ts";
import type { LoggingLevel } from "./log_message.ts";
import type { RequestOptions } from "./tool.ts";

/** Who a forwarded request comes from, for servers of the modern era, which are told with each. */
export interface Asker {
  /** How it calls itself; `null` when it does not say. */
  readonly clientInfo: JsonObject | null;
  /** What it can do, as it says itself. */
  readonly capabilities: JsonObject;
  /** Least grave log lines that it wants while the request runs; `null` for none. */
  readonly logLevel: LoggingLevel | null;
}

/**
 * The result of one request of a server to the asker.
 * @throws an error with a JSON-RPC `code` when nothing answers it; `aborted`.
 */
export type AskAsker = (
  method: string,
  params: JsonObject,
  signal: AbortSignal,
) => Promise<JsonObject>;

/** What a request takes that is made for somebody else, and whose result is given on as received. */
export interface ForwardOptions extends RequestOptions {
  /** Who asks. Default: the host, as it was declared when the connection was made. */
  readonly asker?: Asker | null | undefined;
  /**
   * What becomes of an answer that asks for input first: it is answered, and the request sent again
   * (`answer`, the default), or it is the result (`forward`).
   */
  readonly input?: "answer" | "forward" | undefined;
  /** Answers what the server asks for. Default: the handlers of the host. */
  readonly ask?: AskAsker | undefined;
}
