import { type ConfigText, configTexts } from "../definitions/config_texts.ts";
import { withInner } from "../definitions/placeholder_parts.ts";
import { parseTemplate } from "../definitions/placeholder_syntax.ts";
import type { PlaceholderDialect } from "../model/source.ts";
import { type Finding, placeOfDefinition } from "./finding.ts";
import { isActive, type Subject } from "./subject.ts";

/** What was found in one text. */
type Told = Pick<Finding, "message" | "remedy">;

/**
 * White space around values and keys, quotes that were left around them, and credentials that
 * repeat or lack what follows their scheme. Names fields and variables, never a value. Values of
 * variables are looked at only where the definition may be evaluated. Pure.
 *
 * @param env The variables that placeholders are replaced from.
 */
export function whiteSpaceFindings(
  subject: Subject,
  env: Readonly<Record<string, string | undefined>>,
): readonly Finding[] {
  if (!isActive(subject)) return [];
  const { definition, decision } = subject;
  const { source } = definition;
  const isWhole = decision !== null && decision.expansion.problems.length === 0;
  const told = [
    ...configTexts(definition.config).filter((text) => !isCommand(text, source.dialect))
      .flatMap(textFaults),
    ...keyFaults(definition.config),
    ...(decision === null ? [] : variableFaults(subject, env)),
    ...schemeFaults(isWhole ? decision.expansion.config.headers : definition.config.headers ?? {}),
  ];
  return told.map((one): Finding => ({
    check: "white-space",
    severity: "warning",
    ...placeOfDefinition(definition),
    ...one,
  }));
}

/** Whether a text is a command that prints the value: white space around it means nothing. */
function isCommand({ text, map }: ConfigText, dialect: PlaceholderDialect): boolean {
  const [only, ...others] = parseTemplate(text, dialect, map);
  return only?.kind === "command" && others.length === 0;
}

function textFaults({ text, field }: ConfigText): readonly Told[] {
  const trimmed = text.trim();
  const isArgument = field.startsWith("args[");
  const told: Told[] = [];
  // An argument of several words may be a script, whose line ends do no harm.
  if (text !== trimmed && trimmed !== "" && !(isArgument && /\s/.test(trimmed))) {
    told.push({
      message: `"${field}" ${edges(text)}`,
      remedy: "Remove it: programs and servers take it for a part of the value",
    });
  }
  if (!isArgument && isQuoted(trimmed)) {
    told.push({
      message: `"${field}" has quotes of its own inside of the quotes of the file`,
      remedy: "Remove the inner quotes: they are taken for a part of the value",
    });
  }
  return told;
}

/** Names of variables and headers with white space around them. */
function keyFaults(
  { env = {}, headers = {} }: Subject["definition"]["config"],
): readonly Told[] {
  return [["variable", env], ["header", headers]].flatMap(([kind, map]) =>
    Object.keys(map ?? {}).filter((key) => key !== key.trim()).map((key) => ({
      message: `The name of the ${kind} "${key.trim()}" starts or ends with white space`,
      remedy: "Remove the white space from the name",
    }))
  );
}

/** Variables whose values have white space or quotes around them. */
function variableFaults(
  { definition: { config, source } }: Subject,
  env: Readonly<Record<string, string | undefined>>,
): readonly Told[] {
  const told = new Map<string, Told>();
  for (const { field, map, text } of configTexts(config)) {
    for (const part of parseTemplate(text, source.dialect, map).flatMap(withInner)) {
      const name = part.kind === "variable"
        ? part.name
        : part.kind === "input"
        ? part.variable
        : null;
      const value = name === null || !Object.hasOwn(env, name) ? undefined : env[name];
      if (name === null || value === undefined || told.has(name) || value.trim() === "") continue;
      if (value !== value.trim()) {
        told.set(name, {
          message: `The value of the variable "${name}", which "${field}" reads, ${edges(value)}`,
          remedy:
            "Set the variable without it; a file is read by $(cat file), without its line end",
        });
      } else if (isQuoted(value)) {
        told.set(name, {
          message: `The value of the variable "${name}", which "${field}" reads, has quotes in it`,
          remedy: "Set the variable without quotes in its value",
        });
      }
    }
  }
  return [...told.values()];
}

/** Credentials that surely are refused. */
function schemeFaults(headers: Readonly<Record<string, string>>): readonly Told[] {
  return Object.entries(headers).flatMap(([name, value]): readonly Told[] => {
    if (!/^(?:proxy-)?authorization$/i.test(name)) return [];
    const text = value.trim();
    const twice = /^(Bearer|Basic|Token)\s+\1\s/i.exec(text)?.[1];
    if (twice !== undefined) {
      return [{
        message: `"headers.${name}" says "${twice}" twice`,
        remedy: `Write "${twice}" once: in the file, or in the value of the variable, not in both`,
      }];
    }
    const alone = /^(Bearer|Basic|Token)$/i.exec(text)?.[1];
    return alone === undefined ? [] : [{
      message: `"headers.${name}" has nothing behind "${alone}"`,
      remedy: "Put the token there, or a placeholder for it",
    }];
  });
}

/** What stands around a value, in words. */
function edges(text: string): string {
  if (/[\r\n]\s*$/.test(text)) return "ends with a line end";
  return text !== text.trimEnd() ? "ends with white space" : "starts with white space";
}

/** Whether a text is one text in quotes. */
function isQuoted(text: string): boolean {
  const quote = text[0];
  return text.length > 2 && (quote === '"' || quote === "'") && text.endsWith(quote) &&
    !text.slice(1, -1).includes(quote);
}
