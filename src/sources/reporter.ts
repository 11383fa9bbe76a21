import type { ErrorInfo } from "../model/errors.ts";
import type { Scope, SourceReport, SourceState } from "../model/source.ts";
import { factsOf, namesIn } from "../platform/local_files.ts";
import type { ConfigDocument } from "./config_document.ts";
import type { HostFormat } from "./host_format.ts";
import type { SourceContext } from "./source.ts";

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
 * The report about a file beside those of servers: it holds none, but may switch some off.
 *
 * @param odd What is odd about what was read in it, and what counts as long as it cannot be used;
 * the default is that what it switches off is on.
 */
export function sideReport(
  format: Pick<HostFormat, "id" | "label" | "confirmed">,
  document: ConfigDocument,
  scope: Scope,
  odd: { readonly warnings?: readonly string[]; readonly until?: string } = {},
): SourceReport {
  const { path, state } = document;
  const { warnings = [], until = "what it switches off is on" } = odd;
  const error = document.state === "loaded" ? null : document.error;
  const hint = state === "malformed"
    ? `Correct the file; until then ${until}`
    : error?.hint ?? null;
  return reporter(format, path, scope)({
    state,
    error: error === null ? null : { ...error, hint },
    warnings: [...document.warnings, ...warnings],
  });
}

/** The report about a folder whose files are read each for itself. */
export function folderReport(
  { isAbsent }: Pick<SourceContext, "isAbsent">,
  format: Pick<HostFormat, "id" | "label" | "confirmed">,
  path: string,
  scope: Scope,
): SourceReport {
  const report = reporter(format, path, scope);
  if (isAbsent?.(path) === true || factsOf(path)?.isDirectory() !== true) {
    return report({ state: "absent" });
  }
  return report({ state: namesIn(path).length === 0 ? "empty" : "loaded" });
}
