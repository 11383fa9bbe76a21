import { dirname, join } from "node:path";
import { targetFile } from "../../edit/target.ts";
import type { Machine } from "../../model/machine.ts";
import { movedTo } from "../../sources/host_paths.ts";
import type { SourceContext } from "../../sources/source.ts";
import { entryIn, entryPart, gatewayConfig } from "../entry_part.ts";
import { ENTRY_NAME } from "../gateway_words.ts";
import type { HookPart, HookRequest, HostKind, OwnFinding } from "../host_kind.ts";
import { hostSettings, objectAt } from "../host_settings.ts";
import { jsonFile } from "../json_file.ts";

/** Gemini CLI: an extension of the user's, or an entry in the project's settings. */
export const geminiKind: HostKind = {
  id: "gemini",
  scopes: ["user", "project"],
  programs: ["gemini"],
  traces: (context) => [geminiFolder(context)],
  parts,
  next: "Start a new session of Gemini CLI; /mcp lists the server hotplug",
  check,
};

function parts(request: HookRequest): readonly HookPart[] {
  if (request.scope === "project") return [entryPart("gemini", "gemini-cli", request)];
  const { context, version } = request;
  const folder = join(geminiFolder(context), "extensions", ENTRY_NAME);
  const target = targetFile({ scope: "user", host: "gemini-cli" }, context);
  const entry = entryIn(target, gatewayConfig("gemini", request));
  const manifest = { name: ENTRY_NAME, version, mcpServers: { [ENTRY_NAME]: entry } };
  return [jsonFile(join(folder, "gemini-extension.json"), manifest, folder)];
}

/** Gemini CLI's folder of the user. */
function geminiFolder(context: SourceContext): string {
  return dirname(targetFile({ scope: "user", host: "gemini-cli" }, context).path);
}

/** In a folder that it does not trust it starts no servers at all. */
async function check(context: SourceContext): Promise<readonly OwnFinding[]> {
  const { machine, workspacePath } = context;
  const settingsPath = join(geminiFolder(context), "settings.json");
  const settings = await hostSettings(context, settingsPath);
  const found: OwnFinding[] = [];
  if (objectAt(settings, "admin", "extensions")["enabled"] === false) {
    found.push({
      check: "host-switch",
      severity: "error",
      path: settingsPath,
      message: "Extensions are switched off for all",
      remedy: 'Set "admin.extensions.enabled" to true',
    });
  }
  const isChecked = objectAt(settings, "security", "folderTrust")["enabled"] !== false;
  if (!isChecked || machine.env["GEMINI_CLI_TRUST_WORKSPACE"] === "true") return found;
  const path = trustFile(machine, geminiFolder(context));
  if (isTrusted(await hostSettings(context, path), workspacePath)) return found;
  found.push({
    check: "host-trust",
    severity: "warning",
    path,
    message: `Gemini CLI does not trust "${workspacePath}", and starts no servers there`,
    remedy: "Start Gemini CLI here and say that you trust the folder, or run: /permissions trust",
  });
  return found;
}

function trustFile(machine: Machine, folder: string): string {
  return movedTo(machine, "GEMINI_CLI_TRUSTED_FOLDERS_PATH") ?? join(folder, "trustedFolders.json");
}

/** Whether the rules of trust cover a folder; the rule of the nearest folder counts. */
function isTrusted(rules: Readonly<Record<string, unknown>>, folder: string): boolean {
  for (let at = folder;; at = dirname(at)) {
    const rule = Object.hasOwn(rules, at) ? rules[at] : undefined;
    if (rule === "DO_NOT_TRUST") return false;
    if (rule === "TRUST_FOLDER" || rule === "TRUST_PARENT") return true;
    // That a sibling's parent is trusted is written at the sibling.
    const siblings = Object.entries(rules).some(([path, one]) =>
      one === "TRUST_PARENT" && dirname(path) === at
    );
    if (siblings) return true;
    if (dirname(at) === at) return false;
  }
}
