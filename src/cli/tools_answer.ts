import type { HotplugError } from "../model/errors.ts";
import type { ToolInfo } from "../model/listing.ts";
import type { PlannedServer } from "../model/plan.ts";
import { NameTable } from "../tools/public_name.ts";
import { type ListedTool, SCHEMA_VERSION, type ToolsDocument } from "./documents.ts";
import { errorField } from "./json_output.ts";
import type { ServerAnswer } from "./server_answers.ts";

/** The tools of one server, and where they come from. */
export interface ServerTools extends ServerAnswer {
  /** Its row of the plan. */
  readonly planned: PlannedServer;
  /** Its tools, after the definition's filters; `null` when they are not known. */
  readonly tools: readonly ToolInfo[] | null;
  /** Age of a remembered list; `null` when it was read just now. */
  readonly cachedAgeMs: number | null;
}

/** A tool with the name that models call it by. */
export interface NamedTool {
  /** What a model calls it by. */
  readonly publicName: string;
  /** Name of its server. */
  readonly server: string;
  /** The tool. */
  readonly info: ToolInfo;
}

/**
 * The tools of some servers under their public names, servers in the order given.
 * @param others Tools of servers that are not shown, but whose names these must not take.
 */
export function namedTools(
  servers: readonly ServerTools[],
  others: readonly { readonly server: string; readonly tool: string }[] = [],
): readonly NamedTool[] {
  const table = new NameTable();
  const pairs = servers.flatMap(({ name, tools }) =>
    (tools ?? []).map((tool) => ({ server: name, tool: tool.name }))
  );
  table.assign([...pairs, ...others]);
  return servers.flatMap(({ name, tools }) =>
    (tools ?? []).map((info) => ({
      publicName: table.nameOf({ server: name, tool: info.name }) ?? info.name,
      server: name,
      info,
    }))
  );
}

/** The document of `mcp tools --json`. */
export function toolsDocument(
  servers: readonly ServerTools[],
  tools: readonly NamedTool[],
  error: HotplugError | null,
): ToolsDocument {
  const planned = new Map(servers.map((server) => [server.name, server.planned]));
  return {
    schemaVersion: SCHEMA_VERSION,
    tools: tools.map((tool) => listedTool(tool, planned.get(tool.server))),
    servers: servers.map(({ name, state, tools, cachedAgeMs, error, warnings }) => ({
      name,
      state,
      tools: tools?.length ?? null,
      cachedAgeMs,
      error,
      warnings,
    })),
    ...(error === null ? {} : { error: errorField(error) }),
  };
}

/** One tool as the document shows it. A project's own `autoApprove` does not count. */
function listedTool(tool: NamedTool, planned: PlannedServer | undefined): ListedTool {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool.info;
  const definition = planned?.definition;
  return {
    publicName: tool.publicName,
    server: tool.server,
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations,
    autoApprove: definition?.source.scope !== "project" &&
      (definition?.config.autoApprove ?? []).includes(name),
  };
}
