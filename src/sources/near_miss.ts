import type { Scope, SourceReport } from "../model/source.ts";
import type { HostFormat } from "./host_format.ts";
import { reporter } from "./reporter.ts";
import type { SourceContext } from "./source.ts";

/** A path where people put servers and nobody reads them. */
export interface NearMiss {
  /** Absolute path. */
  readonly path: string;
  /** Whose servers they were meant to be. */
  readonly scope: Scope;
  /** Where they belong, as the hint shows it. */
  readonly belongs: string;
}

/** A key that only a file of servers has. */
const SERVERS_KEY = /"(?:mcpServers|mcp_servers|context_servers|servers)"\s*:/;

/** Reports those of the paths that are there and hold servers. The others are not worth a row. */
export async function nearMisses(
  context: SourceContext,
  format: Pick<HostFormat, "id" | "label">,
  misses: readonly NearMiss[],
): Promise<readonly SourceReport[]> {
  const there = misses.filter(({ path }) => context.isAbsent?.(path) !== true);
  if (there.length === 0) return [];
  const found = await Promise.all(there.map(async ({ path, scope, belongs }) => {
    const file = await context.readFile(path);
    if (file.state !== "loaded" || !SERVERS_KEY.test(file.text)) return [];
    const warning = `Servers in "${path}" are not read; they belong in "${belongs}"`;
    return [reporter(format, path, scope)({ state: "near-miss", warnings: [warning] })];
  }));
  return found.flat();
}
