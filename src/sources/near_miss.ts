import type { Machine } from "../model/machine.ts";
import type { Scope, SourceReport } from "../model/source.ts";
import { textFormatOf } from "./config_document.ts";
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
  /** The host's own key of servers, which other files may have for other things. */
  readonly key?: string;
}

/** Keys that only a file of servers has. */
const SERVERS_KEYS = "mcpServers|mcp_servers|context_servers|servers";

/** Whether a text of a file of this name has a key of servers. */
function hasServers(text: string, path: string, key: string | undefined): boolean {
  const keys = key === undefined ? SERVERS_KEYS : `${SERVERS_KEYS}|${key}`;
  switch (textFormatOf(path)) {
    case "toml":
      // A table, a list of tables, or a key with its value in one line.
      return new RegExp(`^\\s*(?:\\[{1,2}\\s*)?["']?(?:${keys})["']?\\s*[.\\]=]`, "m").test(text);
    case "yaml":
      return new RegExp(`^["']?(?:${keys})["']?\\s*:`, "m").test(text);
    default:
      return new RegExp(`"(?:${keys})"\\s*:`).test(text);
  }
}

/** Reports those of the paths that are there and hold servers. The others are not worth a row. */
export async function nearMisses(
  context: SourceContext,
  format: Pick<HostFormat, "id" | "label">,
  misses: readonly NearMiss[],
): Promise<readonly SourceReport[]> {
  const there = misses.filter(({ path }) => context.isAbsent?.(path) !== true);
  if (there.length === 0) return [];
  const found = await Promise.all(there.map(async ({ path, scope, belongs, key }) => {
    const file = await context.readFile(path);
    if (file.state !== "loaded" || !hasServers(file.text, path, key)) return [];
    const warning = `Servers in "${path}" are not read; they belong in "${belongs}"`;
    return [reporter(format, path, scope)({ state: "near-miss", warnings: [warning] })];
  }));
  return found.flat();
}

/** A variable that may hold a whole config of a host's, which is not read. */
export interface InlineConfig {
  /** Name of the variable. */
  readonly variable: string;
  /** The host's key of servers. */
  readonly key: string;
  /** Where the servers belong, as the hint shows it. */
  readonly belongs: string;
}

/** Reports a variable that holds servers, under its name; one that is not set is not worth a row. */
export function inlineMiss(
  { env }: Machine,
  format: Pick<HostFormat, "id" | "label">,
  { variable, key, belongs }: InlineConfig,
): readonly SourceReport[] {
  if (!hasServers(env[variable] ?? "", variable, key)) return [];
  const warning = `Servers in the variable "${variable}" are not read; they belong in "${belongs}"`;
  return [reporter(format, variable, "user")({ state: "near-miss", warnings: [warning] })];
}
