import { dirname, join } from "node:path";
import { targetFile } from "../../edit/target.ts";
import { factsOf } from "../../platform/local_files.ts";
import { entryIn, entryPart, gatewayConfig } from "../entry_part.ts";
import { ENTRY_NAME } from "../gateway_words.ts";
import type { HookPart, HookRequest, HostKind } from "../host_kind.ts";
import { jsonFile } from "../json_file.ts";
import { plainHost } from "./plain.ts";

/**
 * Continue and its command line `cn`. An entry goes into the settings where they are; settings that
 * held nothing but an entry would leave it without a model, so that there a file of its own does.
 */
export const continueKind: HostKind = {
  ...plainHost({
    id: "continue",
    programs: ["cn"],
    next: "Start a new session of Continue",
    renew: 'Start a new session; "cn --resume" goes on with the last one and takes the new tools',
  }),
  parts,
};

function parts(request: HookRequest): readonly HookPart[] {
  const { context, scope } = request;
  if (scope === "project") return [entryPart("continue", "continue", request)];
  const target = targetFile({ scope, host: "continue" }, context);
  if (factsOf(target.path) !== null) return [entryPart("continue", "continue", request)];
  const entry = entryIn(target, gatewayConfig("continue", request));
  const file = join(dirname(target.path), "mcpServers", "hotplug.json");
  return [jsonFile(file, { mcpServers: { [ENTRY_NAME]: entry } }, null)];
}
