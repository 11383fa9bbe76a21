import { parseText, type TextFormat } from "../formats/parse_text.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";

/** One part of a pasted text: the whole of it, or what one fence of Markdown holds. */
export interface PastedPart {
  /** Its value, an object or a list; `null` when it is neither, whatever the format. */
  readonly value: JsonObject | readonly JsonValue[] | null;
  /** The format in which it was read. */
  readonly format: TextFormat;
  /** Whether it is, or says that it is, a config and no other code. */
  readonly isConfig: boolean;
  /** What is wrong with it, with line and column; `null` when it was read. */
  readonly fault: string | null;
  /** Keys that stand twice in one object; the last one counts. */
  readonly repeated: readonly string[];
}

/** What a fence of Markdown says of its format. */
const LANGUAGES: ReadonlyMap<string, TextFormat> = new Map([
  ["json", "jsonc"],
  ["jsonc", "jsonc"],
  ["json5", "jsonc"],
  ["toml", "toml"],
  ["yaml", "yaml"],
  ["yml", "yaml"],
]);

/** Reads a text, or each fence in it, in whichever format it is. Never throws. */
export async function pastedParts(text: string): Promise<readonly PastedPart[]> {
  const fenced = fences(text);
  const bodies = fenced.length === 0 ? [{ body: text, language: "" }] : fenced;
  return await Promise.all(bodies.map(({ body, language }) => read(body, language)));
}

/** A block of code in Markdown. */
interface Fence {
  readonly body: string;
  /** The word after its opening; blank without one. */
  readonly language: string;
}

/** Every fence of a text, without the indentation and the quoting that it stands in. */
function fences(text: string): readonly Fence[] {
  const found: Fence[] = [];
  let open: { readonly mark: string; readonly language: string; readonly margin: string } | null =
    null;
  let lines: string[] = [];
  const close = (language: string): void => {
    found.push({ body: lines.join("\n"), language });
    open = null;
    lines = [];
  };
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    const [, margin = "", mark = "", info = ""] =
      /^([ \t>]*(?:[-*+] |\d+[.)] )?[ \t]*)(`{3,}|~{3,})\s*(.*)$/.exec(line) ?? [];
    if (open === null) {
      if (mark === "") continue;
      // An item of a list indents by as much as its sign takes.
      open = { mark, language: info, margin: margin.replace(/[^>\s]/g, " ") };
    } else if (mark.startsWith(open.mark) && info.trim() === "") close(open.language);
    else lines.push(withoutMargin(line, open.margin));
  }
  if (open !== null) close((open as { readonly language: string }).language);
  return found.map(({ body, language }) => ({
    body,
    language: /^\{?\.?([\w-]*)/.exec(language)?.[1]?.toLowerCase() ?? "",
  }));
}

/** A line without as much of the margin as it has. */
function withoutMargin(line: string, margin: string): string {
  let at = 0;
  while (at < margin.length && (line[at] === margin[at] || /[ \t]/.test(line[at] ?? "x"))) at++;
  return line.slice(at);
}

/** The part in the format that it says or looks like, whichever gives an object or a list. */
async function read(body: string, language: string): Promise<PastedPart> {
  const likely = likelyFormat(body);
  const formats = new Set([LANGUAGES.get(language) ?? likely, likely]);
  let fault: string | null = null;
  for (const format of formats) {
    for (const form of formsOf(body, format)) {
      const result = await parseText(form, format);
      if (!result.ok) {
        const { message, place: { line, column } } = result;
        fault ??= `${message} at line ${line}, column ${column}`;
        continue;
      }
      const { value, duplicates } = result.document;
      if (!isJsonObject(value) && !Array.isArray(value)) continue;
      const repeated = duplicates.map(({ path }) => path.at(-1) ?? "");
      return {
        value: value as PastedPart["value"],
        format,
        isConfig: true,
        fault: null,
        repeated,
      };
    }
  }
  const isConfig = language === "" || LANGUAGES.has(language);
  return { value: null, format: likely, isConfig, fault, repeated: [] };
}

/** The text, and what it may be without the braces around it: an entry out of a larger object. */
function formsOf(body: string, format: TextFormat): readonly string[] {
  if (format !== "jsonc" || !withoutComments(body).startsWith('"')) return [body];
  return [`{${body.replace(/^\ufeff/, "").trim().replace(/,\s*$/, "")}\n}`, body];
}

/** A text from its first sign on that is neither blank nor in a comment of JSON. */
function withoutComments(text: string): string {
  return text.replace(/^\ufeff?(?:\s|\/\/.*|\/\*[^]*?\*\/)*/, "");
}

/** A key of TOML, in quotes or not. */
const TOML_KEY = String.raw`(?:[\w-]+|"[^"\n]*"|'[^'\n]*')`;
/** The start of a line of TOML that sets a value. */
const TOML_LINE = new RegExp(String.raw`^${TOML_KEY}(?:\s*\.\s*${TOML_KEY})*\s*=`);

/** The format that the first line tells which is no comment. */
function likelyFormat(text: string): TextFormat {
  const body = text.replace(/^\ufeff/, "").replace(/^(?:\s*(?:#.*|---\s*)(?:\r?\n|$))+/, "")
    .trimStart();
  if (/^(?:\{|\[\s*[{\]])/.test(body)) return "jsonc";
  if (body.startsWith("[") || TOML_LINE.test(body)) return "toml";
  return /^(?:[\w.-]+:|-)(?:\s|$)/.test(body) ? "yaml" : "jsonc";
}
