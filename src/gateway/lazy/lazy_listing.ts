import type { JsonObject } from "../../model/json.ts";
import { CALL_TOOL, DESCRIBE_TOOL, SEARCH_TOOL } from "./lazy_names.ts";
import { type SearchableServer, searchDescription } from "./search_description.ts";

/** Most tools in one answer to a search. */
export const MOST_FOUND = 100;

/** Tools in one answer, unless more or fewer are asked for. */
export const USUALLY_FOUND = 10;

const NAME: JsonObject = {
  type: "string",
  description: "Name of the tool, as search_tools gives it",
};

/** What only looks, and at nothing outside. */
const LOOKS: JsonObject = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/**
 * The three tools that stand for all, as they are listed. Their schemas are small and plain, since
 * every host and every model vendor must take them. Pure.
 * @param toolMeta Members of `_meta` that the host wants on every tool.
 */
export function lazyListing(
  servers: readonly SearchableServer[],
  toolMeta: JsonObject | null,
): readonly JsonObject[] {
  const meta: JsonObject = toolMeta === null ? {} : { _meta: toolMeta };
  return [searchTool(servers), DESCRIBING, CALLING].map((tool) => ({ ...tool, ...meta }));
}

function searchTool(servers: readonly SearchableServer[]): JsonObject {
  return {
    name: SEARCH_TOOL,
    title: "Search tools",
    description: searchDescription(servers),
    inputSchema: {
      type: "object",
      properties: {
        query: {
          type: "string",
          description:
            'What is to be done, as "create issue", or exact names of tools. Empty: all tools',
        },
        server: { type: "string", description: "Only tools of this server" },
        limit: {
          type: "integer",
          description: `Most tools in the answer, ${USUALLY_FOUND} by default, up to ${MOST_FOUND}`,
        },
      },
      required: ["query"],
    },
    outputSchema: {
      type: "object",
      properties: {
        tools: {
          type: "array",
          items: {
            type: "object",
            properties: {
              name: { type: "string" },
              server: { type: "string" },
              arguments: { type: "string" },
              description: { type: "string" },
            },
            required: ["name", "server", "arguments", "description"],
          },
        },
        more: { type: "integer" },
        note: { type: "string" },
      },
      required: ["tools", "more"],
    },
    annotations: { title: "Search tools", ...LOOKS },
  };
}

const DESCRIBING: JsonObject = {
  name: DESCRIBE_TOOL,
  title: "Describe a tool",
  description: "Gives the whole description of a tool and the JSON Schema of its arguments.",
  inputSchema: { type: "object", properties: { name: NAME }, required: ["name"] },
  outputSchema: {
    type: "object",
    properties: {
      name: { type: "string" },
      server: { type: "string" },
      title: { type: "string" },
      description: { type: "string" },
      inputSchema: { type: "object" },
      outputSchema: { type: "object" },
      annotations: { type: "object" },
    },
    required: ["name", "server", "description", "inputSchema"],
  },
  annotations: { title: "Describe a tool", ...LOOKS },
};

const CALLING: JsonObject = {
  name: CALL_TOOL,
  title: "Call a tool",
  description: "Runs a tool that search_tools has found, and gives its result as it is. What it " +
    "does depends on the tool: it may change or delete things.",
  inputSchema: {
    type: "object",
    properties: {
      name: NAME,
      arguments: {
        type: "object",
        description: "Arguments of that tool, by its own schema; {} when it takes none",
        additionalProperties: true,
      },
    },
    required: ["name", "arguments"],
  },
  annotations: {
    title: "Call a tool",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
};
