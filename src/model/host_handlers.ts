import type { JsonObject, JsonValue } from "./json.ts";

/** With what a handler of the host is called besides its request. */
export interface HandlerContext {
  /** Name of the server that asks. */
  readonly server: string;
  /**
   * Fires when the answer is of no use any more: the server withdrew the request, the call that it
   * belongs to was aborted, or the connection ended.
   */
  readonly signal: AbortSignal;
  /**
   * The `call` of the forwarded request that the server asks because of, see
   * {@linkcode ForwardOptions.call}. `null` when there is none, or when it is not sure which: over
   * HTTP the stream tells, over stdio it is the only request under way.
   */
  readonly call: object | null;
}

/** A server asks its user to fill in a form. */
export interface FormElicitation {
  /** What to show above the form. From the server: not to be trusted. */
  readonly message: string;
  /** JSON Schema of the flat object to fill in; empty when the server sent none. */
  readonly requestedSchema: JsonObject;
  /** The parameters as received. */
  readonly raw: JsonObject;
}

/** A server asks its user to open a page, such as one to sign in at. */
export interface UrlElicitation {
  /** Why. From the server: not to be trusted. */
  readonly message: string;
  /** The page, always `http:` or `https:`. To be shown to the user, and opened by their word alone. */
  readonly url: string;
  /** By which its end is told, see {@linkcode HostHandlers.urlElicitationComplete}; `null` if none. */
  readonly elicitationId: string | null;
  /** The parameters as received. */
  readonly raw: JsonObject;
}

/** What the user said to an elicitation. */
export interface ElicitAnswer {
  /** `accept`: filled in, or willing to open the page. `decline`: no. `cancel`: no answer. */
  readonly action: "accept" | "decline" | "cancel";
  /**
   * The filled form of an accepted form elicitation. What it leaves out is filled in with the
   * defaults of the requested schema.
   */
  readonly content?: JsonObject;
}

/** A folder or file that the host works in. */
export interface Root {
  /** Its address, `file://…`. */
  readonly uri: string;
  /** Its name for humans. */
  readonly name?: string;
}

/** A server asks for a completion of the host's language model. */
export interface SamplingRequest {
  /** The conversation, as received. */
  readonly messages: readonly JsonValue[];
  /** Most tokens to sample; `null` when the server did not say. */
  readonly maxTokens: number | null;
  /** System prompt, if given. */
  readonly systemPrompt: string | null;
  /**
   * Tools that the model may ask for; empty for none. Servers send them only when the host declares
   * the capability `{ sampling: { tools: {} } }`.
   */
  readonly tools: readonly JsonValue[];
  /** All parameters as received: also `modelPreferences`, `temperature`, `toolChoice`, … */
  readonly raw: JsonObject;
}

/** What the host's model answered, in the protocol's own form. */
export interface SamplingAnswer {
  /** Usually `assistant`. */
  readonly role: "assistant" | "user";
  /** One content block, or several where tools are in use. */
  readonly content: JsonObject | readonly JsonObject[];
  /** Which model answered. */
  readonly model: string;
  /** Why it stopped: `endTurn`, `maxTokens`, `stopSequence`, `toolUse`, … */
  readonly stopReason?: string;
}

/**
 * What a host can do for servers that ask it for something. What has no handler is declared to no
 * server, and answered with "method not found" when one asks all the same.
 *
 * A handler that throws fails the request, never the connection. Of what it throws the server learns
 * that it failed; an error with an integer `code` is given to it with code, message and `data`. A
 * handler is never waited for longer than its signal lasts.
 */
export interface HostHandlers {
  /** Lets the user fill in a form. */
  readonly elicit?: (
    request: FormElicitation,
    context: HandlerContext,
  ) => ElicitAnswer | Promise<ElicitAnswer>;
  /** Asks the user whether to open a page. `accept` means that they agreed, not that they are done. */
  readonly elicitUrl?: (
    request: UrlElicitation,
    context: HandlerContext,
  ) => ElicitAnswer | Promise<ElicitAnswer>;
  /** Told when a server says that what it sent the user to a page for is done. */
  readonly urlElicitationComplete?: (elicitationId: string, server: string) => void;
  /** Asks the host's model. The host should let the user see and refuse it. */
  readonly sample?: (
    request: SamplingRequest,
    context: HandlerContext,
  ) => SamplingAnswer | Promise<SamplingAnswer>;
  /** Gives the folders that the host works in. */
  readonly roots?: (context: HandlerContext) => readonly Root[] | Promise<readonly Root[]>;
  /**
   * Answers every request that has no handler of its own, as it came and with what is sent back as
   * it is: for hosts that pass requests on. What it can do is declared by the host's own
   * `capabilities`.
   */
  readonly request?: (
    method: string,
    params: JsonObject,
    context: HandlerContext,
  ) => JsonObject | Promise<JsonObject>;
}
