import { Composer, type CST, type Document, Parser } from "yaml";
import { MAX_DEPTH, TOO_DEEP } from "./json_scan.ts";
import { emptyText, type ParseResult, withoutMark } from "./parsed_text.ts";
import { type Place, placeAt } from "./place.ts";
import { findNode } from "./place_tree.ts";
import { yamlFault } from "./yaml_fault.ts";
import { readYamlValue, YamlFault } from "./yaml_value.ts";

/** A text whose syntax was read. */
export type YamlDocument =
  | { readonly ok: true; readonly document: Document }
  | { readonly ok: false; readonly message: string; readonly place: Place };

/**
 * Reads one YAML 1.2 document, with aliases, merge keys (`<<`) and any line ends. Never throws.
 * Of equal keys the last one counts, although YAML forbids them: some hosts read such a file.
 */
export function parseYaml(text: string): ParseResult {
  const body = lineFeeds(withoutMark(text));
  try {
    const reading = composeYaml(body);
    if (!reading.ok) return reading;
    const { contents } = reading.document;
    if (contents === null || isBlank(body)) return emptyText();
    const { value, places, duplicates } = readYamlValue(reading.document, body);
    return {
      ok: true,
      document: {
        value,
        isEmpty: false,
        duplicates: duplicates.map(({ path, offset }) => ({ path, place: placeAt(body, offset) })),
        placeOf: (path) => {
          const node = findNode(places, path);
          return Promise.resolve(node === undefined ? null : placeAt(body, node.offset));
        },
      },
    };
  } catch (error) {
    if (error instanceof YamlFault) {
      return { ok: false, message: error.message, place: placeAt(body, error.offset) };
    }
    // The parser recurses; its depth is bounded, unless little was left of the stack.
    const message = error instanceof RangeError ? TOO_DEEP : "expected YAML";
    return { ok: false, message, place: { line: 1, column: 1 } };
  }
}

/**
 * Reads the syntax of a text without byte order mark and lone CR. Keeps the source tokens. May
 * throw a `RangeError` when little is left of the stack.
 */
export function composeYaml(body: string): YamlDocument {
  const tokens = [...new Parser().parse(body)];
  const tooDeepAt = findTooDeep(tokens);
  if (tooDeepAt !== null) return { ok: false, message: TOO_DEEP, place: placeAt(body, tooDeepAt) };
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, keepSourceTokens: true });
  const [document, second] = [...composer.compose(tokens, true, body.length)];
  if (document === undefined) throw new Error("the composer gives a document for any text");
  const error = document.errors.toSorted((a, b) => a.pos[0] - b.pos[0])[0];
  if (error !== undefined) {
    return { ok: false, message: yamlFault(error), place: placeAt(body, error.pos[0]) };
  }
  if (second !== undefined) {
    const message = 'expected one document, found a second one after "---" or "..."';
    return { ok: false, message, place: placeAt(body, second.range?.[0] ?? 0) };
  }
  return { ok: true, document };
}

/** Each lone CR as LF: YAML ends a line there, the parser does not. Offsets stay. */
export function lineFeeds(text: string): string {
  return text.replaceAll(/\r(?!\n)/g, "\n");
}

/** Whether a text holds nothing but white space, comments and document markers. */
function isBlank(body: string): boolean {
  return body.split("\n").every((line) => /^\s*(?:#|$)|^(?:---|\.\.\.)\s*(?:#|$)|^%/.test(line));
}

/** Offset of the first collection that stands too deep; `null` when none does. */
function findTooDeep(tokens: readonly CST.Token[]): number | null {
  const waiting = tokens.map((token): readonly [CST.Token, number] => [token, 0]);
  while (waiting.length > 0) {
    const [token, depth] = waiting.pop() ?? [];
    if (token === undefined || depth === undefined) continue;
    if (token.type === "document") {
      if (token.value !== undefined) waiting.push([token.value, 0]);
    } else if ("items" in token) {
      if (depth >= MAX_DEPTH) return token.offset;
      for (const { key, value } of token.items) {
        if (key) waiting.push([key, depth + 1]);
        if (value) waiting.push([value, depth + 1]);
      }
    }
  }
  return null;
}
