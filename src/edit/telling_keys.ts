import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { PastedEntry } from "./pasted_entries.ts";

/** Whether an entry has what only the agent's entries have. */
type Tells = (raw: JsonObject) => boolean;

function has(...keys: readonly string[]): Tells {
  return (raw) => keys.some((key) => Object.hasOwn(raw, key));
}

function isOneOf(key: string, ...words: readonly string[]): Tells {
  return (raw) => words.some((word) => raw[key] === word);
}

/** The longest limit that Cline takes, in seconds. */
const LONGEST_SECONDS = 3600;

/** Cline's keys are Kiro's and Amazon's, too; a limit of so few milliseconds is nobody's. */
function isClines(raw: JsonObject): boolean {
  const { autoApprove, timeout, transport, type } = raw;
  return type === "streamableHttp" || Object.hasOwn(raw, "transportType") ||
    isJsonObject(transport) ||
    (Array.isArray(autoApprove) && typeof timeout === "number" && timeout <= LONGEST_SECONDS);
}

function isOpencodes(raw: JsonObject): boolean {
  return Array.isArray(raw["command"]) || Object.hasOwn(raw, "environment") ||
    isOneOf("type", "local", "remote")(raw);
}

/** By what each agent's entries can be told; of several that fit the earlier one is preferred. */
const TELLING: readonly (readonly [string, Tells])[] = [
  ["roo-code", has("alwaysAllow", "watchPaths")],
  ["cline", isClines],
  ["windsurf", has("serverUrl")],
  ["antigravity", has("serverUrl", "authProviderType")],
  ["warp", has("working_directory", "serverUrl")],
  ["gemini-cli", has("httpUrl", "includeTools", "trust")],
  ["qwen-code", has("httpUrl", "includeTools", "trust", "discoveryTimeoutMs")],
  ["kimi", has("bearerTokenEnvVar", "startupTimeoutMs", "toolTimeoutMs")],
  [
    "copilot-cli",
    (raw) =>
      Array.isArray(raw["tools"]) || (raw["type"] === "local" && !Array.isArray(raw["command"])),
  ],
  ["gemini-cli", has("excludeTools")],
  [
    "mcporter",
    has("baseUrl", "base_url", "bearerTokenEnv", "bearer_token_env", "bearerToken", "executable"),
  ],
  ["deepagents", has("allowedTools")],
  ["claude-code", has("headersHelper", "alwaysLoad")],
  [
    "codex",
    has("bearer_token_env_var", "env_http_headers", "http_headers", "env_vars", "tool_timeout_sec"),
  ],
  ["goose", has("cmd", "uri", "envs", "env_keys")],
  ["opencode", isOpencodes],
  ["zed", (raw) => isJsonObject(raw["command"])],
  ["vscode", has("dev", "gallery", "sandboxEnabled")],
  ["continue", has("requestOptions", "apiKey", "connectionTimeout", "faviconUrl")],
  ["rovo-dev", isOneOf("transport", "stdio", "http", "sse")],
];

/** The agents whose entries an entry may be one of, and whether it surely is one of theirs. */
export interface Speakers {
  /** Ids of their sources, the likelier first; none: nothing tells. */
  readonly ids: readonly string[];
  /** Whether the key around it says so: then it is never read in other words. */
  readonly isSure: boolean;
}

/** Tells by the keys of an entry, and by the one around it, in whose words it is. Pure. */
export function speakersOf(raw: JsonObject, entry: PastedEntry): Speakers {
  switch (entry.family) {
    case "any": {
      const ids = TELLING.filter(([, tells]) => tells(raw)).map(([id]) => id);
      return { ids: [...new Set(ids)], isSure: false };
    }
    case "mcp":
      return { ids: underMcp(raw, entry.schema), isSure: false };
    case "vscode":
      return { ids: ["vscode"], isSure: false };
    case "codex":
      return { ids: underMcpServers(raw, entry), isSure: entry.format !== "jsonc" };
    default:
      return { ids: [entry.family], isSure: true };
  }
}

function underMcp(raw: JsonObject, schema: string): readonly string[] {
  if (/charm\.(?:land|sh)|crush/i.test(schema)) return ["crush"];
  if (isOpencodes(raw) || /opencode/i.test(schema)) return ["opencode"];
  const isCrushs = isOneOf("type", "stdio", "http", "sse")(raw) ||
    has("enabled_tools", "disabled_tools")(raw);
  return isCrushs ? ["crush"] : [];
}

/** Codex has it in TOML, as Grok and Mistral Vibe; Hermes in YAML; Muse in JSON. */
function underMcpServers(
  raw: JsonObject,
  { format, isItem }: PastedEntry,
): readonly string[] {
  if (isItem) return ["mistral-vibe"];
  if (format === "toml") return ["codex", "grok"];
  if (format === "yaml") return ["hermes", "codex"];
  const told = TELLING.filter(([id, tells]) => id === "codex" && tells(raw)).map(([id]) => id);
  return told.length > 0 || !has("transport")(raw) ? told : ["muse"];
}
