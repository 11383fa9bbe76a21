import { isDeepStrictEqual } from "node:util";
import type { ServerConfig } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { PlaceholderDialect } from "../model/source.ts";
import { configTexts } from "./config_texts.ts";
import { knownPlaceholders, knows } from "./placeholder_dialects.ts";
import { isVariableName, type TemplatePart, withInner } from "./placeholder_parts.ts";
import { hasCommand, shellCommand } from "./placeholder_shell.ts";
import { parseTemplate } from "./placeholder_syntax.ts";
import { type Unwritable, writeParts } from "./placeholder_writing.ts";

/** A definition in another dialect. */
export interface TranslatedConfig {
  /** To be used only when there are no problems: texts that have one are left as they were. */
  readonly config: ServerConfig;
  /** What the other dialect cannot say; names the field and the kind of placeholder, no value. */
  readonly problems: readonly ErrorInfo[];
}

/**
 * Rewrites every text of a definition from one placeholder dialect into another, so that it means
 * the same there. A secret becomes its variable where the other dialect has no secrets. Whatever is
 * written is read once more as the other host would: what it would take for something else is a
 * problem, too. Texts that stay in their dialect are not touched, but may go to another host: what
 * the dialect's hosts do not know is a problem there as well. Pure; nothing is evaluated. Relative
 * paths of files are not moved.
 */
export function translateConfig(
  config: ServerConfig,
  from: PlaceholderDialect,
  to: PlaceholderDialect,
): TranslatedConfig {
  const problems: ErrorInfo[] = [];
  const written = new Map<string, string>();
  for (const { field, map, text } of configTexts(config)) {
    const failures = new Set<Unwritable>();
    if (from === to) {
      writeParts(parseTemplate(text, to, map), to, failures);
      for (const kind of failures) {
        if (READ_ONLY.has(kind)) problems.push(problemOf(field, kind, to));
      }
      continue;
    }
    const meant = forDialect(parseTemplate(text, from, map), to);
    const translated = writeParts(meant, to, failures);
    const isSame = isDeepStrictEqual(parseTemplate(translated, to, map), joined(meant));
    if (failures.size === 0 && !isSame) failures.add("text");
    for (const kind of failures) problems.push(problemOf(field, kind, to));
    if (failures.size === 0) written.set(field, translated);
  }
  return { config: withTexts(config, written), problems };
}

/** What is read in a dialect though its hosts do not know it. */
const READ_ONLY: ReadonlySet<Unwritable> = new Set<Unwritable>(["default", "nested", "input"]);

/** The parts as the other dialect can have them. */
function forDialect(
  parts: readonly TemplatePart[],
  to: PlaceholderDialect,
): readonly TemplatePart[] {
  const needsScript = hasCommand(parts) && (parts.length > 1 || parts[0]?.kind !== "command");
  // A folder, or a value of the user's, cannot be put into a script for good.
  const isScript = parts.flatMap(withInner).every(({ kind }) =>
    kind === "text" || kind === "variable" || kind === "command"
  );
  if (needsScript && isScript && knows(to, "bang")) {
    return [{ kind: "command", command: shellCommand(parts, () => "") }];
  }
  return parts.map((part) => partForDialect(part, to));
}

function partForDialect(part: TemplatePart, to: PlaceholderDialect): TemplatePart {
  const inner = (parts: readonly TemplatePart[]): readonly TemplatePart[] =>
    parts.map((one) => partForDialect(one, to));
  switch (part.kind) {
    case "variable":
      // Where only secrets can be written, they are looked for among the variables, too.
      if (part.fallback === null && part.windows !== true && knows(to, "expression")) {
        return { kind: "input", id: part.name, variable: part.name, secret: true };
      }
      return { ...part, fallback: part.fallback === null ? null : inner(part.fallback) };
    case "file":
      return { kind: "file", path: inner(part.path) };
    case "input": {
      const isKnown = knows(to, "secret") || knows(to, "expression");
      if (!part.secret || isKnown || !isVariableName(part.variable)) return part;
      return { kind: "variable", name: part.variable, fallback: null };
    }
    default:
      return part;
  }
}

/** Parts with neighbouring texts in one piece, as reading gives them. */
function joined(parts: readonly TemplatePart[]): readonly TemplatePart[] {
  const result: TemplatePart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (part.kind === "text" && last?.kind === "text") {
      result[result.length - 1] = { kind: "text", text: last.text + part.text };
    } else result.push(part);
  }
  return result;
}

/** What each kind is called in a message. */
const WORDS: Readonly<Record<Unwritable, string>> = {
  variable: "a variable",
  default: "the default of a variable",
  nested: "a default with a placeholder or brace in it",
  folder: "a folder variable",
  input: "a value that the user gives",
  secret: "a secret",
  file: "the content of a file",
  command: "the output of a command",
  unknown: "an unknown placeholder",
  windows: "a variable that only Windows knows",
  text: "a text that would be read otherwise",
};

function problemOf(field: string, kind: Unwritable, to: PlaceholderDialect): ErrorInfo {
  return {
    code: "config-invalid",
    message: `Cannot translate "${field}": it holds ${WORDS[kind]}, which cannot be written there`,
    hint: `Placeholders that can be written there: ${knownPlaceholders(to)}`,
  };
}

/** The definition with texts put into the places of its own. */
function withTexts(config: ServerConfig, written: ReadonlyMap<string, string>): ServerConfig {
  const one = (key: "command" | "cwd" | "url" | "envFile"): Partial<ServerConfig> => {
    const text = written.get(key);
    return text === undefined ? {} : { [key]: text };
  };
  const { args, env, headers } = config;
  return {
    ...config,
    ...one("command"),
    ...one("cwd"),
    ...one("url"),
    ...one("envFile"),
    ...(args === undefined
      ? {}
      : { args: args.map((text, index) => written.get(`args[${index}]`) ?? text) }),
    ...(env === undefined ? {} : {
      env: Object.fromEntries(
        Object.entries(env).map(([key, text]) => [key, written.get(`env.${key}`) ?? text]),
      ),
    }),
    ...(headers === undefined ? {} : {
      headers: Object.fromEntries(
        Object.entries(headers).map(([key, text]) => [key, written.get(`headers.${key}`) ?? text]),
      ),
    }),
  };
}
