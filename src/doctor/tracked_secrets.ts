import type { Definition } from "../model/definition.ts";
import type { PlaceholderDialect } from "../model/source.ts";
import { knows, knowsBraces } from "../definitions/placeholder_dialects.ts";
import { type Finding, listed, placeOfDefinition } from "./finding.ts";
import type { Tracking } from "./git_tracking.ts";

/** A definition with secrets in plain text. */
export interface SecretHolder {
  /** The definition. */
  readonly definition: Definition;
  /** The fields that hold one. */
  readonly fields: readonly string[];
  /** What git does with its file. */
  readonly tracking: Tracking;
}

/** Secrets in a file that git tracks, and so gives to everybody who gets the repository. Pure. */
export function trackedSecretFindings(holder: SecretHolder): readonly Finding[] {
  const { definition, fields, tracking } = holder;
  if (fields.length === 0) return [];
  const place = placeOfDefinition(definition);
  const remedy = remedyFor(definition, fields);
  const what = `${listed(fields)} ${fields.length === 1 ? "holds a secret" : "hold secrets"}`;
  switch (tracking) {
    case "tracked":
      return [{
        check: "tracked-secrets",
        severity: "error",
        ...place,
        message: `${what} as plain text in a file that git tracks`,
        remedy: `${remedy}; then have the secret replaced where it was issued, as git keeps the ` +
          "old text",
      }];
    case "unknown":
      return [{
        check: "tracked-secrets",
        severity: "info",
        ...place,
        message: `${what} as plain text, and it cannot be told whether git tracks the file: its ` +
          "index cannot be read",
        remedy: `See "git ls-files" for the file; if it is listed: ${remedy}`,
      }];
    default:
      return [];
  }
}

/** How the secret gets out of the file. */
function remedyFor({ source }: Definition, fields: readonly string[]): string {
  const key = fields[0]?.split(".").at(-1) ?? "";
  const name = /^[A-Za-z_]\w*$/.test(key) && fields[0]?.startsWith("env.") === true ? key : "TOKEN";
  const placeholder = variableIn(source.dialect, name);
  return placeholder === null
    ? `Keep it in a variable of the environment and not in the file`
    : `Put it into a variable of the environment and write "${placeholder}" in its place`;
}

/** A variable as a dialect writes it; `null` when it has none. */
function variableIn(dialect: PlaceholderDialect, name: string): string | null {
  if (knows(dialect, "curly")) return `{env:${name}}`;
  if (knows(dialect, "expression")) return `\${{ secrets.${name} }}`;
  if (!knowsBraces(dialect)) return null;
  return knows(dialect, "name") ? `\${${name}}` : `\${env:${name}}`;
}
