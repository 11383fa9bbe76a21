import type { ErrorInfo } from "../model/errors.ts";
import type { Scope, SourceReport, SourceState } from "../model/source.ts";
import type { ConfigDocument } from "./config_document.ts";
import type { HostFormat } from "./host_format.ts";

/** Makes reports about one path. */
export function reporter(
  format: Pick<HostFormat, "id" | "label" | "confirmed">,
  path: string,
  scope: Scope,
): (found: {
  readonly state: SourceState;
  readonly servers?: number;
  readonly error?: ErrorInfo | null;
  readonly warnings?: readonly string[];
}) => SourceReport {
  const { id, label, confirmed = true } = format;
  return ({ state, servers = 0, error = null, warnings = [] }) => ({
    id,
    label,
    scope,
    path,
    state,
    servers,
    error,
    warnings,
    ...(confirmed ? {} : { confirmed }),
  });
}

/**
 * A report about a file beside those of servers, only when it cannot be used: most users have no
 * such file, and what it says is seen in the servers.
 */
export function unusableReport(
  format: Pick<HostFormat, "id" | "label" | "confirmed">,
  document: ConfigDocument,
  scope: Scope,
): readonly SourceReport[] {
  if (document.state !== "unreadable" && document.state !== "malformed") return [];
  const { path, state, error, warnings } = document;
  return [reporter(format, path, scope)({ state, error, warnings })];
}
