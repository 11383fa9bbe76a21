import { createTwoFilesPatch } from "diff";
import { isPlaceholder, isSecretName, isTokenShaped } from "../definitions/secret_words.ts";
import { argumentSecrets } from "../definitions/secret_arguments.ts";
import { textMasker } from "../definitions/secrets.ts";
import { urlSecrets } from "../definitions/shown_url.ts";
import { parseText } from "../formats/parse_text.ts";
import { isJsonObject, type JsonValue } from "../model/json.ts";
import { textFormatOf } from "../sources/config_document.ts";
import type { EditedFile } from "./file_edit.ts";

/** Lines of context around a change. */
const CONTEXT_LINES = 2;

/** Keys whose values are given to a server, and may be secrets whatever their names. */
const VALUE_MAPS: ReadonlySet<string> = new Set([
  "env",
  "environment",
  "envs",
  "headers",
  "http_headers",
  "requestOptions",
]);

/** What changed in a file, as a unified diff in which every likely secret is replaced. */
export async function maskedDiff(file: EditedFile): Promise<string> {
  const { path, before, after } = file;
  const secrets = [...await secretsOf(path, before ?? ""), ...await secretsOf(path, after)];
  const patch = createTwoFilesPatch(path, path, before ?? "", after, undefined, undefined, {
    context: CONTEXT_LINES,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return textMasker(secrets)(patch);
}

/** Every text of a config file that may be a secret. */
async function secretsOf(path: string, text: string): Promise<readonly string[]> {
  const parsed = await parseText(text, textFormatOf(path));
  const found: string[] = [];
  if (parsed.ok) collect(parsed.document.value, "", false, found);
  return found;
}

function collect(value: JsonValue | undefined, key: string, inMap: boolean, found: string[]): void {
  if (typeof value === "string") {
    if ((inMap || isSecretName(key) || isTokenShaped(value)) && !isPlaceholder(value)) {
      found.push(value, ...value.split(/\r?\n/).filter((line) => line.length >= 8));
    }
    found.push(...urlSecrets(value));
    return;
  }
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    found.push(...argumentSecrets(items.filter((item) => typeof item === "string")));
    for (const item of items) collect(item, key, inMap, found);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [name, item] of Object.entries(value)) {
    collect(item, name, inMap || VALUE_MAPS.has(key), found);
  }
}
