import { isJsonObject, type JsonValue } from "../../src/model/json.ts";
import type { Choices } from "./random_text.ts";

/** Writes a value as JSON with comments, in any layout that the choices lead to. */
export function writeJsonc(value: JsonValue, choices: Choices): string {
  const eol = choices.of(["\n", "\n", "\r\n", "\r"]);
  const unit = choices.of(["  ", "    ", "\t", " "]);
  let comments = 0;
  const blank = (): string => choices.of(["", "", "", " ", "  ", "\t"]);
  const lineComment = (): string => `//${choices.of(["", " "])}§${comments++} {["` + eol;
  const blockComment = (): string => `/* §${comments++} ${choices.once(4) ? eol : ""}*/`;
  const trivia = (indent: string): string => {
    const parts: string[] = [];
    while (choices.once(4)) {
      parts.push(
        choices.of([
          () => blank() + blockComment() + blank(),
          () => blank() + lineComment() + indent,
          () => eol + indent,
          () => blank(),
        ])(),
      );
    }
    return parts.join("");
  };
  const write = (item: JsonValue, indent: string): string => {
    const isList = Array.isArray(item);
    if (!isList && !isJsonObject(item)) return JSON.stringify(item);
    const [open, close] = isList ? ["[", "]"] : ["{", "}"];
    const entries = Object.entries(item);
    const lines = choices.once(2);
    const noisy = choices.once(2);
    const inner = indent + unit;
    const gap = lines ? eol + inner : choices.of(["", " "]);
    const noise = (): string => noisy ? trivia(inner) : "";
    let text = open + noise();
    entries.forEach(([key, child], index) => {
      if (index > 0) text += `${noise()},${noise()}`;
      text += gap + noise();
      if (!isList) {
        const colon = choices.of([":", ": ", ": ", " : "]);
        text += `${JSON.stringify(key)}${noise()}${colon}${noise()}`;
      }
      text += write((child ?? null) as JsonValue, inner);
    });
    if (entries.length > 0 && choices.once(4)) text += `${noise()},`;
    return text + noise() + (lines && (entries.length > 0 || choices.once(2)) ? eol + indent : "") +
      (lines ? "" : choices.of(["", " "])) + close;
  };
  const mark = choices.once(8) ? "\ufeff" : "";
  return mark + trivia("") + write(value, "") + choices.of(["", eol, eol]) + trivia("");
}
