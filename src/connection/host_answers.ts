import type {
  ElicitAnswer,
  HandlerContext,
  HostHandlers,
  SamplingRequest,
} from "../model/host_handlers.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { INVALID_PARAMS, methodNotFound, RequestRefusal } from "./request_refusal.ts";

/**
 * The result of a server's request, given by the host's handlers: of one that came by itself, and
 * of one inside a result that asks for input.
 * @throws {RequestRefusal} for what has no handler or cannot be shown; what the handler throws.
 */
export async function hostAnswer(
  method: string,
  params: JsonObject,
  handlers: HostHandlers,
  capabilities: JsonObject,
  context: HandlerContext,
): Promise<JsonObject> {
  const { request } = handlers;
  if (request !== undefined && !hasOwnHandler(method, params, handlers)) {
    return await request(method, params, context);
  }
  switch (method) {
    case "elicitation/create":
      return params["mode"] === "url"
        ? await elicitUrl(params, handlers, context)
        : await elicitForm(params, handlers, context);
    case "sampling/createMessage":
      return await sample(params, handlers, capabilities, context);
    case "roots/list": {
      if (handlers.roots === undefined) throw methodNotFound(method);
      const roots = await handlers.roots(context);
      return { roots: roots.map(({ uri, name }) => name === undefined ? { uri } : { uri, name }) };
    }
    default:
      throw methodNotFound(method);
  }
}

function hasOwnHandler(method: string, params: JsonObject, handlers: HostHandlers): boolean {
  const { elicit, elicitUrl, sample, roots } = handlers;
  switch (method) {
    case "elicitation/create":
      return (params["mode"] === "url" ? elicitUrl : elicit) !== undefined;
    case "sampling/createMessage":
      return sample !== undefined;
    case "roots/list":
      return roots !== undefined;
    default:
      return false;
  }
}

async function elicitForm(
  params: JsonObject,
  handlers: HostHandlers,
  context: HandlerContext,
): Promise<JsonObject> {
  if (handlers.elicit === undefined) throw noElicitation(handlers, "form");
  const schema = params["requestedSchema"];
  const requestedSchema = isJsonObject(schema) ? schema : {};
  const answer = await handlers.elicit(
    { message: textOf(params["message"]), requestedSchema, raw: params },
    context,
  );
  if (answer.action !== "accept") return actionOf(answer);
  return { action: "accept", content: withDefaults(answer.content ?? {}, requestedSchema) };
}

async function elicitUrl(
  params: JsonObject,
  handlers: HostHandlers,
  context: HandlerContext,
): Promise<JsonObject> {
  if (handlers.elicitUrl === undefined) throw noElicitation(handlers, "url");
  const { message, url, elicitationId } = params;
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  // Hosts hand it to the system, which runs programs for other schemes.
  if (parsed === null || (parsed.protocol !== "https:" && parsed.protocol !== "http:")) {
    throw new RequestRefusal(INVALID_PARAMS, "The url is not an http or https address");
  }
  const answer = await handlers.elicitUrl({
    message: textOf(message),
    url: parsed.href,
    elicitationId: typeof elicitationId === "string" ? elicitationId : null,
    raw: params,
  }, context);
  return actionOf(answer);
}

async function sample(
  params: JsonObject,
  handlers: HostHandlers,
  capabilities: JsonObject,
  context: HandlerContext,
): Promise<JsonObject> {
  if (handlers.sample === undefined) throw methodNotFound("sampling/createMessage");
  const { messages, maxTokens, systemPrompt, tools, toolChoice } = params;
  const declared = capabilities["sampling"];
  const takesTools = isJsonObject(declared) && isJsonObject(declared["tools"]);
  if (!takesTools && (tools !== undefined || toolChoice !== undefined)) {
    throw new RequestRefusal(INVALID_PARAMS, "The client does not sample with tools");
  }
  const request: SamplingRequest = {
    messages: listOf(messages),
    maxTokens: typeof maxTokens === "number" ? maxTokens : null,
    systemPrompt: typeof systemPrompt === "string" ? systemPrompt : null,
    tools: listOf(tools),
    raw: params,
  };
  const { role, content, model, stopReason } = await handlers.sample(request, context);
  return {
    role,
    content: content as JsonValue,
    model,
    ...(stopReason === undefined ? {} : { stopReason }),
  };
}

/** The filled form with the defaults of its schema for what it leaves out (SEP-1034). */
function withDefaults(content: JsonObject, schema: JsonObject): JsonObject {
  const { properties } = schema;
  if (!isJsonObject(properties)) return content;
  const defaults = Object.entries(properties).flatMap(([key, property]) => {
    const left = !Object.hasOwn(content, key) || content[key] === undefined;
    const value = isJsonObject(property) && left ? property["default"] : undefined;
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries([...Object.entries(content), ...defaults]);
}

function actionOf({ action }: ElicitAnswer): JsonObject {
  return { action };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value as JsonValue[] : [];
}

/** Of two modes, one can be known and the other not. */
function noElicitation(handlers: HostHandlers, mode: "form" | "url"): RequestRefusal {
  return handlers.elicit === undefined && handlers.elicitUrl === undefined
    ? methodNotFound("elicitation/create")
    : new RequestRefusal(INVALID_PARAMS, `The client does not elicit in ${mode} mode`);
}
