import { parseJsonc } from "./jsonc.ts";
import type { ParseResult } from "./parsed_text.ts";

/** The formats that config files are written in; strict JSON is read as `jsonc`. */
export type TextFormat = "jsonc" | "toml" | "yaml";

/**
 * Reads a text. A byte order mark and any line ends are accepted, except a lone CR in TOML, which
 * is named as the fault. Never throws or rejects, whatever the text.
 *
 * The value is plain JSON. What JSON has no form for (dates, infinities, "not a number", binary
 * data) becomes the text that is written; integers lose precision as in `JSON.parse`; a key that
 * is no string becomes its text; `__proto__` is a key like any other.
 *
 * The parser of a format is loaded when the first text of that format is read.
 */
export async function parseText(text: string, format: TextFormat): Promise<ParseResult> {
  if (format === "jsonc") return await parseJsonc(text);
  if (format === "toml") {
    const { parseToml } = await import("./toml.ts");
    return await parseToml(text);
  }
  const { parseYaml } = await import("./yaml.ts");
  return parseYaml(text);
}
