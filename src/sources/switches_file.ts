import type { WorkspaceSwitches } from "../model/source.ts";
import { readConfigDocument } from "./config_document.ts";
import type { HostFormat } from "./host_format.ts";
import { nameList } from "./name_list.ts";
import { reporter } from "./reporter.ts";
import type { SourceContext, SourceReading } from "./source.ts";

/** A workspace's file of switches. */
export interface SwitchesFile {
  /** Absolute path. */
  readonly path: string;
  /** Ids of the stores that it enables servers of. */
  readonly governs: readonly string[];
  /** Key of the names that are switched on. */
  readonly enabledKey: string;
  /** Key of the names that are switched off, if the format has one. */
  readonly disabledKey?: string;
}

/**
 * Reads a file that enables a store's servers in one workspace. It may hold other settings, so
 * missing keys say nothing. A file that cannot be used switches nothing, and its report says why.
 */
export async function readSwitches(
  context: SourceContext,
  format: HostFormat,
  file: SwitchesFile,
): Promise<SourceReading> {
  const { path, governs } = file;
  const document = await readConfigDocument(context, { path, project: true });
  const report = reporter(format, path, "project");
  const switches = (
    enabled: readonly string[],
    disabled: readonly string[],
  ): readonly WorkspaceSwitches[] => [{ sourceId: format.id, path, governs, enabled, disabled }];
  if (document.state !== "loaded") {
    const { state, error, warnings } = document;
    return {
      definitions: [],
      reports: [report({ state, error, warnings })],
      switches: switches([], []),
    };
  }
  const { root } = document;
  const listOf = (key: string | undefined): ReturnType<typeof nameList> =>
    key === undefined || !Object.hasOwn(root, key) ? nameList("", undefined) : nameList(
      key,
      root[key],
    );
  const enabled = listOf(file.enabledKey);
  const disabled = listOf(file.disabledKey);
  const warnings = [...document.warnings, ...enabled.warnings, ...disabled.warnings];
  return {
    definitions: [],
    reports: [report({ state: "loaded", warnings })],
    switches: switches(enabled.names, disabled.names),
  };
}
