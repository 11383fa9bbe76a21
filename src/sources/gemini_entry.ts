import type { ServerConfig } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { JsonObject, JsonValue } from "../model/json.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";

/** What the settings of Gemini CLI and of the hosts made from it have in common. */
export const GEMINI_SETTINGS: Pick<
  HostFormat,
  "dialect" | "key" | "shared" | "rename" | "ignore"
> = {
  dialect: "dollar",
  key: ["mcpServers"],
  shared: true,
  rename: { includeTools: "enabledTools", excludeTools: "disabledTools" },
  ignore: [
    "authProviderType",
    "extension",
    "extensionName",
    "targetAudience",
    "targetServiceAccount",
    "trust",
  ],
};

/** What these hosts have a word for in an entry. */
export const GEMINI_KEYS: readonly (keyof ServerConfig)[] = [
  "cwd",
  "startupTimeout",
  "callTimeout",
  "enabledTools",
  "disabledTools",
  "oauth",
  "description",
];

/** Ways to log in for which the host has the user's account. */
const ACCOUNT_LOGINS: readonly (JsonValue | undefined)[] = [
  "google_credentials",
  "service_account_impersonation",
];

/**
 * An entry with one `url`, whichever of the two keys holds it; `httpUrl` wins and means Streamable
 * HTTP.
 */
export function geminiEntry(raw: JsonObject, label: string): TranslatedEntry {
  const { httpUrl, ...rest } = raw;
  const url = httpUrl ?? raw["url"];
  const type = httpUrl === undefined || httpUrl === null ? raw["type"] : "http";
  const included = raw["includeTools"];
  return {
    raw: {
      ...rest,
      ...(url === undefined ? {} : { url }),
      ...(type === undefined ? {} : { type }),
      ...(Array.isArray(included) ? { includeTools: included.map(bareTool) } : {}),
    },
    problems: accountProblems(raw, label),
  };
}

/** Why a server cannot be logged in to from elsewhere: the host does it with the user's account. */
export function accountProblems(raw: JsonObject, label: string): readonly ErrorInfo[] {
  if (!ACCOUNT_LOGINS.includes(raw["authProviderType"])) return [];
  return [{
    code: "config-invalid",
    message: `Cannot log in to this server: "authProviderType" needs an account of ${label}'s`,
    hint: `Only ${label} can use it; elsewhere put a token into "headers"`,
  }];
}

/** The tool of an item such as `read_file(path)`, which limits how it is called. */
function bareTool(item: JsonValue): JsonValue {
  return typeof item === "string" ? item.replace(/\(.*$/s, "") : item;
}
