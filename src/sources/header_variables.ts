import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";

/** Key of the variable that holds a bearer token. */
export const TOKEN_KEY = "bearer_token_env_var";

/** Key of the headers whose values are names of variables. */
export const VARIABLE_HEADERS_KEY = "env_http_headers";

/**
 * An entry whose headers hold what other keys say about them: the variable of a bearer token, and
 * variables by header. For hosts whose own texts hold no placeholders, read in a dialect that does.
 * A header that is written out wins over the token's.
 *
 * @param key The host's key of the headers themselves.
 */
export function withHeaderVariables(entry: JsonObject, key: string): JsonObject {
  const { [TOKEN_KEY]: token, [VARIABLE_HEADERS_KEY]: variables, ...rest } = entry;
  const written = rest[key];
  const added: Record<string, JsonValue | undefined> = {};
  const isOwn = isJsonObject(written) && hasHeader(written, "Authorization");
  if (isName(token) && !isOwn) added["Authorization"] = `Bearer ${placeholder(token)}`;
  for (const [header, name] of Object.entries(isJsonObject(variables) ? variables : {})) {
    if (isName(name)) added[header] = placeholder(name);
  }
  if (Object.keys(added).length === 0 || (written !== undefined && !isJsonObject(written))) {
    return rest;
  }
  return { ...rest, [key]: { ...written, ...added } };
}

/** The variable that a text is nothing but, after a prefix; `null` for any other text. */
export function wholeVariable(text: JsonValue | undefined, prefix: string = ""): string | null {
  if (typeof text !== "string" || !text.startsWith(prefix)) return null;
  return /^\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(text.slice(prefix.length))?.[1] ?? null;
}

/** Whether headers hold one, in whatever case. */
export function hasHeader(headers: JsonObject, wanted: string): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === wanted.toLowerCase());
}

function isName(value: JsonValue | undefined): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function placeholder(variable: string): string {
  return `\${env:${variable.trim()}}`;
}
