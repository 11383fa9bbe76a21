import { isJsonObject, type JsonObject } from "../model/json.ts";
import { hasHeader, wholeVariable } from "./header_variables.ts";

/**
 * An entry whose bearer token is in the variable that a key names; it is sent in place of an
 * `Authorization` header that is written out.
 *
 * @param key The host's key for the name of the variable.
 */
export function withBearerVariable(entry: JsonObject, key: string): JsonObject {
  const { [key]: variable, ...rest } = entry;
  if (typeof variable !== "string" || variable.trim() === "") return rest;
  const { headers } = rest;
  if (headers !== undefined && headers !== null && !isJsonObject(headers)) return rest;
  const others = Object.entries(headers ?? {})
    .filter(([name]) => name.toLowerCase() !== "authorization");
  const added = ["Authorization", `Bearer \${env:${variable.trim()}}`] as const;
  return { ...rest, headers: Object.fromEntries([...others, added]) };
}

/** A written entry that names the variable of its bearer token where it has one. */
export function asBearerVariable(entry: JsonObject, key: string): JsonObject {
  const { headers, ...rest } = entry;
  if (!isJsonObject(headers) || !hasHeader(headers, "Authorization")) return entry;
  const others: [string, unknown][] = [];
  let variable: string | null = null;
  for (const [name, value] of Object.entries(headers)) {
    const token = name.toLowerCase() === "authorization" ? wholeVariable(value, "Bearer ") : null;
    if (token === null) others.push([name, value]);
    else variable = token;
  }
  if (variable === null) return entry;
  return {
    ...rest,
    [key]: variable,
    ...(others.length === 0 ? {} : { headers: Object.fromEntries(others) as JsonObject }),
  };
}
