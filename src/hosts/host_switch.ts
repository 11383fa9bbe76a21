import { hostNamed } from "../edit/target.ts";
import type { Definition } from "../model/definition.ts";
import type { HostProfile } from "../model/host_profile.ts";
import type { SourceContext } from "../sources/source.ts";
import { servedByConfig } from "../definitions/served_host.ts";
import { ENTRY_NAME } from "./gateway_words.ts";
import type { OwnFinding } from "./host_kind.ts";

/**
 * What switches our entry off in the host's own files, as the host itself reads them: by a key of
 * the entry, a list of names, or a file of its own. Nothing for a host whose entry is read nowhere.
 */
export async function hostSwitches(
  { id, label, loads: [source] }: HostProfile,
  context: SourceContext,
): Promise<readonly OwnFinding[]> {
  if (source === undefined) return [];
  const { definitions } = await hostNamed(source).read(context);
  const own = definitions.find((definition) => isOurs(definition, id));
  if (own === undefined) return [];
  const [problem] = own.problems;
  const path = own.source.path;
  if (problem !== undefined) {
    return [{
      check: "host-entry",
      severity: "error",
      path,
      message: `${label} cannot use the entry: ${problem.message}`,
      remedy: `Run: mcp hooks install ${id} --force`,
    }];
  }
  if (own.config.enabled !== false) return [];
  const [off] = own.switchedOffBy ?? [];
  return [{
    check: "host-switch",
    severity: "error",
    path: off?.path ?? path,
    message: off === undefined || off.list === null
      ? `The entry is switched off for ${label}`
      : `The entry is switched off for ${label} by "${off.list}"`,
    remedy: off?.remedy ?? `Switch "${ENTRY_NAME}" on in that file`,
  }];
}

function isOurs({ name, config }: Definition, kind: string): boolean {
  return name === ENTRY_NAME && servedByConfig(config)?.kind === kind;
}
