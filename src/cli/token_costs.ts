import { lazyListing } from "../gateway/lazy/lazy_listing.ts";
import { serverPurpose } from "../gateway/lazy/server_purpose.ts";
import { soundInputSchema } from "../gateway/sound_schema.ts";
import type { JsonObject } from "../model/json.ts";
import type { ToolInfo } from "../model/listing.ts";
import type { PlannedServer } from "../model/plan.ts";
import { modelText } from "../tools/model_text.ts";
import { nameAlone } from "../tools/public_name.ts";
import { estimatedTokens } from "../tools/token_estimate.ts";

/** The tools of a server, as far as they are known; `null` when they are not. */
export type ToolsOf = (planned: PlannedServer) => readonly ToolInfo[] | null;

/** What tools cost the context of a model that has them before it: tokens, estimated. */
export interface TokenCosts {
  /** Per server, by its name; `null` for one whose tools are not known. */
  readonly servers: ReadonlyMap<string, number | null>;
  /** All of them, listed. */
  readonly listed: number;
  /** The three tools that `mcp serve --lazy` lists in their place. */
  readonly lazy: number;
}

/** The costs of the tools of some servers, under the names that the gateway gives them. */
export function tokenCosts(servers: readonly PlannedServer[], toolsOf: ToolsOf): TokenCosts {
  const known = servers.map((planned) => ({ planned, tools: toolsOf(planned) }));
  const costs = new Map(
    known.map(({ planned: { name }, tools }) => [
      name,
      tools === null ? null : costOf(tools.flatMap((tool) => listedTool(name, tool))),
    ]),
  );
  const searchable = known.flatMap(({ planned, tools }) =>
    tools === null || tools.length === 0 ? [] : [{
      name: planned.name,
      purpose: serverPurpose(planned),
      tools: tools.map(({ name }) => name),
    }]
  );
  return {
    servers: costs,
    listed: [...costs.values()].reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
    lazy: costOf(lazyListing(searchable, null)),
  };
}

/** A tool as hosts get it; none for one that the gateway leaves out. */
function listedTool(server: string, tool: ToolInfo): readonly JsonObject[] {
  const inputSchema = soundInputSchema(tool.inputSchema).schema;
  if (inputSchema === null) return [];
  const name = nameAlone({ server, tool: tool.name }, "server");
  return [{ name, description: modelText(tool.description), inputSchema }];
}

/** Tokens of what hosts give their model of each tool: name, description and schema as JSON. */
function costOf(tools: readonly JsonObject[]): number {
  return tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + estimatedTokens(JSON.stringify({ name, description, inputSchema })),
    0,
  );
}
