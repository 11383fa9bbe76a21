import type { ErrorInfo } from "../model/errors.ts";
import type { Scope, SourceReport, SourceState } from "../model/source.ts";
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
