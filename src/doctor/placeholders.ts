import { configTexts } from "../definitions/config_texts.ts";
import { knownPlaceholders } from "../definitions/placeholder_dialects.ts";
import { withInner } from "../definitions/placeholder_parts.ts";
import { parseTemplate } from "../definitions/placeholder_syntax.ts";
import type { Definition } from "../model/definition.ts";
import { isExampleText } from "./example_text.ts";
import { type Finding, type FindingPlace, placeOfDefinition } from "./finding.ts";
import { leftovers } from "./leftovers.ts";
import { isActive, type Subject } from "./subject.ts";

/**
 * Placeholders that cannot be replaced, that nobody replaces, and texts of an example that were
 * left in their place. What they stand for is looked at only where the definition may be evaluated.
 * Pure.
 */
export function placeholderFindings(subject: Subject): readonly Finding[] {
  if (!isActive(subject)) return [];
  const { definition } = subject;
  const place = placeOfDefinition(definition);
  return [
    ...unreplaced(subject, place),
    ...leftInPlace(subject, place),
    ...examples(definition, place),
  ];
}

/** What replacing met; of a definition that may not be evaluated, what no replacing could mend. */
function unreplaced({ definition, decision, wins }: Subject, place: FindingPlace): Finding[] {
  const severity = wins ? "error" : "warning";
  if (decision !== null) {
    return decision.expansion.problems.map(({ message, hint }): Finding => ({
      check: "placeholders",
      severity,
      ...place,
      message,
      remedy: hint ?? "Correct that value in the file",
    }));
  }
  const { config, source } = definition;
  return configTexts(config).flatMap(({ field, map, text }) => {
    const unknown = parseTemplate(text, source.dialect, map).flatMap(withInner)
      .find((part) => part.kind === "unknown");
    return unknown === undefined ? [] : [{
      check: "placeholders" as const,
      severity,
      ...place,
      message: `Cannot expand "${field}": the placeholder "${unknown.shown}" is not known here`,
      remedy: `Known are ${knownPlaceholders(source.dialect)}`,
    }];
  });
}

/** Texts that look like placeholders and are none here. */
function leftInPlace({ definition, literal }: Subject, place: FindingPlace): Finding[] {
  const { config, source } = definition;
  return leftovers(config, source.dialect, literal).map(({ field, shown }): Finding => ({
    check: "placeholders",
    severity: "warning",
    ...place,
    message: `${source.label} reads "${shown}" in "${field}" literally`,
    remedy: literal === true
      ? LITERAL_REMEDIES[source.id] ?? "Write the value itself: this agent replaces nothing"
      : `Write the value itself, or one of ${knownPlaceholders(source.dialect)}`,
  }));
}

/** How agents that replace nothing take a variable. */
const LITERAL_REMEDIES: Readonly<Record<string, string>> = {
  "codex": 'Name the variable: in "env_vars" for a program; in "bearer_token_env_var" or ' +
    '"env_http_headers" for a remote server',
  "goose": 'Name the variable in "env_keys", and keep its value with "goose configure"',
};

/** Values that an example has in their place. */
function examples({ config }: Definition, place: FindingPlace): Finding[] {
  return configTexts(config).filter(({ text }) => isExampleText(text))
    .map(({ field }): Finding => ({
      check: "placeholders",
      severity: "warning",
      ...place,
      message: `"${field}" still holds the text of an example`,
      remedy: "Put your own value there",
    }));
}
