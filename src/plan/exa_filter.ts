import type { Definition, ServerConfig } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";

/** The one tool that a host's own Exa search replaces. */
const NATIVE_TOOL = "web_search_exa";

/** What becomes of one definition: left out for `reason`, or kept, with a word to its user. */
export interface ExaFilter {
  /** Why it is left out; `null` when it stays. */
  readonly reason: ErrorInfo | null;
  /** What to say when a server of Exa stays only because the filter is off. */
  readonly warning: string | null;
}

/**
 * Hosts with a search of their own use Exa directly, so its server is left out. It stays when it
 * is asked for more than that search, or when the filter is off.
 */
export function exaFilter(
  definition: Definition,
  settings: { readonly filterExa: boolean },
): ExaFilter {
  const { name, config } = definition;
  if (!isExa(name, config) || asksForMore(config)) return { reason: null, warning: null };
  if (!settings.filterExa) {
    return { reason: null, warning: "A server of Exa, kept because the Exa filter is off" };
  }
  return {
    reason: {
      code: "server-not-runnable",
      message: "Left out: the Exa search is left to the host's own integration",
      hint: 'To keep it: --exa, or "filterExa": false in settings.json',
    },
    warning: null,
  };
}

/** Tells whether a definition is a server of Exa, by name, address or package. */
export function isExa(name: string, config: ServerConfig): boolean {
  return name.toLowerCase() === "exa" ||
    config.url?.includes("mcp.exa.ai") === true ||
    (config.args ?? []).some((arg) => arg.includes("mcp.exa.ai") || arg.includes("exa-mcp-server"));
}

/**
 * The keys in a definition whose placeholders were replaced: the `exaApiKey` of its url or
 * arguments, else its variable `EXA_API_KEY`. Secrets.
 */
export function exaKeys(config: ServerConfig): readonly string[] {
  const texts = [config.url ?? "", ...config.args ?? []];
  const keys = texts.flatMap((text) => [...queryValues(text, "exaApiKey")]);
  if (keys.length > 0) return [...new Set(keys)];
  const key = config.env?.["EXA_API_KEY"]?.trim() ?? "";
  return key === "" || isPlaceholder(key) ? [] : [key];
}

/** Whether a definition names any tool beyond the search. */
function asksForMore(config: ServerConfig): boolean {
  const args = config.args ?? [];
  const lists = [config.url ?? "", ...args].flatMap((text) => [...queryValues(text, "tools")]);
  args.forEach((arg, index) => {
    if (arg === "--tools") lists.push(args[index + 1] ?? "");
  });
  const tools = [...lists.flatMap((list) => list.split(",")), ...config.enabledTools ?? []];
  return tools.map((tool) => tool.replaceAll(/[\s"'[\]]/g, ""))
    .some((tool) => tool !== "" && tool !== NATIVE_TOOL);
}

/** The values of a query parameter, or of an argument written like one, in a text. */
function* queryValues(text: string, key: string): Generator<string> {
  for (const match of text.matchAll(/(?:^(?:--)?|[?&])([A-Za-z]+)=([^&#\s]*)/g)) {
    const value = decoded(match[2] ?? "");
    if (match[1] === key && value !== "" && !isPlaceholder(value)) yield value;
  }
}

/** A value that was left as it is written stands for no key. */
function isPlaceholder(value: string): boolean {
  return value.includes("${");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " ")).trim();
  } catch {
    return text;
  }
}
