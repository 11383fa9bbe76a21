import type { Document } from "yaml";
import type { JsonValue } from "../model/json.ts";
import { addToList, removeFromList } from "./comma_list.ts";
import { EditRefusal } from "./edit_refusal.ts";
import { lineEndOf } from "./text_lines.ts";
import type { TextPatch } from "./text_patch.ts";
import type { EditStep } from "./value_steps.ts";
import { composeYaml, lineFeeds } from "./yaml.ts";
import { addToBlock, openBlock, removeFromBlock } from "./yaml_block.ts";
import { printEntry, printFlow, printLines, printYamlKey, type YamlStyle } from "./yaml_print.ts";
import { setYamlValue } from "./yaml_set.ts";
import { styleOf } from "./yaml_style.ts";
import { missingEntry, refuseAlias, refuseMerged, refuseNamedInside } from "./yaml_shared.ts";
import { isEmpty, listOf, spotsTo, type YamlList } from "./yaml_tree.ts";

/** Makes one step in a YAML text. */
export function editYaml(text: string, step: EditStep): readonly TextPatch[] {
  const body = lineFeeds(text);
  const composed = composeYaml(body);
  if (!composed.ok) throw new EditRefusal(composed.message, null);
  const { document } = composed;
  const style = styleOf(document, body, lineEndOf(text));
  if (isEmpty(document.contents)) return step.kind === "remove" ? [] : newFile(text, step, style);
  const { path } = step;
  if (step.kind === "add") return addValue(document, body, path, step.value, style);
  const spots = spotsTo(document, body, path);
  const spot = spots.at(-1);
  if (spot === undefined || spots.length !== path.length + 1) {
    if (step.kind === "set" && spots.length === path.length) {
      return addValue(document, body, path, step.value, style);
    }
    const holder = spot?.value ?? null;
    throw missingEntry(holder === null ? null : listOf(holder, body));
  }
  refuseNamedInside(spot.value, document);
  if (step.kind === "set") return setYamlValue(body, spot, step.value, style);
  const { list, item } = spot;
  if (list === null || item === null) throw new EditRefusal("expected a key to remove", null);
  const index = list.items.indexOf(item);
  const same = list.isMap ? list.items.filter(({ key }) => key === item.key).length : 1;
  if (same > 1) throw new EditRefusal("expected the key once, found it again", item.start);
  if (item.key !== null) refuseMerged(list, item.key, document);
  if (list.isFlow) return removeFromList(commaList(body, list), index);
  return removeFromBlock(body, list, index, spots.at(-2)?.item ?? null);
}

/** Writes the first value into a text of white space, comments and document markers. */
function newFile(
  text: string,
  { path, value }: EditStep & { readonly value: JsonValue },
  style: YamlStyle,
): readonly TextPatch[] {
  const nested = path.reduceRight<JsonValue>(
    (inner, key) => Object.fromEntries([[key, inner]]),
    value,
  );
  const gap = text === "" || /[\r\n]$/.test(text) ? "" : style.eol;
  const added = `${gap}${printLines(nested, 0, style)}${style.eol}`;
  return [{ offset: text.length, length: 0, text: added }];
}

function addValue(
  document: Document,
  text: string,
  path: readonly string[],
  value: JsonValue,
  style: YamlStyle,
): readonly TextPatch[] {
  const parent = path.slice(0, -1);
  const key = path.at(-1) ?? "";
  const spots = spotsTo(document, text, parent);
  const spot = spots.at(-1);
  const list = spot?.value ? listOf(spot.value, text) : null;
  if (spot === undefined || list === null || spots.length !== path.length) {
    refuseAlias(spot?.value ?? null);
    throw missingEntry(list);
  }
  const write = (column: number): string =>
    list.isMap ? printEntry(key, value, column, style) : printLines(value, column + 2, style);
  if (!list.isFlow) return addToBlock(text, list, write, style);
  const opened = openBlock(text, list, spot, value, write, style);
  if (opened !== null) return opened;
  const inline = (list.isMap ? `${printYamlKey(key)}: ` : "") + printFlow(value);
  return addToList(commaList(text, list), {
    inline,
    block: () => inline,
    eol: style.eol,
    unit: " ".repeat(style.unit),
    separator: " ",
    wrap: false,
    padding: list.isMap ? " " : "",
  });
}

function commaList(text: string, list: YamlList): Parameters<typeof addToList>[0] {
  const { items, start, end } = list;
  return { text, open: start + 1, close: end - 1, items, comments: "hash" };
}
