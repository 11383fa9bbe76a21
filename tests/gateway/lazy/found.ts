import type { JsonObject } from "../../../src/model/json.ts";
import type { FindableTool } from "../../../src/gateway/lazy/tool_index.ts";

/** A tool that can be found, with what a test cares about. */
export function findable(
  server: string,
  name: string,
  description = "",
  properties: JsonObject = {},
  required: readonly string[] = [],
): FindableTool {
  const publicName = `${server}_${name}`;
  const inputSchema = { type: "object", properties, required };
  return { publicName, server, name, listed: { name: publicName, description, inputSchema } };
}
