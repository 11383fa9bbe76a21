import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { TOKEN_KEY, VARIABLE_HEADERS_KEY, wholeVariable } from "./header_variables.ts";
import { unsayable } from "./written_entry.ts";

/** Names that Codex takes. */
const NAME = /^[A-Za-z0-9_:@/.-]+$/;

/**
 * An entry in Codex's keys. Its texts know no placeholders, so a variable is named under a key of
 * its own; what is left of them cannot be written.
 */
export function codexEntry(
  raw: JsonObject,
  _config: unknown,
  name: string,
): { readonly raw: JsonObject; readonly problems: readonly ErrorInfo[] } {
  const problems: ErrorInfo[] = [];
  const { env, env_vars: names, http_headers: written, ...rest } = raw;
  const inherited = new Set<JsonValue>(
    Array.isArray(names) ? names as readonly JsonValue[] : [],
  );
  const values: [string, JsonValue | undefined][] = [];
  for (const [variable, value] of entriesOf(env)) {
    if (wholeVariable(value) === variable) inherited.add(variable);
    else values.push([variable, value]);
  }
  const headers: [string, JsonValue | undefined][] = [];
  const named: [string, JsonValue][] = [];
  const tokens: [string, JsonValue][] = [];
  for (const [header, value] of entriesOf(written)) {
    const variable = wholeVariable(value);
    const token = header.toLowerCase() === "authorization" ? wholeVariable(value, "Bearer ") : null;
    if (variable !== null) named.push([header, variable]);
    else if (token !== null) tokens.push([TOKEN_KEY, token]);
    else headers.push([header, value]);
  }
  if (names === true) problems.push(unsayable("Codex never passes its whole environment on"));
  if (!NAME.test(name)) {
    problems.push(unsayable("Codex takes letters, digits and -_:@/. in names"));
  }
  return {
    raw: {
      ...rest,
      ...(values.length === 0 ? {} : { env: Object.fromEntries(values) }),
      ...(inherited.size === 0 ? {} : { env_vars: [...inherited] }),
      ...Object.fromEntries(tokens),
      ...(headers.length === 0 ? {} : { http_headers: Object.fromEntries(headers) }),
      ...(named.length === 0 ? {} : { [VARIABLE_HEADERS_KEY]: Object.fromEntries(named) }),
    },
    problems,
  };
}

function entriesOf(value: JsonValue | undefined): readonly [string, JsonValue | undefined][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}
