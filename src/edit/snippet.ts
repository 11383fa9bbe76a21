import { HotplugError } from "../model/errors.ts";
import { isJsonObject } from "../model/json.ts";
import type { NewServer } from "./new_server.ts";
import { entriesOf, type PastedEntry } from "./pasted_entries.ts";
import { readPasted } from "./pasted_reading.ts";
import { type PastedPart, pastedParts } from "./pasted_text.ts";
import { inputDefinitions } from "./vscode_inputs.ts";

/**
 * The servers in a pasted text: what a README shows for some agent or other, whole or in part, as
 * JSON with comments, TOML or YAML, also in fences of Markdown; a single entry needs a name. What
 * is wrong with one of them stands in its own problems. Of one that stands there in several forms
 * the first is taken that reads without problems.
 *
 * @param name Name for a text that holds one server.
 * @throws {HotplugError} `bad-arguments` for a text that holds no server, or is none of these.
 */
export async function snippetServers(
  text: string,
  name: string | undefined,
): Promise<readonly NewServer[]> {
  const parts = await pastedParts(text);
  const entries = parts.flatMap(entriesIn);
  if (entries.length === 0) throw nothingIn(parts, text);
  const read = oneOfEachName(await Promise.all(named(entries, name).map(toServer)));
  const servers = withFaults(read, parts);
  const inputs = parts.flatMap(({ value }) => isJsonObject(value) ? inputDefinitions(value) : []);
  return inputs.length === 0 ? servers : servers.map((server) => ({ ...server, inputs }));
}

/** An entry, and what is odd about how it stands in the text. */
interface FoundEntry extends PastedEntry {
  readonly notes: readonly string[];
}

function entriesIn({ value, format, repeated }: PastedPart): readonly FoundEntry[] {
  if (value === null) return [];
  return entriesOf(value, format).map((entry) => ({
    ...entry,
    notes: repeated.includes(entry.name)
      ? [`"${entry.name}" stands twice in one object; the last one counts`]
      : [],
  }));
}

/** The entries with the name that was given, or those that they have. */
function named(entries: readonly FoundEntry[], name: string | undefined): readonly FoundEntry[] {
  const names = new Set(entries.map((entry) => entry.name));
  if (name === undefined) {
    if (names.size === 1 && names.has("")) {
      throw refusal("it holds one server without a name", "Give the name: mcp add <name> -");
    }
    return entries;
  }
  if (names.size === 1 && (!names.has("") || entries.every(({ isItem }) => !isItem))) {
    return entries.map((entry) => ({ ...entry, name }));
  }
  if (entries.length === 1) return entries.map((entry) => ({ ...entry, name }));
  throw refusal(
    `it holds ${entries.length} servers, and one name was given`,
    "Leave the name out: each has its own",
  );
}

async function toServer(entry: FoundEntry, index: number): Promise<NewServer> {
  if (entry.name !== "") {
    const server = await readPasted(entry);
    return { ...server, warnings: [...entry.notes, ...server.warnings ?? []] };
  }
  const problem = {
    code: "config-invalid",
    message: "Cannot add this server: it has no name (the pasted text)",
    hint: 'Give it a "name"',
  } as const;
  return { name: `#${index + 1}`, config: {}, dialect: "hotplug", problems: [problem] };
}

/** Each server once: the first of its forms that has no problem, else the first. */
function oneOfEachName(servers: readonly NewServer[]): readonly NewServer[] {
  const byName = new Map<string, NewServer[]>();
  for (const server of servers) {
    byName.set(server.name, [...byName.get(server.name) ?? [], server]);
  }
  return [...byName.values()].flatMap((forms) => {
    const found = forms.find(({ problems = [] }) => problems.length === 0) ?? forms[0];
    if (found === undefined || forms.length === 1) return found ?? [];
    const warning = `The text has it in ${forms.length} forms: number ${
      forms.indexOf(found) + 1
    } is taken, the first that can be read`;
    return { ...found, warnings: [warning, ...found.warnings ?? []] };
  });
}

/** The servers, the first of which says what else of the text could not be read. */
function withFaults(
  [first, ...others]: readonly NewServer[],
  parts: readonly PastedPart[],
): readonly NewServer[] {
  const faults = parts.flatMap(({ fault, isConfig }, index) =>
    fault === null || !isConfig
      ? []
      : [`Part ${index + 1} of the text is left out: ${fault}, counted from its beginning`]
  );
  if (first === undefined || faults.length === 0) {
    return first === undefined ? [] : [first, ...others];
  }
  return [{ ...first, warnings: [...first.warnings ?? [], ...faults] }, ...others];
}

/** How a shell would be given a server. */
const COMMAND_LINE =
  /^\s*(?:[$>%]\s+)?(?:[\w./-]+\s+mcp\s+add(?:-json|-from-[\w-]+)?\s|[\w./-]+\s.*--add-mcp\s|(?:npx|uvx|bunx|pnpm|docker|podman|node|python3?|deno)\s+\S)/m;

/** Why a text holds no server. */
function nothingIn(parts: readonly PastedPart[], text: string): HotplugError {
  if (COMMAND_LINE.test(text)) {
    return refusal(
      "it is a command line, and no config",
      "Give it as words: mcp add <name> -- <command> [argument...], " +
        "or mcp add <name> --url <url>",
    );
  }
  const [part] = parts;
  if (parts.length === 1 && part !== undefined && part.value === null) {
    return part.fault === null
      ? refusal("it is no object", 'Paste an object such as { "mcpServers": { … } }')
      : refusal(part.fault, "Correct it and paste it again");
  }
  return refusal("it holds no server", 'Paste an object such as { "mcpServers": { … } }');
}

function refusal(why: string, hint: string): HotplugError {
  return new HotplugError("bad-arguments", `Cannot use the pasted text: ${why}`, { hint });
}
