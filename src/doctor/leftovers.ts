import { type ConfigText, configTexts } from "../definitions/config_texts.ts";
import { knows, knowsBraces } from "../definitions/placeholder_dialects.ts";
import { parseTemplate } from "../definitions/placeholder_syntax.ts";
import { programName } from "../definitions/program_name.ts";
import type { ServerConfig } from "../model/definition.ts";
import type { PlaceholderDialect } from "../model/source.ts";

/** A placeholder that stays in the text, since nobody replaces it. */
export interface Leftover {
  /** Where it stands, such as `env.TOKEN`. */
  readonly field: string;
  /** How it begins; a default is left out, as it may be a secret. */
  readonly shown: string;
}

/** Programs whose arguments may be scripts in which such texts mean something. */
const SHELLS: ReadonlySet<string> = new Set(
  "sh bash dash zsh ksh fish ash cmd powershell pwsh env".split(" "),
);

/** Options that a script follows. */
const SCRIPT_OPTION = /^(?:-[a-z]*[ce]|--eval|--print|-p|-Command|\/c)$/i;

/**
 * Texts that look like a placeholder and stand for themselves: the dialect does not know them, or
 * the host replaces nothing in that text. Scripts for a shell are passed over, where they mean
 * something. Pure.
 *
 * @param literal What the host takes as it is written: everything, or the texts of these keys.
 */
export function leftovers(
  config: ServerConfig,
  dialect: PlaceholderDialect,
  literal: boolean | readonly string[] = false,
): readonly Leftover[] {
  const isShell = SHELLS.has(programName(config.command ?? "").toLowerCase());
  return configTexts(config).flatMap((text) => {
    if (text.map === null && text.key.startsWith("args") && isShell) return [];
    if (isScript(text, config)) return [];
    const shown = firstLeftover(text, dialect, isLiteral(text, literal));
    return shown === null ? [] : [{ field: text.field, shown }];
  });
}

function isLiteral({ map, key }: ConfigText, literal: boolean | readonly string[]): boolean {
  if (typeof literal === "boolean") return literal;
  return literal.includes(map ?? key.replace(/\[.*$/, ""));
}

/** Whether a text is the argument behind an option such as `-c`. */
function isScript({ field }: ConfigText, { args = [] }: ServerConfig): boolean {
  const index = Number(/^args\[(\d+)\]$/.exec(field)?.[1] ?? 0);
  return index > 0 && SCRIPT_OPTION.test(args[index - 1] ?? "");
}

/** The first of them in a text, as it may be shown; `null` when there is none. */
function firstLeftover(
  { text, map }: ConfigText,
  dialect: PlaceholderDialect,
  isLiteralText: boolean,
): string | null {
  for (const part of parseTemplate(text, dialect, map)) {
    if (part.kind !== "text") continue;
    for (const { pattern, isKnown, shown } of PATTERNS) {
      if (!isLiteralText && isKnown(dialect)) continue;
      const [all = "", head = ""] = pattern.exec(part.text) ?? [];
      if (all !== "" && shown !== undefined) return shown;
      if (all !== "") return `${head}${all.endsWith("}") ? closing(head) : ""}`;
    }
  }
  return null;
}

function closing(head: string): string {
  return head.startsWith("${{") ? " }}" : "}";
}

/**
 * What other hosts write; the first group is what may be shown. `$NAME` and `%NAME%` are everyday
 * text in the midst of another, so they count only alone; then they may be a password as well, and
 * their form is shown in their place.
 */
const PATTERNS: readonly {
  readonly pattern: RegExp;
  readonly isKnown: (dialect: PlaceholderDialect) => boolean;
  readonly shown?: string;
}[] = [
  {
    pattern: /(\$\{\{\s*(?:secrets|inputs|env|vars)\.[\w.-]+)[^{}]*\}\}/,
    isKnown: (dialect) => knows(dialect, "expression"),
  },
  {
    pattern: /(\$\{(?:(?:env|input|secret|config):)?[A-Za-z_][\w.-]*?)(?::-[^{}]*|-[^{}]*)?\}/,
    isKnown: knowsBraces,
  },
  {
    pattern: /((?<!\$)\{env:[A-Za-z_]\w*)\}/,
    isKnown: (dialect) => knows(dialect, "curly"),
  },
  {
    pattern: /^(?:Bearer\s+)?(\$env:[A-Za-z_]\w*)$/,
    isKnown: (dialect) => knows(dialect, "dollar-env"),
    shown: "$env:NAME",
  },
  {
    pattern: /^(?:Bearer\s+)?(\$[A-Z_][A-Z0-9_]*)$/,
    isKnown: (dialect) => knows(dialect, "dollar"),
    shown: "$NAME",
  },
  {
    pattern: /^(%[A-Z_][A-Z0-9_]*%)$/,
    isKnown: (dialect) => knows(dialect, "percent"),
    shown: "%NAME%",
  },
];
