import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { Tool } from "../model/tool.ts";
import { describingText } from "../tools/model_text.ts";
import { soundInputSchema, soundOutputSchema } from "./sound_schema.ts";

/** Key of `_meta` under which a tool names the server behind it. */
export const SERVER_KEY = "dev.hotplug/server";

/** Hints of `annotations` that are yes or no. */
const HINTS: readonly string[] = [
  "readOnlyHint",
  "destructiveHint",
  "idempotentHint",
  "openWorldHint",
];

/** A tool as the host gets it, and what was odd about it. */
export interface OfferedTool {
  /** The item of `tools/list`; `null` when it is left out. */
  readonly listed: JsonObject | null;
  /** What was repaired, or why it is left out; `null` when all is well. */
  readonly warning: string | null;
}

/**
 * A tool as it stands in `tools/list`: under its public name, with what the protocol knows of tools
 * and nothing else, each field of the right type. One field of a wrong type would cost many hosts
 * the whole list. Pure.
 * @param toolMeta Members of `_meta` that the host wants on every tool.
 */
export function offeredTool(tool: Tool, toolMeta: JsonObject | null): OfferedTool {
  const { raw } = tool.info;
  const input = soundInputSchema(tool.info.inputSchema);
  if (input.schema === null) {
    return { listed: null, warning: `It is left out: ${input.repairs.join(", ")}` };
  }
  const output = soundOutputSchema(raw["outputSchema"]);
  const lost = raw["outputSchema"] !== undefined && raw["outputSchema"] !== null &&
    output === null;
  const repairs = [...input.repairs, ...(lost ? ["its output schema, which is left out"] : [])];
  const annotations = soundAnnotations(raw["annotations"]);
  const icons = soundIcons(raw["icons"]);
  const title = typeof raw["title"] === "string" ? describingText(raw["title"]) : null;
  const ownMeta = isJsonObject(raw["_meta"]) ? raw["_meta"] : {};
  return {
    listed: {
      name: tool.name,
      ...(title === null ? {} : { title }),
      description: tool.description,
      inputSchema: input.schema,
      ...(output === null ? {} : { outputSchema: output }),
      ...(annotations === null ? {} : { annotations }),
      ...(icons === null ? {} : { icons }),
      _meta: { ...ownMeta, ...toolMeta, [SERVER_KEY]: tool.server },
    },
    warning: repairs.length === 0 ? null : `Repaired: ${repairs.join(", ")}`,
  };
}

function soundAnnotations(value: JsonValue | undefined): JsonObject | null {
  if (!isJsonObject(value)) return null;
  const title = value["title"];
  const entries: [string, JsonValue][] = HINTS.flatMap((hint): [string, JsonValue][] => {
    const given = value[hint];
    return typeof given === "boolean" ? [[hint, given]] : [];
  });
  if (typeof title === "string") entries.unshift(["title", describingText(title)]);
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** The icons of an item that are sound; `null` when none is. Pure. */
export function soundIcons(value: JsonValue | undefined): readonly JsonObject[] | null {
  if (!Array.isArray(value)) return null;
  const icons = (value as readonly JsonValue[]).flatMap((icon): JsonObject[] => {
    if (!isJsonObject(icon) || typeof icon["src"] !== "string") return [];
    const { src, mimeType, sizes, theme } = icon;
    const isList = Array.isArray(sizes) && sizes.every((size) => typeof size === "string");
    return [{
      src,
      ...(typeof mimeType === "string" ? { mimeType } : {}),
      ...(isList ? { sizes } : {}),
      ...(theme === "light" || theme === "dark" ? { theme } : {}),
    }];
  });
  return icons.length === 0 ? null : icons;
}
