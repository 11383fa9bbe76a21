import { type Document, isMap, isSeq, type Node, visit } from "yaml";
import { lineStart } from "./text_lines.ts";
import type { YamlStyle } from "./yaml_print.ts";
import { listOf } from "./yaml_tree.ts";

/** How a text is written, by the first example of each kind in it; otherwise two columns. */
export function styleOf(document: Document, text: string, eol: string): YamlStyle {
  let unit: number | undefined;
  let listUnit: number | undefined;
  let flowLists: boolean | undefined;
  visit(document, {
    Pair: (_key, { key, value }) => {
      const list = isMap(value) || isSeq(value) ? listOf(value, text) : null;
      if (list === null || list.items.length === 0) return;
      const depth = columnOf(text, list.start) - columnOf(text, (key as Node).range?.[0] ?? 0);
      if (!list.isFlow && list.isMap && depth > 0) unit ??= depth;
      if (!list.isFlow && !list.isMap && depth >= 0) listUnit ??= depth;
      const isPlain = list.items.every((item) => !isMap(item.value) && !isSeq(item.value));
      if (!list.isMap && isPlain) flowLists ??= list.isFlow;
    },
  });
  return {
    eol,
    unit: unit ?? 2,
    listUnit: listUnit ?? unit ?? 2,
    flowLists: flowLists ?? false,
  };
}

/** How many characters stand before an offset on its line. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}
