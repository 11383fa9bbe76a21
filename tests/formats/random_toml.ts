import { isJsonObject, type JsonValue } from "../../src/model/json.ts";
import { printKey, printToml } from "../../src/formats/toml_print.ts";
import type { Choices } from "./random_text.ts";

/** Writes a value as TOML, in any layout that the choices lead to. */
export function writeToml(value: JsonValue, choices: Choices): string {
  const eol = choices.of(["\n", "\n", "\r\n"]);
  const indent = choices.of(["", "", "", "  ", "\t"]);
  let comments = 0;
  const comment = (): string => `#${choices.of(["", " "])}§${comments++} {["`;
  const between = (): string => {
    let text = "";
    while (choices.once(3)) text += choices.of([eol, eol, `${comment()}${eol}`, `  ${eol}`]);
    return text;
  };
  const tail = (): string => choices.of(["", "", " ", `  ${comment()}`]) + eol;
  const key = (name: string): string =>
    choices.once(8) && /^[^'\p{Cc}]*$/u.test(name) ? `'${name}'` : printKey(name);
  const noise = (): string =>
    choices.once(5) ? choices.of([" ", `${comment()}${eol}`, eol, `${eol}    `]) : "";
  const inline = (item: JsonValue): string => {
    if (Array.isArray(item)) {
      const lines = choices.once(3);
      const items = item.map((one: JsonValue) =>
        (lines ? `${eol}  ` : "") + noise() + inline(one) + noise()
      );
      const comma = items.length > 0 && choices.once(4) ? `,${noise()}` : "";
      return `[${noise()}${items.join(choices.of([",", ", "]))}${comma}${lines ? eol : ""}]`;
    }
    if (isJsonObject(item)) {
      const pad = choices.of(["", " "]);
      const entries = Object.entries(item).map(([name, one]) =>
        `${key(name)}${choices.of(["=", " = "])}${inline(one ?? null)}`
      );
      return `{${pad}${entries.join(choices.of([",", ", "]))}${pad}}`;
    }
    if (typeof item === "string" && choices.once(3) && /^[^'\p{Cc}]*$/u.test(item)) {
      return `'${item}'`;
    }
    return printToml(item);
  };
  const isList = (item: unknown): item is readonly JsonValue[] =>
    Array.isArray(item) && item.length > 0 && item.every(isJsonObject);
  const table = (item: JsonValue, names: readonly string[]): string => {
    const entries = Object.entries(item as object) as [string, JsonValue][];
    const asTable = new Set(
      entries.filter(([, one]) => (isJsonObject(one) || isList(one)) && !choices.once(4))
        .map(([name]) => name),
    );
    let text = "";
    for (const [name, one] of entries) {
      if (asTable.has(name)) continue;
      const dotted = isJsonObject(one) && Object.keys(one).length > 0 && choices.once(2);
      if (dotted) {
        for (const [inner, leaf] of Object.entries(one)) {
          text += `${between()}${indent}${key(name)}.${key(inner)} = ${
            inline(leaf ?? null)
          }${tail()}`;
        }
      } else {
        text += `${between()}${indent}${key(name)}${choices.of(["=", " = "])}${
          inline(one)
        }${tail()}`;
      }
    }
    for (const [name, one] of entries) {
      if (!asTable.has(name)) continue;
      const path = [...names, key(name)];
      if (isList(one)) {
        for (const child of one) {
          text += `${between()}[[${path.join(".")}]]${tail()}${table(child, path)}`;
        }
        continue;
      }
      const parts = Object.values(one as object);
      const implicit = parts.length > 0 && parts.every(isJsonObject) && choices.once(2);
      const header = implicit ? "" : `${between()}[${path.join(".")}]${tail()}`;
      text += header + (implicit ? implicitTable(one, path) : table(one, path));
    }
    return text;
  };
  const implicitTable = (item: JsonValue, names: readonly string[]): string =>
    (Object.entries(item as object) as [string, JsonValue][]).map(([name, one]) =>
      `${between()}[${[...names, key(name)].join(".")}]${tail()}${
        table(one, [...names, key(name)])
      }`
    ).join("");
  const text = (choices.once(8) ? "\ufeff" : "") + table(value, []) + between();
  return choices.once(4) ? text.replace(/\r?\n$/, "") : text;
}
