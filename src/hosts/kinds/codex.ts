import { targetFile } from "../../edit/target.ts";
import type { SourceContext } from "../../sources/source.ts";
import type { HookScope, HostKind, HostSetting, OwnFinding } from "../host_kind.ts";
import { hostSettings, objectAt } from "../host_settings.ts";
import { plainHost } from "./plain.ts";

/** The switch without which Codex never asks for tools again. */
const FLAG = "mcp_tool_list_changed";

const SETTINGS: readonly HostSetting[] = [
  { path: ["features", FLAG], value: true, overrides: true },
  // Else each start warns of the switch above.
  { path: ["suppress_unstable_features_warning"], value: true },
];

/** Codex: one entry, and the switch by which it heeds the notice of other tools. */
export const codexKind: HostKind = plainHost({
  id: "codex",
  programs: ["codex"],
  words: { settings: SETTINGS },
  next: "Start a new session of Codex",
  check,
});

async function check(context: SourceContext, scope: HookScope): Promise<readonly OwnFinding[]> {
  const user = targetFile({ scope: "user", host: "codex" }, context).path;
  const path = targetFile({ scope, host: "codex" }, context).path;
  const found: OwnFinding[] = [];
  const settings = await hostSettings(context, user);
  const own = path === user ? settings : await hostSettings(context, path);
  const flag = objectAt(own, "features")[FLAG] ?? objectAt(settings, "features")[FLAG];
  if (flag !== true) {
    found.push({
      check: "codex-flag",
      severity: "warning",
      path,
      message: `Codex keeps the tools of its start: "features.${FLAG}" is not on`,
      remedy: "Run: mcp hooks install codex",
    });
  }
  const project = objectAt(settings, "projects", context.workspacePath);
  if (scope === "project" && project["trust_level"] !== "trusted") {
    found.push({
      check: "host-trust",
      severity: "error",
      path: user,
      message: "Codex reads the file of a project only once it trusts the project",
      remedy: "Start Codex here and say that you trust the project",
    });
  }
  return found;
}
