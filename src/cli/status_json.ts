import type { HotplugError } from "../model/errors.ts";
import type { Plan } from "../model/plan.ts";
import type { ServerView } from "../model/server_view.ts";
import { SCHEMA_VERSION, type StatusDocument } from "./documents.ts";
import { errorField } from "./json_output.ts";
import type { ShownSession } from "./shown_session.ts";
import { statusSummary } from "./status_summary.ts";
import type { TokenCosts } from "./token_costs.ts";

/** The document of `mcp status --json`; with an error, the rows are what was reached by then. */
export function statusDocument(
  plan: Plan,
  views: readonly ServerView[],
  error: HotplugError | null,
  sessions: readonly ShownSession[] = [],
  costs: TokenCosts | null = null,
): StatusDocument {
  const summary = statusSummary(views);
  return {
    schemaVersion: SCHEMA_VERSION,
    workspacePath: plan.workspacePath,
    store: plan.store,
    workspaceConfig: plan.workspaceConfig,
    servers: costs === null
      ? views
      : views.map((view) => ({ ...view, tokens: costs.servers.get(view.name) ?? null })),
    sources: plan.sources,
    summary: costs === null
      ? summary
      : { ...summary, tokens: costs.listed, lazyTokens: costs.lazy },
    sessions,
    ...(error === null ? {} : { error: errorField(error) }),
  };
}
