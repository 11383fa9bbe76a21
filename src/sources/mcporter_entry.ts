import { isAbsolute, join } from "node:path";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { factsOf } from "../platform/local_files.ts";
import { withCommandWords } from "./command_words.ts";
import type { TranslatedEntry } from "./host_format.ts";

/** mcporter's names of the endpoint, the strongest first. */
const URL_KEYS: readonly string[] = ["baseUrl", "base_url", "url", "serverUrl", "server_url"];

/** Its names of the client's identity, each with the name that others have for it. */
const OAUTH_KEYS: Readonly<Record<string, string>> = {
  oauthClientId: "clientId",
  oauthClientMetadataUrl: "clientMetadataUrl",
  oauthClientSecret: "clientSecret",
  oauthClientSecretEnv: "clientSecretEnv",
  oauthRedirectUrl: "redirectUrl",
  oauthScope: "scope",
  oauthTokenEndpointAuthMethod: "tokenEndpointAuthMethod",
};

/**
 * An entry of mcporter's with one url, one command and its headers written out. Of two spellings of
 * a key the one in camel case wins.
 *
 * @param folder Folder of the file, relative to the folder of relative paths. Absent: relative
 *   paths stand against the file's folder anyway.
 */
export function mcporterEntry(written: JsonObject, folder?: string): TranslatedEntry {
  const problems: ErrorInfo[] = [];
  const raw = inCamelCase(written);
  const { bearerToken, bearerTokenEnv, executable, auth, headers, env, ...rest } = raw;
  const entry: Record<string, JsonValue | undefined> = { ...rest };
  if (env !== undefined) entry["env"] = isJsonObject(env) ? withDefaults(env) : env;
  const [url] = URL_KEYS.flatMap((key) => given(written[key]));
  for (const key of [...URL_KEYS, ...Object.keys(OAUTH_KEYS)]) delete entry[key];
  const command = url === undefined ? raw["command"] ?? executable : undefined;
  if (url !== undefined) {
    entry["url"] = url;
    delete entry["command"];
  } else if (command !== undefined) entry["command"] = command;
  if (auth === "refreshable_bearer") problems.push(onlyMcporter());
  else if (auth !== undefined) entry["auth"] = auth;
  const token = typeof bearerTokenEnv === "string"
    // mcporter sends the variable as it is, without the word before it.
    ? `$env:${bearerTokenEnv}`
    : typeof bearerToken === "string"
    ? `Bearer ${bearerToken}`
    : undefined;
  const authorization = token === undefined ? {} : { Authorization: token };
  if (headers !== undefined || token !== undefined) {
    entry["headers"] = isJsonObject(headers ?? {})
      ? { ...headers as JsonObject, ...authorization }
      : headers;
  }
  const oauth = Object.entries(OAUTH_KEYS)
    .flatMap(([key, name]) => given(raw[key]).map((value) => [name, value] as const));
  if (oauth.length > 0) entry["oauth"] = Object.fromEntries(oauth);
  const whole = isOneProgram(command) ? entry : withCommandWords(entry);
  const isMoved = folder !== undefined && command !== undefined;
  const moved = isMoved ? withFolder(whole, folder) : whole;
  return { raw: moved, problems };
}

/** An entry as it is written into a file in a folder of the project, from which paths then lead. */
export function asMcporterEntry(entry: JsonObject, folder: string): JsonObject {
  const { cwd, ...rest } = entry;
  if (entry["command"] === undefined || isFixed(cwd)) return entry;
  const up = folder.split("/").map(() => "..").join("/");
  return { ...rest, cwd: typeof cwd === "string" ? join(up, cwd) : up };
}

/** Without a `cwd` the process starts in the project, as everywhere, and not among its settings. */
function withFolder(entry: JsonObject, folder: string): JsonObject {
  const { cwd, ...rest } = entry;
  if (typeof cwd !== "string" || isFixed(cwd)) return entry;
  const moved = join(folder, cwd);
  return moved === "." ? rest : { ...rest, cwd: moved };
}

/** Whether a path does not depend on where its file is, or cannot be seen to. */
function isFixed(path: JsonValue | undefined): boolean {
  return typeof path === "string" && (isAbsolute(path) || /^[~$]|^[A-Za-z]:/.test(path));
}

/** Variables with the defaults that mcporter also takes without one of the two signs before them. */
function withDefaults(env: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      typeof value === "string"
        ? value.replace(/^\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-?|-)([^}]*)\}$/, "${$1:-$2}")
        : value,
    ]),
  );
}

/** Whether a text with blanks is the path of one program after all. */
function isOneProgram(command: JsonValue | undefined): boolean {
  return typeof command === "string" && isAbsolute(command) && factsOf(command) !== null;
}

/** The entry with keys such as `bearer_token` as `bearerToken`. */
function inCamelCase(raw: JsonObject): JsonObject {
  const entries = Object.entries(raw).map(([key, value]) => {
    const camel = key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return [Object.hasOwn(raw, camel) ? key : camel, value] as const;
  });
  return Object.fromEntries(entries);
}

function given(value: JsonValue | undefined): readonly JsonValue[] {
  return value === undefined || value === null ? [] : [value];
}

function onlyMcporter(): ErrorInfo {
  return {
    code: "config-invalid",
    message: `Cannot use this entry: the tokens of "refreshable_bearer" are mcporter's alone`,
    hint: `Elsewhere put a token into "headers", or log in to the server`,
  };
}
