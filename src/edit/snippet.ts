import { parseText, type TextFormat } from "../formats/parse_text.ts";
import { HotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { hostNamed } from "./target.ts";
import type { HostFormat } from "../sources/host_format.ts";
import { namedEntries } from "../sources/named_entries.ts";
import { toDefinition } from "../sources/server_entry.ts";
import { looksLikeServer } from "../sources/servers_object.ts";
import type { NewServer } from "./new_server.ts";

/** What a problem's message says of where the entry stands. */
const PASTED = "the pasted text";

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
 * JSON with comments, TOML or YAML; a single entry needs a name. What is wrong with one of them
 * stands in its own problems.
 *
 * @param name Name for a text that holds one server.
 * @throws {HotplugError} `bad-arguments` for a text that holds no server, or is none of these.
 */
export async function snippetServers(
  text: string,
  name: string | undefined,
): Promise<readonly NewServer[]> {
  const entries = entriesOfText(await parsed(text), name);
  const servers = await Promise.all(entries.map(toServer));
  return servers.filter((server) => server !== null);
}

/** The entries of a pasted object, each with its name. */
function entriesOfText(root: JsonObject, name: string | undefined): readonly PastedEntry[] {
  const entries = entriesIn(root, "store", 0);
  if (entries.length === 0 && looksLikeServer(root)) {
    // As the command lines of some editors have it.
    const { name: own, ...raw } = root;
    const given = name ?? (typeof own === "string" && own.trim() !== "" ? own.trim() : undefined);
    if (given === undefined) {
      throw refusal("it holds one server without a name", "Give the name: mcp add <name> -");
    }
    return [{ name: given, raw, format: formatNamed("store") }];
  }
  if (entries.length === 0) {
    throw refusal("it holds no server", 'Paste an object such as { "mcpServers": { … } }');
  }
  if (name === undefined) return entries;
  const [only, ...others] = entries;
  if (only === undefined || others.length > 0) {
    throw refusal(
      `it holds ${entries.length} servers, and one name was given`,
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
  const body = fenceless(text).replace(/^(?:\s*(?:#.*|---\s*)(?:\r?\n|$))+/, "").trimStart();
  if (/^\[\[?[\w."-]+\]\]?\s*(?:#.*)?$/m.test(body) && !/^[[{]\s*["{]/.test(body)) return "toml";
  return /^(?:[\w.-]+:|-)(?:\s|$)/.test(body) ? "yaml" : "jsonc";
}

/** One entry of a pasted text. */
interface PastedEntry {
  readonly name: string;
  readonly raw: JsonObject;
  /** The agent in whose words it is. */
  readonly format: HostFormat;
}

/** The entries of an object, whatever wraps them; a wrapper in a wrapper is unwrapped. */
function entriesIn(value: JsonValue, agent: string, depth: number): readonly PastedEntry[] {
  if (!isJsonObject(value) || depth > 3) return [];
  for (const [path, host] of WRAPPERS) {
    const inner = at(value, path);
    if (inner === undefined || looksLikeServer(inner)) continue;
    const found = Array.isArray(inner)
      ? namedIn(inner as readonly JsonValue[], host)
      : entriesIn(inner, host, depth + 1);
    if (found.length > 0) return found;
  }
  return Object.values(value).some(isEntry)
    ? namedIn(value, agent)
    : Object.values(value).flatMap((inner) =>
      isJsonObject(inner) && hasWrapper(inner) ? entriesIn(inner, agent, depth + 1) : []
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

function namedIn(
  entries: JsonObject | readonly JsonValue[],
  agent: string,
): readonly PastedEntry[] {
  const format = formatNamed(agent);
  return namedEntries(entries, { list: "name" }).entries
    .flatMap(({ name, raw }) => isEntry(raw) ? [{ name, raw: raw as JsonObject, format }] : []);
}

/** Whether a value describes a server in the words of some agent; Goose has its own. */
function isEntry(value: JsonValue | undefined): boolean {
  return looksLikeServer(value) ||
    (isJsonObject(value) && (value["cmd"] !== undefined || value["uri"] !== undefined));
}

/** An entry in canonical form, with what is wrong with it; `null` when it describes no MCP server. */
async function toServer({ name, raw, format }: PastedEntry): Promise<NewServer | null> {
  const entry = { name, raw, path: PASTED, scope: "user", warnings: [] } as const;
  const definition = await toDefinition(entry, format, () => Promise.resolve(null), false);
  if (definition === null) return null;
  const { config, problems, warnings } = definition;
  return { name, config, dialect: format.dialect, problems, warnings };
}

function formatNamed(agent: string): HostFormat {
  const format = hostNamed(agent).writer?.format;
  if (format === undefined) throw new Error(`No format of "${agent}"`);
  return format;
}

function refusal(why: string, hint: string): HotplugError {
  return new HotplugError("bad-arguments", `Cannot use the pasted text: ${why}`, { hint });
}
