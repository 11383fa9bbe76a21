import { join } from "node:path";
import { targetFile } from "../../edit/target.ts";
import { factsOf } from "../../platform/local_files.ts";
import { inHome, movedTo } from "../../sources/host_paths.ts";
import type { SourceContext } from "../../sources/source.ts";
import type { HookScope, HostKind, OwnFinding } from "../host_kind.ts";
import { hostSettings, objectAt, textsAt } from "../host_settings.ts";
import { plainHost } from "./plain.ts";

/** Copilot's command line. */
export const copilotKind: HostKind = plainHost({
  id: "copilot",
  source: "copilot-cli",
  programs: ["copilot"],
  next: "Start a new session of Copilot CLI",
  check: checkCopilot,
});

/** Qwen Code, whose models else find tools by a search alone. */
export const qwenKind: HostKind = plainHost({
  id: "qwen",
  source: "qwen-code",
  programs: ["qwen"],
  words: { extra: { alwaysLoadTools: true } },
  next: "Start a new session of Qwen Code",
  renew: "Start a new session: a running one keeps the tools of its start",
  check: checkQwen,
});

/** Cline: the file of its command line, else that of the extension. */
export const clineKind: HostKind = plainHost({
  id: "cline",
  scopes: ["user"],
  programs: ["cline"],
  next: "Start a new session of Cline",
  renew: "Start a new session: a running one keeps the tools of its start",
});

async function checkCopilot(
  context: SourceContext,
  scope: HookScope,
): Promise<readonly OwnFinding[]> {
  if (scope === "user") return [];
  const { machine, workspacePath } = context;
  const found: OwnFinding[] = [];
  if (factsOf(join(workspacePath, ".mcp.json")) !== null) {
    found.push({
      check: "host-file",
      severity: "error",
      path: join(workspacePath, ".mcp.json"),
      message: 'Copilot CLI does not read ".github/mcp.json" where a ".mcp.json" stands',
      remedy: "Run: mcp hooks install copilot",
    });
  }
  const folder = movedTo(machine, "COPILOT_HOME") ?? inHome(machine, ".copilot");
  const path = join(folder, "config.json");
  const config = await hostSettings(context, path);
  const trusted = [...textsAt(config, "trustedFolders"), ...textsAt(config, "trusted_folders")];
  const isTrusted = machine.env["COPILOT_ALLOW_ALL"] === "true" ||
    [workspacePath, machine.cwd].some((folder) => trusted.includes(folder));
  if (!isTrusted) {
    found.push({
      check: "host-trust",
      severity: "warning",
      path,
      message: "Copilot CLI reads the file of a project only in a folder that it trusts",
      remedy: "Start Copilot CLI here and say that you trust the folder",
    });
  }
  return found;
}

async function checkQwen(
  context: SourceContext,
  scope: HookScope,
): Promise<readonly OwnFinding[]> {
  const { path, key } = targetFile({ scope, host: "qwen-code" }, context);
  const settings = await hostSettings(context, path);
  const user = targetFile({ scope: "user", host: "qwen-code" }, context).path;
  const found: OwnFinding[] = [];
  const search = objectAt(await hostSettings(context, user), "tools", "toolSearch");
  const entry = objectAt(settings, ...key, "hotplug");
  if (entry["alwaysLoadTools"] !== true && search["enabled"] !== false) {
    found.push({
      check: "host-search",
      severity: "warning",
      path,
      message: "Qwen Code shows its model no tools but those that a search finds",
      remedy: 'Set "alwaysLoadTools" of the entry to true, or run: mcp hooks install qwen',
    });
  }
  if (scope === "project") {
    found.push({
      check: "host-trust",
      severity: "info",
      path,
      message: "Qwen Code asks before it starts a project's server, and again after each change",
      remedy: "Run: qwen mcp approve hotplug",
    });
  }
  return found;
}
