import { createTwoFilesPatch } from "diff";
import { textMasker } from "../definitions/secrets.ts";
import type { TextFormat } from "../formats/parse_text.ts";
import { textFormatOf } from "../sources/config_document.ts";
import type { EditedFile } from "./file_edit.ts";
import { secretsInLine, secretsInText } from "./text_secrets.ts";

/** Lines of context around a change. */
const CONTEXT_LINES = 2;
/** Characters after which a line is cut: some files hold all that they hold on one. */
const LONGEST_LINE = 400;
/** Lines at the top of a patch that name the file. */
const HEADER_LINES = 2;
const MASK = "***";

/**
 * What changed in a file, as a unified diff in which every likely secret is replaced. When one
 * might be left, as a text that is written in an unusual way leaves it, only keys are shown.
 */
export async function maskedDiff(file: EditedFile): Promise<string> {
  const { path, after } = file;
  const before = file.before ?? "";
  const patch = createTwoFilesPatch(path, path, before, after, undefined, undefined, {
    context: CONTEXT_LINES,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  const lines = patch.split(/\r?\n/);
  const [header, body] = [lines.slice(0, HEADER_LINES), lines.slice(HEADER_LINES)];
  const format = textFormatOf(path);
  const texts = [before, after];
  const found = (await Promise.all(texts.map((text) => secretsInText(text, format)))).flat();
  const mask = textMasker([...found.filter((one) => one !== null), ...body.flatMap(secretsInLine)]);
  const covered = await Promise.all(texts.map((text) => isCovered(mask(text), format)));
  const show = covered.every((one) => one) ? mask : keysOnly;
  return [...header, ...body.map((line) => cut(line.startsWith("@@") ? line : show(line)))]
    .join("\n");
}

/** Whether nothing in a masked text is a secret any more; `false` when that cannot be told. */
async function isCovered(masked: string, format: TextFormat): Promise<boolean> {
  // The mask itself is no value in every format; three digits are, and are no secret.
  const left = await secretsInText(masked.replaceAll(MASK, "111"), format);
  return left !== null && left.every((secret) => /^[1\s]*$/.test(secret));
}

/** What stands before the value in a line of any format: indentation, dash, key and separator. */
const BEFORE_VALUE =
  /^[-+ ]\s*(?:-\s+)?(?:(?:"[^"]*"|'[^']*'|[\w.-]+)\s*(?::(?=\s|$|["'[{])|=(?=\s*["'[{\dtf]))\s*)?/;

/** A line of a diff with its key and its brackets alone. */
function keysOnly(line: string): string {
  const start = BEFORE_VALUE.exec(line)?.[0] ?? "";
  return /^[\s{}[\],]*$/.test(line.slice(start.length)) ? line : `${start}${MASK}`;
}

function cut(line: string): string {
  if (line.length <= LONGEST_LINE) return line;
  return `${line.slice(0, LONGEST_LINE)}… (${line.length - LONGEST_LINE} more characters)`;
}
