import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inConfig, inHome, inLocal } from "./host_paths.ts";
import { type HostFile, hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { VSCODE_FORMAT } from "./vscode_entry.ts";

/**
 * Copilot in Visual Studio, JetBrains' editors and Xcode, which took over the shape of VS Code's
 * entries. Which placeholders they know is written nowhere but for `${input:id}`; the others are
 * taken to be VS Code's, too.
 */
const FORMAT: HostFormat = {
  ...VSCODE_FORMAT,
  id: "copilot-editors",
  label: "Copilot in editors",
  rank: 30,
  environment: "base",
  translate,
  spelling: {
    types: { stdio: "stdio", streamable_http: "http", sse: "sse" },
    keys: ["cwd", "envFile", "oauth"],
  },
};

/** The two that take headers only in what they hand to a request. */
const WITH_REQUEST: Partial<HostFormat> = {
  spelling: {
    types: { stdio: null, streamable_http: null },
    finish: ({ headers, ...raw }) => ({
      raw: headers === undefined ? raw : { ...raw, requestInit: { headers } },
    }),
  },
};

/** Copilot in editors: one file of the user's for each, and Visual Studio's of the project. */
export const copilotEditors: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => userFiles(machine),
  projectFiles: [join(".vs", "mcp.json")],
});

function userFiles(machine: Machine): readonly HostFile[] {
  const { platform } = machine;
  const editor = (label: string, path: string, confirmed: boolean): HostFile => (
    { path, format: { ...WITH_REQUEST, label, confirmed } }
  );
  // Its documentation names the editor's command that opens the file, and not where it lies.
  const jetBrains = (path: string): HostFile => editor("Copilot in JetBrains", path, false);
  if (platform === "win32") {
    // Other hosts have servers of their own in a file of this name.
    const format = { label: "Copilot in Visual Studio", shared: "foreign" } as const;
    return [
      { path: inHome(machine, ".mcp.json"), format },
      jetBrains(inLocal(machine, "github-copilot", "intellij", "mcp.json")),
    ];
  }
  const xcode = inHome(machine, ".config", "github-copilot", "xcode", "mcp.json");
  return [
    jetBrains(inConfig(machine, "github-copilot", "intellij", "mcp.json")),
    ...(platform === "darwin" ? [editor("Copilot in Xcode", xcode, true)] : []),
  ];
}

/** Takes the headers out of `requestInit`, the options of a request in a browser. */
function translate(raw: JsonObject, name: string): TranslatedEntry {
  const { requestInit, ...entry } = raw;
  const headers = isJsonObject(requestInit) ? requestInit["headers"] : undefined;
  const whole = entry["headers"] === undefined && headers !== undefined
    ? { ...entry, headers }
    : entry;
  return VSCODE_FORMAT.translate?.(whole, name) ?? { raw: whole };
}
