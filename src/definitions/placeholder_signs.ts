import { knows } from "./placeholder_dialects.ts";
import type { FoundPart, TemplatePart, TemplatePlace } from "./placeholder_parts.ts";

/**
 * Reads `$NAME`, `$env:NAME` or `$(command)` at the offset of a dollar sign; `null` where it is
 * plain text, as one that no name follows.
 */
export function readDollar(text: string, at: number, place: TemplatePlace): FoundPart | null {
  const { dialect } = place;
  if (text[at + 1] === "(") return knows(dialect, "shell") ? readShell(text, at) : null;
  if (knows(dialect, "dollar-env")) {
    const name = match(/\$env:([A-Za-z_][A-Za-z0-9_]*)/y, text, at);
    if (name !== null) return variable(name, at + "$env:".length + name.length);
  }
  if (!knows(dialect, "dollar")) return null;
  const name = match(/\$([A-Za-z_][A-Za-z0-9_]*)/y, text, at);
  return name === null ? null : variable(name, at + 1 + name.length);
}

/** Reads `%NAME%` at the offset of a percent sign; only values of `env` have it, on Windows. */
export function readPercent(text: string, at: number, place: TemplatePlace): FoundPart | null {
  if (place.map !== "env" || !knows(place.dialect, "percent")) return null;
  const name = match(/%([A-Za-z_][A-Za-z0-9_()]*)%/y, text, at);
  if (name === null) return null;
  const part: TemplatePart = { kind: "variable", name, fallback: null, windows: true };
  return { part, end: at + 2 + name.length };
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[1] ?? null;
}

function variable(name: string, end: number): FoundPart {
  return { part: { kind: "variable", name, fallback: null }, end };
}

/** `$(command)`; arithmetic, which looks alike, is no command. */
function readShell(text: string, at: number): FoundPart {
  const end = closingParenthesis(text, at + 1);
  const isArithmetic = text[at + 2] === "(" && text[end - 1] === ")";
  if (end === text.length || isArithmetic) {
    // Neither a command nor what follows it is quoted: it may hold a secret.
    return { part: { kind: "unknown", shown: "$(…" }, end: Math.min(end + 1, text.length) };
  }
  return { part: { kind: "command", command: text.slice(at + 2, end).trim() }, end: end + 1 };
}

/** Offset of the parenthesis that closes the one at an offset, past quoted ones; else the end. */
function closingParenthesis(text: string, open: number): number {
  let depth = 0;
  let quote = "";
  for (let at = open; at < text.length; at++) {
    const sign = text[at];
    if (sign === "\\" && quote !== "'") at++;
    else if (quote !== "") quote = sign === quote ? "" : quote;
    else if (sign === "'" || sign === '"') quote = sign;
    else if (sign === "(") depth++;
    else if (sign === ")" && --depth === 0) return at;
  }
  return text.length;
}
