import type { RuntimeParts } from "./runtime_parts.ts";
import { offerTools } from "./runtime_parts.ts";
import type { ServerLives } from "./server_lives.ts";
import { isSameText, type WantedServer } from "./reconcile.ts";

/**
 * Gives a server that goes on its new definition: which of its tools are offered, which need no
 * question, how they are labelled. Its process stays.
 */
export function exchangeServer(
  { name, config, source }: WantedServer,
  parts: RuntimeParts & { readonly lives: ServerLives },
): void {
  const { registries: { rows, sources }, tools, onToolsChanged } = parts;
  const row = rows.get(name);
  if (row === undefined) return;
  parts.lives.exchange({ name, config, source });
  rows.update(name, { config, source });
  if (source !== undefined && sources.has(name)) sources.set(name, source);
  const listed = row.lists.tools?.items ?? row.cached?.tools ?? null;
  if (listed === null || tools.toolsOf(name) === undefined) return;
  const kind = row.lists.tools === null ? "deferred" : "live";
  const before = tools.toolsOf(name);
  offerTools(parts, { name, config, source }, listed, kind, (offered) => {
    rows.update(name, { offered });
  });
  // Whoever holds the tools holds their approvals and labels too.
  const isSame = isSameText(row.config.autoApprove, config.autoApprove) &&
    row.source?.label === source?.label;
  if (!isSame && isSameText(names(before), names(tools.toolsOf(name)))) onToolsChanged();
}

function names(tools: readonly { readonly name: string }[] | undefined): readonly string[] {
  return (tools ?? []).map(({ name }) => name);
}
