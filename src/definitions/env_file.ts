import type { ResolvedConfig } from "../model/definition.ts";

/**
 * Reads `NAME=value` lines. Blank lines and `#` comments are skipped, `export ` before a name too;
 * single quotes keep a value as it is, double quotes also know `\n`, `\r`, `\t`, `\"` and `\\`;
 * ` #` ends an unquoted value. Nothing is expanded. The last of equal names counts.
 */
export function parseEnvFile(text: string): Readonly<Record<string, string>> {
  const values = new Map<string, string>();
  for (const line of text.split(/\r\n|\r|\n/)) {
    const match = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=(.*)$/.exec(line);
    if (match !== null) values.set(match[1] ?? "", unquoted((match[2] ?? "").trim()));
  }
  return Object.fromEntries(values);
}

/** The definition with a file's variables below its own `env`. */
export function withEnvFile(config: ResolvedConfig, text: string): ResolvedConfig {
  return { ...config, env: { ...parseEnvFile(text), ...config.env } };
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function unquoted(value: string): string {
  const single = /^'([^']*)'\s*(?:#.*)?$/.exec(value);
  if (single !== null) return single[1] ?? "";
  const double = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(value);
  if (double !== null) {
    return (double[1] ?? "").replace(/\\([nrt"\\])/g, (_, letter) => ESCAPES[letter] ?? letter);
  }
  const comment = value.search(/(?:^|\s)#/);
  return comment < 0 ? value : value.slice(0, comment).trimEnd();
}
