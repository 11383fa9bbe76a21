import type { Scope } from "../model/source.ts";
import { readConfigDocument } from "./config_document.ts";
import type { HostFormat, NameSwitch } from "./host_format.ts";
import { listedSwitches, switched } from "./name_switches.ts";
import { reporter, unusableReport } from "./reporter.ts";
import type { SourceContext, SourceReading } from "./source.ts";

/** A file beside those of a host's servers that says which of them are off. */
export interface ListFile {
  /** Absolute path. */
  readonly path: string;
  /** Whose file it is. */
  readonly scope: Scope;
  /** Its lists of names. */
  readonly switches: readonly NameSwitch[];
}

/**
 * A reading after lists of names that stand in files of their own, for all of the host's servers.
 * Such a file holds mostly other things, so only one that cannot be used is reported.
 */
export async function withListFiles(
  reading: SourceReading,
  context: SourceContext,
  format: Pick<HostFormat, "id" | "label">,
  files: readonly ListFile[],
): Promise<SourceReading> {
  const read = await Promise.all(files.map(async ({ path, scope, switches }) => {
    const document = await readConfigDocument(context, { path, project: scope === "project" });
    const { lists, warnings } = listedSwitches(document, switches);
    const odd = warnings.length === 0
      ? []
      : [reporter(format, path, scope)({ state: "loaded", warnings })];
    return { lists, reports: [...unusableReport(format, document, scope), ...odd] };
  }));
  const after = switched(reading, read.flatMap(({ lists }) => lists));
  return { ...after, reports: [...after.reports, ...read.flatMap(({ reports }) => reports)] };
}
