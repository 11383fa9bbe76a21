import type { TextFormat } from "../formats/parse_text.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { looksLikeServer } from "../sources/servers_object.ts";

/**
 * What the key around an entry tells of the agents that it may be written for; `any`: nothing.
 * `mcp` is opencode's and Crush's, `codex` that of all with `mcp_servers`.
 */
export type Family = "any" | "mcp" | "vscode" | "codex" | "zed" | "amp" | "goose" | "reasonix";

/** One entry of a pasted text, as it stands there. */
export interface PastedEntry {
  /** Its name; blank when it has none. */
  readonly name: string;
  /** What it says; an item of a list without its name. */
  readonly raw: JsonValue | undefined;
  /** Whose it may be. */
  readonly family: Family;
  /** Whether it is an item of a list. */
  readonly isItem: boolean;
  /** The format of the text. */
  readonly format: TextFormat;
  /** What the text says of its own schema; blank when it says nothing. */
  readonly schema: string;
}

/** A key under which servers stand. */
interface Wrapper {
  readonly path: readonly string[];
  readonly family: Family;
  /** Whether other things stand under this key too, so that something must look like a server. */
  readonly isShared?: true;
}

const WRAPPERS: readonly Wrapper[] = [
  { path: ["mcpServers"], family: "any" },
  { path: ["amp.mcpServers"], family: "amp" },
  { path: ["mcp_servers"], family: "codex" },
  { path: ["context_servers"], family: "zed" },
  { path: ["customizations", "vscode", "mcp", "servers"], family: "vscode" },
  { path: ["settings", "mcp", "servers"], family: "vscode" },
  { path: ["mcp", "servers"], family: "vscode" },
  { path: ["servers"], family: "vscode", isShared: true },
  { path: ["extensions"], family: "goose", isShared: true },
  { path: ["plugins"], family: "reasonix", isShared: true },
  { path: ["mcp"], family: "mcp", isShared: true },
];

/** Levels of objects in which servers are looked for. */
const MAX_DEPTH = 5;

/**
 * Every entry of a pasted value. What stands under a key for servers is one, whatever it is; a
 * wrapper in a wrapper is unwrapped; without one, what looks like a server is an entry. Pure.
 */
export function entriesOf(
  value: JsonObject | readonly JsonValue[],
  format: TextFormat,
): readonly PastedEntry[] {
  const schema = isJsonObject(value) && typeof value["$schema"] === "string"
    ? value["$schema"]
    : "";
  const about = { format, schema };
  const found = isJsonObject(value) ? wrapped(value, about, 0) : [];
  return found.length > 0 ? found : bare(value, about, 0);
}

type About = Pick<PastedEntry, "format" | "schema">;

/** The entries under the keys of an object that are for servers. */
function wrapped(value: JsonObject, about: About, depth: number): readonly PastedEntry[] {
  if (depth > MAX_DEPTH) return [];
  const taken: (readonly string[])[] = [];
  return WRAPPERS.flatMap(({ path, family, isShared }): readonly PastedEntry[] => {
    const inner = at(value, path);
    // A server of this very name is no wrapper; and "mcp" is none around a "servers" that is one.
    if (inner === undefined || isEntry(inner)) return [];
    if (taken.some((other) => path.every((step, index) => other[index] === step))) return [];
    const found = listed(inner, family, about, depth);
    if (isShared === true && !found.some(({ raw }) => isEntry(raw))) return [];
    if (found.length > 0) taken.push(path);
    return found;
  });
}

/** Every entry of an object or a list of entries. */
function listed(
  inner: JsonValue,
  family: Family,
  about: About,
  depth: number,
): readonly PastedEntry[] {
  if (Array.isArray(inner)) {
    return (inner as readonly JsonValue[]).map((item) => listItem(item, family, about));
  }
  if (!isJsonObject(inner)) return [];
  return Object.entries(inner).flatMap(([name, raw]): readonly PastedEntry[] => {
    if (name.startsWith("$")) return [];
    if (isJsonObject(raw) && !isEntry(raw)) {
      const nested = [
        ...wrapped({ [name]: raw }, about, depth + 1),
        ...wrapped(raw, about, depth + 1),
      ];
      if (nested.length > 0) return nested;
    }
    return [{ ...about, name, raw, family, isItem: false }];
  });
}

/** An item of a list, which holds its own name. */
function listItem(item: JsonValue, family: Family, about: About): PastedEntry {
  const { name, ...raw } = isJsonObject(item) ? item : {};
  return {
    ...about,
    name: typeof name === "string" ? name.trim() : "",
    raw: isJsonObject(item) ? raw : item,
    family,
    isItem: true,
  };
}

/** The entries of a value without a wrapper: it is one, it holds some, or something in it does. */
function bare(
  value: JsonObject | readonly JsonValue[],
  about: About,
  depth: number,
): readonly PastedEntry[] {
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    return items.some(isEntry) ? items.map((item) => listItem(item, "any", about)) : [];
  }
  if (isEntry(value)) return [{ ...listItem(value, "any", about), isItem: false }];
  if (!isJsonObject(value) || depth > MAX_DEPTH) return [];
  const inner = Object.entries(value).filter(([name, raw]) =>
    !name.startsWith("$") && isJsonObject(raw)
  );
  if (inner.some(([, raw]) => isEntry(raw))) {
    return inner.map(([name, raw]) => ({ ...about, name, raw, family: "any", isItem: false }));
  }
  return inner.flatMap(([, raw]) => {
    const found = isJsonObject(raw) ? wrapped(raw, about, depth + 1) : [];
    return found.length > 0 || !isJsonObject(raw) ? found : bare(raw, about, depth + 1);
  });
}

function at(value: JsonObject, path: readonly string[]): JsonValue | undefined {
  let inner: JsonValue | undefined = value;
  for (const step of path) {
    inner = isJsonObject(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
  }
  return inner;
}

/** What some agent or other calls the program or the address. */
const OTHER_KEYS: readonly string[] = [
  "baseUrl",
  "base_url",
  "server_url",
  "cmd",
  "uri",
  "executable",
];

/** Whether a value describes a server in the words of some agent. */
function isEntry(value: unknown): boolean {
  if (looksLikeServer(value)) return true;
  if (!isJsonObject(value)) return false;
  if (OTHER_KEYS.some((key) => typeof value[key] === "string")) return true;
  const { command, transport, config } = value;
  // Older entries of Zed's, nested ones of Cline's, and those of VS Code's first gallery.
  return (isJsonObject(command) && typeof command["path"] === "string") ||
    (isJsonObject(transport) && typeof transport["type"] === "string") ||
    (isJsonObject(config) && looksLikeServer(config));
}
