import type { YAMLError } from "yaml";

const IN_QUOTES = "(text with special characters is written in quotes)";
const WINDOWS_PATH = "(a Windows path: write it in single quotes or with forward slashes)";

/** What the parser's codes mean to somebody who looks at the file. */
const FAULTS: Readonly<Record<string, string>> = {
  ALIAS_PROPS: "expected an alias without a tag or an anchor of its own",
  BAD_ALIAS: 'expected a name after "&" or "*" (text that begins with them is written in quotes)',
  BAD_COLLECTION_TYPE: "expected a tag that fits its value",
  BAD_DIRECTIVE: 'expected a directive such as "%YAML 1.2" at the start of the line',
  BAD_DQ_ESCAPE: `expected a known escape after the backslash ${WINDOWS_PATH}`,
  BAD_INDENT: "expected the same indentation as the entries around it",
  BAD_PROP_ORDER: 'expected anchors and tags after "-", "?" or ":"',
  BAD_SCALAR_START: `expected a value, found a reserved character ${IN_QUOTES}`,
  BLOCK_AS_IMPLICIT_KEY:
    `expected one ": " on the line and nested entries on lines of their own ${IN_QUOTES}`,
  BLOCK_IN_FLOW: 'expected no entries on lines of their own within "{" or "["',
  IMPOSSIBLE: "expected YAML",
  KEY_OVER_1024_CHARS: "expected a key of at most 1024 characters",
  MISSING_CHAR: "expected another character",
  MULTILINE_IMPLICIT_KEY: 'expected a key and ":" on one line',
  MULTIPLE_ANCHORS: "expected one anchor",
  MULTIPLE_TAGS: "expected one tag",
  RESOURCE_EXHAUSTION: "expected fewer maps and lists in each other",
  TAB_AS_INDENT: "expected spaces as indentation, found a tab",
  TAG_RESOLVE_FAILED: "expected a value that its tag allows",
  UNEXPECTED_TOKEN: "expected the end of the value",
};

/** What some messages of the parser begin with, and their clauses. */
const SPECIAL: readonly (readonly [start: RegExp, clause: string])[] = [
  [/^Missing closing/, "expected quotes at the end of the string"],
  [/^Missing directives-end/, 'expected "---" after the directives'],
  [/^Missing space after :/, 'expected a space after ":"'],
  [/^Missing ,/, 'expected "," between the entries'],
  [/^Flow map .*must end|^Flow map in block/, 'expected "}" at the end of the entries'],
  [/^Flow sequence .*must end|^Flow sequence in block/, 'expected "]" at the end of the entries'],
  [/^Implicit map keys need/, 'expected ":" and a space after the key'],
  [/^Comments must/, 'expected a space before "#"'],
  [/^Tags and anchors must/, "expected a space after the tag or anchor"],
  [/^Block scalar|^Block scalars/, "expected the text of the block to be indented further"],
  [/^Sequence item without/, 'expected "-" before the entry'],
  [/^Unexpected ,|^Unexpected empty item/, 'expected a value before ","'],
  [/^Block collection cannot start/, 'expected the end of the line after "---"'],
];

/** Says what was expected, as a clause. Never quotes the text, as the parser's message may do. */
export function yamlFault(error: YAMLError): string {
  const special = SPECIAL.find(([start]) => start.test(error.message))?.[1];
  return special ?? FAULTS[error.code] ?? "expected YAML";
}
