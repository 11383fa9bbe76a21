import type { Scope } from "../model/source.ts";
import { readConfigDocument } from "./config_document.ts";
import type { HostFormat, NameSwitch } from "./host_format.ts";
import { listedSwitches, switched } from "./name_switches.ts";
import { sideReport } from "./reporter.ts";
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

/** A reading after lists of names that stand in files of their own, for all of the host's servers. */
export async function withListFiles(
  reading: SourceReading,
  context: SourceContext,
  format: Pick<HostFormat, "id" | "label">,
  files: readonly ListFile[],
): Promise<SourceReading> {
  const read = await Promise.all(files.map(async ({ path, scope, switches }) => {
    const document = await readConfigDocument(context, { path, project: scope === "project" });
    const { lists, warnings } = listedSwitches(document, scope, switches);
    return { lists, report: sideReport(format, document, scope, { warnings }) };
  }));
  const after = switched(reading, read.flatMap(({ lists }) => lists));
  return { ...after, reports: [...after.reports, ...read.map(({ report }) => report)] };
}
