import type { JsonObject } from "./json.ts";
import type { LoggingLevel } from "./log_message.ts";
import type { ProtocolEra } from "./server_view.ts";
import type { RequestOptions } from "./tool.ts";

/** Who a forwarded request comes from, for servers of the modern era, which are told with each. */
export interface Asker {
  /** How it calls itself; `null` when it does not say: the connection's own name stands there. */
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
   * What becomes of an answer that asks for input first, and of the error that sends the user to a
   * page first, by the era of the server that the request is sent to: it is answered, and the request
   * sent again (`answer`, the default), or it is the result or the error (`forward`).
   */
  readonly input?: Readonly<Record<ProtocolEra, "answer" | "forward">> | undefined;
  /** Answers what the server asks for. Default: the handlers of the host. */
  readonly ask?: AskAsker | undefined;
  /**
   * Stands for this request in what its server asks and tells because of it, where that is sure:
   * {@linkcode HandlerContext.call} and {@linkcode ServerNotification.call}. Never looked into.
   */
  readonly call?: object | undefined;
  /**
   * Gets the params of each log notification that surely belongs to this request, as received: over
   * HTTP what comes on its own stream, over the pipes of a modern server what comes while no other
   * request is under way. `onNotification` and `onLogMessage` are told of it all the same.
   */
  readonly onLog?: ((params: JsonObject) => void) | undefined;
}
