import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { describingText } from "../../tools/model_text.ts";
import { SERVER_KEY, soundIcons } from "../offered_tool.ts";

/** Who a resource or its annotations may be meant for. */
const AUDIENCES: ReadonlySet<JsonValue> = new Set(["user", "assistant"]);

/** What a field of a listed item becomes; `undefined` for one that is left out. */
type Repair = (value: JsonValue) => JsonValue | undefined;

const text: Repair = (value) => typeof value === "string" ? value : undefined;
const prose: Repair = (value) => typeof value === "string" ? describingText(value) : undefined;

/** The fields that the protocol knows of prompts. */
const PROMPT: Readonly<Record<string, Repair>> = {
  title: prose,
  description: prose,
  icons: (value) => soundIcons(value) ?? undefined,
  arguments: (value) =>
    Array.isArray(value)
      ? (value as readonly JsonValue[]).filter(isJsonObject)
        .filter(({ name }) => typeof name === "string")
        .map((argument) => repaired(argument, ARGUMENT))
      : undefined,
};

/** Those of an argument of a prompt. */
const ARGUMENT: Readonly<Record<string, Repair>> = {
  title: prose,
  description: prose,
  required: (value) => typeof value === "boolean" ? value : undefined,
};

/** Those of resources and of templates of resources. */
const RESOURCE: Readonly<Record<string, Repair>> = {
  title: prose,
  description: prose,
  mimeType: text,
  size: (value) => typeof value === "number" ? value : undefined,
  icons: (value) => soundIcons(value) ?? undefined,
  annotations: (value) => isJsonObject(value) ? repaired(value, ANNOTATIONS) : undefined,
};

/** Those of annotations. */
const ANNOTATIONS: Readonly<Record<string, Repair>> = {
  audience: (value) =>
    Array.isArray(value) && value.every((one) => AUDIENCES.has(one)) ? value : undefined,
  priority: (value) => typeof value === "number" && value >= 0 && value <= 1 ? value : undefined,
  lastModified: text,
};

/** A prompt as it stands in `prompts/list`, under its public name. Pure. */
export function offeredPrompt(server: string, name: string, raw: JsonObject): JsonObject {
  return withServer(server, { ...repaired(raw, PROMPT), name });
}

/** A resource as it stands in `resources/list`. Pure. */
export function offeredResource(server: string, uri: string, raw: JsonObject): JsonObject {
  return withServer(server, { ...repaired(raw, RESOURCE), uri, name: shownName(raw, "uri") });
}

/** A template as it stands in `resources/templates/list`. Pure. */
export function offeredTemplate(server: string, uriTemplate: string, raw: JsonObject): JsonObject {
  const name = shownName(raw, "uriTemplate");
  return withServer(server, { ...repaired(raw, RESOURCE), uriTemplate, name });
}

/** What a resource is called. Nothing is asked for by it, so that it is a text like any other. */
function shownName(raw: JsonObject, otherwise: "uri" | "uriTemplate"): JsonValue | undefined {
  return typeof raw["name"] === "string" ? describingText(raw["name"]) : raw[otherwise];
}

/**
 * An item with each known field of the right type, or without it: one field of a wrong type would
 * cost many hosts the whole list. Unknown fields stay.
 */
function repaired(item: JsonObject, fields: Readonly<Record<string, Repair>>): JsonObject {
  const entries = Object.entries(item).flatMap(([key, value]): [string, JsonValue][] => {
    const repair = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const sound = repair === undefined || value === undefined ? value : repair(value);
    return sound === undefined ? [] : [[key, sound]];
  });
  return Object.fromEntries(entries);
}

/** Names the server behind an item, as on tools. */
function withServer(server: string, item: JsonObject): JsonObject {
  const own = isJsonObject(item["_meta"]) ? item["_meta"] : {};
  return { ...item, _meta: { ...own, [SERVER_KEY]: server } };
}
