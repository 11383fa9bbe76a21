import { isJsonObject, type JsonValue } from "../../src/model/json.ts";
import { printFlow, printText, printYamlKey } from "../../src/formats/yaml_print.ts";
import type { Choices } from "./random_text.ts";

/** Writes a value as YAML, in any layout that the choices lead to. */
export function writeYaml(value: JsonValue, choices: Choices): string {
  const eol = choices.of(["\n", "\n", "\r\n", "\r"]);
  let comments = 0;
  const comment = (): string => `#${choices.of(["", " "])}§${comments++} {["`;
  const between = (column: number): string => {
    let text = "";
    while (choices.once(4)) {
      text += choices.of([eol, `${comment()}${eol}`, `${" ".repeat(column)}${comment()}${eol}`]);
    }
    return text;
  };
  const tail = (): string => choices.of(["", "", " ", `  ${comment()}`]) + eol;
  const key = (name: string): string => choices.once(6) ? JSON.stringify(name) : printYamlKey(name);
  const isSimple = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);
  const scalar = (item: JsonValue): string => {
    if (typeof item !== "string") return printFlow(item);
    if (choices.once(4) && isSimple(item)) return printText(item, "single");
    return choices.once(4) ? printText(item, "double") : printText(item);
  };
  const flow = (item: JsonValue, column: number): string => {
    const isList = Array.isArray(item);
    if (!isList && !isJsonObject(item)) return scalar(item);
    const [open, close] = isList ? ["[", "]"] : ["{", "}"];
    const lines = choices.once(4);
    const pad = lines ? eol + " ".repeat(column + 2) : choices.of(["", " "]);
    const items = Object.entries(item).map(([name, one]) =>
      (isList ? "" : `${key(name)}: `) + flow((one ?? null) as JsonValue, column + 2)
    );
    const note = lines && choices.once(2) ? `  ${comment()}` : "";
    const comma = items.length > 0 && choices.once(4) ? "," : "";
    const body = items.join(lines ? `,${note}${pad}` : choices.of([",", ", "]).padEnd(2));
    return `${open}${items.length === 0 ? "" : pad}${body}${comma}${pad}${close}`;
  };
  const isBlock = (item: JsonValue): boolean =>
    typeof item === "object" && item !== null && Object.keys(item).length > 0 && !choices.once(5);
  /** Lines of a value; the first begins where the text stands, at the column. */
  const block = (item: JsonValue, column: number): string => {
    const indent = " ".repeat(column);
    return Object.entries(item as object).map(([name, child]: [string, JsonValue], index) => {
      const lead = index === 0 ? "" : between(column) + indent;
      const own = Array.isArray(item) ? "-" : `${key(name)}:`;
      if (!isBlock(child)) {
        if (child === null && choices.once(2)) return `${lead}${own}${tail()}`;
        if (typeof child === "string" && /^[a-z]+\n$/.test(child)) {
          return `${lead}${own} |${eol}${indent}   ${child.trimEnd()}${eol}`;
        }
        const gap = choices.of([" ", " ", "  "]);
        return `${lead}${own}${gap}${flow(child, column + 1)}${tail()}`;
      }
      if (Array.isArray(item) && !choices.once(5)) return `${lead}- ${block(child, column + 2)}`;
      const least = Array.isArray(child) && !Array.isArray(item) ? 0 : 1;
      const inner = column + choices.of([2, 2, 4, least]);
      return `${lead}${own}${tail()}${between(inner)}${" ".repeat(inner)}${block(child, inner)}`;
    }).join("");
  };
  const root = Object.keys(value as object).length === 0 || choices.once(8)
    ? `${flow(value, 0)}${tail()}`
    : block(value, 0);
  const start = choices.once(8) ? `---${eol}` : "";
  const mark = choices.once(8) ? "\ufeff" : "";
  const text = mark + between(0) + start + between(0) + root + between(0);
  return choices.once(4) && !/\|/.test(text) ? text.replace(/(?:\r\n|\r|\n)$/, "") : text;
}
