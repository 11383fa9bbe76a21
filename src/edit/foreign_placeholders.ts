import { type ConfigText, configTexts } from "../definitions/config_texts.ts";
import { translateConfig } from "../definitions/placeholder_translation.ts";
import type { ServerConfig } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { PlaceholderDialect } from "../model/source.ts";

/** What a text looks like that holds a placeholder of other agents, and theirs. */
const LOOKS: readonly {
  readonly pattern: RegExp;
  readonly dialect: PlaceholderDialect;
  /** How it is written, for warnings. */
  readonly shown: string;
  /** Whether it only counts in `env` and `headers`. */
  readonly inMaps?: true;
}[] = [
  { pattern: /\$\{\{\s*secrets\./, dialect: "secrets", shown: "${{ secrets.NAME }}" },
  { pattern: /\$\{\{\s*inputs\./, dialect: "secrets", shown: "${{ inputs.NAME }}" },
  { pattern: /\$\{cmd:/, dialect: "cmd-braces", shown: "${cmd: command}", inMaps: true },
  { pattern: /\$\{file:/, dialect: "env-file-colon", shown: "${file:path}" },
  { pattern: /\$\{secret:/, dialect: "common", shown: "${secret:NAME}" },
  { pattern: /(?<!\$)\{env:/, dialect: "env-braces", shown: "{env:NAME}" },
  { pattern: /(?<!\$)\{file:/, dialect: "env-braces", shown: "{file:path}" },
  { pattern: /\$env:[A-Za-z_]/, dialect: "braces-dollar", shown: "$env:NAME" },
  { pattern: /\$\((?!\()/, dialect: "dollar-command", shown: "$(command)", inMaps: true },
  // Elsewhere a dollar sign is a part of a password, or a script's own.
  {
    pattern: /^\s*(?:(?:bearer|basic|token)\s+)?\$[A-Za-z_]\w*\s*$/i,
    dialect: "dollar-only",
    shown: "$NAME",
  },
];

/** A definition in the store's placeholders, and what was done for it. */
export interface Domesticated {
  /** The definition; texts that have a problem are as they were. */
  readonly config: ServerConfig;
  /** What the store cannot say. */
  readonly problems: readonly ErrorInfo[];
  /** Which fields were read as another agent's. */
  readonly warnings: readonly string[];
}

/**
 * Translates each text of a definition whose agent is not known and that holds what looks like a
 * placeholder of some agent into the store's dialect; it would else be sent as it is. Pure.
 */
export function withoutForeign(config: ServerConfig): Domesticated {
  const problems: ErrorInfo[] = [];
  const warnings: string[] = [];
  let translated = config;
  for (const one of configTexts(config)) {
    const look = lookOf(one);
    if (look === undefined) continue;
    const alone = translateConfig(only(one), look.dialect, "hotplug");
    problems.push(...alone.problems);
    const [text] = configTexts(alone.config).filter(({ field }) => field === one.field);
    if (text !== undefined) translated = withText(translated, one, text.text);
    warnings.push(`"${one.field}" holds what some agents write as ${look.shown}: it is read so`);
  }
  return { config: translated, problems, warnings };
}

/**
 * Fields that look like another agent's placeholders, and to the agent that they were written for
 * are plain text.
 */
export function foreignFields(
  config: ServerConfig,
  dialect: PlaceholderDialect,
): readonly string[] {
  return configTexts(config).filter((one) => {
    const look = lookOf(one);
    if (look === undefined || look.dialect === dialect) return false;
    return translateConfig(only(one), dialect, "literal").problems.length === 0;
  }).map(({ field }) => field);
}

function lookOf({ text, map }: ConfigText): (typeof LOOKS)[number] | undefined {
  return LOOKS.find(({ pattern, inMaps }) =>
    pattern.test(text) && (inMaps !== true || map !== null)
  );
}

/** A definition with this one text, in its place. */
function only({ field, map, key, text }: ConfigText): ServerConfig {
  if (map !== null) return { [map]: { [key]: text } };
  const index = argumentIndex(field);
  return index === null
    ? { [key]: text }
    : { args: [...Array.from({ length: index }, () => ""), text] };
}

/** The definition with another text in the place of one. */
function withText(
  config: ServerConfig,
  { field, map, key }: ConfigText,
  text: string,
): ServerConfig {
  if (map !== null) {
    const entries = Object.entries(config[map] ?? {});
    return {
      ...config,
      [map]: Object.fromEntries(entries.map(([name, old]) => [name, name === key ? text : old])),
    };
  }
  const index = argumentIndex(field);
  if (index === null) return { ...config, [key]: text };
  return { ...config, args: (config.args ?? []).map((old, at) => at === index ? text : old) };
}

function argumentIndex(field: string): number | null {
  const index = /^args\[(\d+)\]$/.exec(field)?.[1];
  return index === undefined ? null : Number(index);
}
