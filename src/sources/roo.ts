import type { ErrorInfo } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { extensionFiles } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** The files of Roo Code and of Zoo Code, which goes on from it. */
const FORMAT: HostFormat = {
  id: "roo-code",
  label: "Roo Code / Zoo Code",
  rank: 30,
  dialect: "env-colon",
  environment: "base",
  key: ["mcpServers"],
  timeoutUnit: "s",
  rename: { timeout: "callTimeout", alwaysAllow: "autoApprove" },
  ignore: ["watchPaths"],
  translate,
  spelling: {
    types: { stdio: null, streamable_http: "streamable-http", sse: "sse" },
    keys: ["cwd", "callTimeout", "disabledTools", "autoApprove"],
    off: { kind: "key", key: "disabled", off: true },
  },
};

/** The folders in which editors keep the files of the two extensions. */
const EXTENSIONS: readonly string[] = [
  "rooveterinaryinc.roo-cline",
  "zoocodeorganization.zoo-code",
];

/** Roo Code and Zoo Code: `.roo/mcp.json` of the project, and the settings in each editor. */
export const rooCode: HostSource = hostSource({
  format: FORMAT,
  files: (machine) =>
    EXTENSIONS.flatMap((name) => extensionFiles(machine, name, ["settings", "mcp_settings.json"])),
  projectFiles: [".roo/mcp.json"],
});

/** Checks what Roo Code refuses or ignores, so that both run the same servers the same way. */
function translate(raw: JsonObject): TranslatedEntry {
  const { timeout, ...rest } = raw;
  const problems: ErrorInfo[] = [];
  if (raw["url"] !== undefined && raw["type"] === undefined && raw["command"] === undefined) {
    problems.push({
      code: "config-invalid",
      message: `Cannot tell the transport: "url" is given without "type"`,
      hint: `Add "type": "streamable-http", or "type": "sse" for an older server`,
    });
  }
  if (timeout === undefined || isLimit(timeout)) return { raw, problems };
  const warnings = [`"timeout" is ignored: it must be a number of seconds from 1 to 3600`];
  return { raw: rest, problems, warnings };
}

function isLimit(timeout: unknown): boolean {
  return typeof timeout === "number" && timeout >= 1 && timeout <= 3600;
}
