import { normaliseConfig } from "../definitions/normalise.ts";
import { parseText, type TextFormat } from "../formats/parse_text.ts";
import { HotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { hostNamed } from "./target.ts";
import type { HostFormat } from "../sources/host_format.ts";
import { namedEntries } from "../sources/named_entries.ts";
import { looksLikeServer } from "../sources/servers_object.ts";
import { store } from "../sources/store.ts";
import type { NewServer } from "./new_server.ts";

/** Keys under which servers stand, each with the agent whose words its entries are in. */
const WRAPPERS: readonly (readonly [readonly string[], string])[] = [
  [["mcpServers"], "store"],
  [["mcp", "servers"], "vscode"],
  [["mcp_servers"], "codex"],
  [["context_servers"], "zed"],
  [["amp.mcpServers"], "amp"],
  [["extensions"], "goose"],
  [["servers"], "vscode"],
  [["mcp"], "opencode"],
];

/**
 * The servers in a pasted text: what a README shows for some agent or other, whole or in part, as
 * JSON with comments, TOML or YAML; a single entry needs a name.
 *
 * @param name Name for a text that holds one server.
 * @throws {HotplugError} `bad-arguments` for a text that holds no server, or is none of these.
 */
export async function snippetServers(
  text: string,
  name: string | undefined,
): Promise<readonly NewServer[]> {
  const root = await parsed(text);
  const servers = serversIn(root, "store", 0);
  if (servers.length === 0 && looksLikeServer(root)) {
    if (name === undefined) {
      throw refusal("it holds one server without a name", "Give the name: mcp add <name> -");
    }
    return [toServer(name, root, formatNamed("store"))];
  }
  if (servers.length === 0) {
    throw refusal("it holds no server", 'Paste an object such as { "mcpServers": { … } }');
  }
  if (name === undefined) return servers;
  const [only, ...others] = servers;
  if (only === undefined || others.length > 0) {
    throw refusal(
      `it holds ${servers.length} servers, and one name was given`,
      "Leave the name out: each has its own",
    );
  }
  return [{ ...only, name }];
}

/** The text as an object, in whichever format it is. */
async function parsed(text: string): Promise<JsonObject> {
  const first = await parseText(fenceless(text), likelyFormat(text));
  const body = first.ok || !/^\s*"/.test(text)
    ? first
    // An entry copied out of a larger object, without the braces around it.
    : await parseText(`{${text.trim().replace(/,\s*$/, "")}}`, "jsonc");
  if (body.ok && isJsonObject(body.document.value)) return body.document.value;
  if (body.ok) throw refusal("it is no object", 'Paste an object such as { "mcpServers": { … } }');
  const { message, place: { line, column } } = body;
  throw refusal(`${message} at line ${line}, column ${column}`, "Correct it and paste it again");
}

/** The text without the fence that Markdown puts around code. */
function fenceless(text: string): string {
  const fenced = /^\s*```\w*\r?\n([\s\S]*?)\r?\n?```\s*$/.exec(text);
  return fenced?.[1] ?? text;
}

function likelyFormat(text: string): TextFormat {
  const body = fenceless(text).trimStart();
  if (/^\[\[?[\w."-]+\]\]?\s*(?:#.*)?$/m.test(body) && !/^[[{]\s*["{]/.test(body)) return "toml";
  return /^[\w-]+:(?:\s|$)/.test(body) ? "yaml" : "jsonc";
}

/** The servers of an object, whatever wraps them; a wrapper in a wrapper is unwrapped. */
function serversIn(value: JsonValue, agent: string, depth: number): readonly NewServer[] {
  if (!isJsonObject(value) || depth > 3) return [];
  for (const [path, host] of WRAPPERS) {
    const inner = at(value, path);
    if (inner === undefined || looksLikeServer(inner)) continue;
    const found = Array.isArray(inner)
      ? entriesOf(inner as readonly JsonValue[], host)
      : serversIn(inner, host, depth + 1);
    if (found.length > 0) return found;
  }
  return Object.values(value).some(looksLikeServer)
    ? entriesOf(value, agent)
    : Object.values(value).flatMap((inner) =>
      isJsonObject(inner) && hasWrapper(inner) ? serversIn(inner, agent, depth + 1) : []
    );
}

function hasWrapper(value: JsonObject): boolean {
  return WRAPPERS.some(([path]) => at(value, path) !== undefined);
}

function at(value: JsonObject, path: readonly string[]): JsonValue | undefined {
  let inner: JsonValue | undefined = value;
  for (const step of path) {
    inner = isJsonObject(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
  }
  return inner;
}

function entriesOf(
  entries: JsonObject | readonly JsonValue[],
  agent: string,
): readonly NewServer[] {
  const format = formatNamed(agent);
  return namedEntries(entries, { list: "name" }).entries
    .filter(({ raw }) => looksLikeServer(raw) || (isJsonObject(raw) && raw["cmd"] !== undefined))
    .map(({ name, raw }) => toServer(name, raw as JsonObject, format));
}

/** An entry in canonical form; what is wrong with it is found out when it is written. */
function toServer(name: string, entry: JsonObject, format: HostFormat): NewServer {
  const translated = format.translate?.(entry, name) ?? { raw: entry };
  const normal = normaliseConfig(name, translated.raw, {
    ...(format.rename === undefined ? {} : { rename: format.rename }),
    ...(format.ignore === undefined ? {} : { ignore: format.ignore }),
    ...(format.timeoutUnit === undefined ? {} : { timeoutUnit: format.timeoutUnit }),
  });
  const [problem] = [...translated.problems ?? [], ...normal.problems];
  if (problem !== undefined) {
    throw new HotplugError(
      "bad-arguments",
      `Cannot add ${JSON.stringify(name)}: ${problem.message}`,
      {
        hint: problem.hint,
      },
    );
  }
  const warnings = [...translated.warnings ?? [], ...normal.warnings];
  return { name, config: normal.config, dialect: format.dialect, warnings };
}

function formatNamed(agent: string): HostFormat {
  const format = hostNamed(agent).writer?.format ?? store.writer?.format;
  if (format === undefined) throw new Error(`No format of "${agent}"`);
  return format;
}

function refusal(why: string, hint: string): HotplugError {
  return new HotplugError("bad-arguments", `Cannot use the pasted text: ${why}`, { hint });
}
