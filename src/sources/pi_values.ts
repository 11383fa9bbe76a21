import { escapeLiteral, parseTemplate } from "../definitions/placeholder_syntax.ts";

/** A variable, or one of the escapes, or a brace that closes nothing pi knows. */
const SIGN = /\$(?:[$!]|\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g;

/**
 * A value of `env` or `headers` as pi writes it, in the dialect `hotplug`: `$V` and `${V}` are
 * variables, `$$` and `$!` a plain sign, and a value that begins with `!` is a command. `null` for a
 * plain `!` at the begin and for a plain `$` before a variable, which the dialect takes for something
 * else.
 */
export function fromPiValue(value: string): string | null {
  if (value.startsWith("!")) return value;
  let text = "";
  let plain = "";
  let at = 0;
  for (const match of value.matchAll(SIGN)) {
    plain += value.slice(at, match.index);
    at = match.index + match[0].length;
    const name = match[1] ?? match[2];
    if (name === undefined) plain += match[0].slice(1);
    else if (plain.endsWith("$")) return null;
    else {
      text += `${escapeLiteral(plain)}\${env:${name}}`;
      plain = "";
    }
  }
  text += escapeLiteral(plain + value.slice(at));
  return text.startsWith("!") ? null : text;
}

/** The same value as pi writes it; `null` for what pi has no way to say. */
export function toPiValue(text: string): string | null {
  let value = "";
  for (const part of parseTemplate(text, "hotplug", "env")) {
    if (part.kind === "text") value += part.text.replaceAll("$", "$$$$");
    else if (part.kind === "variable" && part.fallback === null) value += `\${${part.name}}`;
    else if (part.kind === "command") return `!${part.command}`;
    else return null;
  }
  return value.startsWith("!") ? `$${value}` : value;
}
