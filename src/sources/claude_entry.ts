import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { projectKey } from "./claude_folders.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";

/** How Claude Code writes a server, in whichever file. */
export const CLAUDE_FORMAT: HostFormat = {
  id: "claude-code",
  label: "Claude Code",
  rank: 80,
  dialect: "braces",
  environment: "all",
  key: ["mcpServers"],
  // Its files hold much besides servers.
  shared: true,
  rename: { timeout: "callTimeout" },
  ignore: ["alwaysLoad", "displayName", "role", "tools"],
  translate,
  spelling: {
    types: { stdio: "stdio", streamable_http: "http", sse: "sse" },
    keys: ["callTimeout", "oauth"],
    off: {
      kind: "list",
      path: (context) => ["projects", projectKey(context), "disabledMcpServers"],
    },
  },
};

/** Names that Claude Code keeps for itself: an entry of such a name is not loaded there. */
const RESERVED: ReadonlySet<string> = new Set([
  "Claude Browser",
  "Claude Preview",
  "Claude in Chrome",
  "ccr-email",
  "claude-code-remote",
  "claude-device",
  "claude-in-chrome",
  "claude_ai",
  "computer-use",
  "hearthbot",
  "remote-devices",
  "webagent",
  "workspace",
]);

/** Types of Claude Code's that nobody else can serve, each with why and what to do. */
const FOREIGN_TYPES: ReadonlyMap<string, readonly [why: string, hint: string]> = new Map([
  ["ws", [
    "WebSocket servers are not supported",
    `If the server can be reached over HTTP too, write "type": "http" and that address`,
  ]],
  ["ws-ide", ["only Claude Code can reach an editor this way", "Leave it to Claude Code"]],
  ["sse-ide", ["only Claude Code can reach an editor this way", "Leave it to Claude Code"]],
  ["sdk", [
    "such a server lives inside of the program that embeds Claude Code",
    "Leave it to that program",
  ]],
  ["claudeai-proxy", [
    "this is a connector of a Claude account",
    `Add the service itself, with "type": "http" and its address`,
  ]],
]);

/** Checks what Claude Code refuses or ignores, so that both run the same servers the same way. */
function translate(raw: JsonObject, name: string): TranslatedEntry {
  const { timeout, headersHelper, type, url, ...rest } = raw;
  const warnings = [...nameWarnings(name), ...spaceWarnings(raw)];
  const problems: ErrorInfo[] = [];
  const foreign = typeof type === "string" ? FOREIGN_TYPES.get(type) : undefined;
  if (foreign !== undefined) {
    const [why, hint] = foreign;
    problems.push(invalid(`Cannot use "type": ${JSON.stringify(type)}: ${why}`, hint));
  } else if (url !== undefined && type === undefined && raw["command"] === undefined) {
    problems.push(invalid(
      `Cannot tell the transport: "url" is given without "type"`,
      `Add "type": "http", or "type": "sse" for an older server`,
    ));
  }
  if (headersHelper !== undefined) {
    warnings.push(`"headersHelper" is not run; put the headers into "headers"`);
  }
  // A limit for one call; Claude Code has none in the file for the start.
  const limited = typeof timeout === "number" && timeout >= 1000;
  if (timeout !== undefined && !limited) {
    warnings.push(`"timeout" is ignored: it must be a number of milliseconds from 1000`);
  }
  const reached = foreign === undefined ? { type, url } : {};
  return { raw: { ...rest, ...reached, ...(limited ? { timeout } : {}) }, problems, warnings };
}

function nameWarnings(name: string): readonly string[] {
  if (!RESERVED.has(name)) return [];
  return [`Claude Code keeps the name "${name}" for itself and does not load this server`];
}

/** Names the values and keys with white space around them; they are used as they are written. */
function spaceWarnings(raw: JsonObject): readonly string[] {
  const warnings: string[] = [];
  const check = (field: string, value: unknown): void => {
    if (typeof value === "string" && value !== value.trim()) {
      warnings.push(`"${field}" starts or ends with white space`);
    }
  };
  check("command", raw["command"]);
  check("url", raw["url"]);
  const args = raw["args"];
  if (Array.isArray(args)) args.forEach((arg, index) => check(`args[${index}]`, arg));
  for (const map of ["env", "headers"]) {
    const values = raw[map];
    if (!isJsonObject(values)) continue;
    for (const [key, value] of Object.entries(values)) {
      if (key !== key.trim()) {
        warnings.push(`The name "${key.trim()}" in "${map}" starts or ends with white space`);
      }
      check(`${map}.${key.trim()}`, value);
    }
  }
  return warnings;
}

function invalid(message: string, hint: string): ErrorInfo {
  return { code: "config-invalid", message, hint };
}
