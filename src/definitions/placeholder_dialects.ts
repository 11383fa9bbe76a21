import type { PlaceholderDialect } from "../model/source.ts";

/**
 * One way to write a placeholder.
 * - `name`: `${NAME}`; `env`: `${env:NAME}`; a dialect with either also knows defaults and
 *   `${input:id}`
 * - `folder`: `${workspaceFolder}` and the like; `secret`: `${secret:NAME}`; `file`: `${file:path}`
 * - `cmd`: `${cmd: command}`; `shell`: `$(command)`; `bang`: a whole value `!command`
 * - `escape`: `$${` for a literal `${`
 * - `expression`: `${{ secrets.NAME }}` and `${{ inputs.id }}`
 * - `curly`: `{env:NAME}` and `{file:path}`
 * - `dollar`: `$NAME`; `dollar-env`: `$env:NAME`; `percent`: `%NAME%` in values of `env`,
 *   on Windows
 */
export type Syntax =
  | "name"
  | "env"
  | "folder"
  | "secret"
  | "file"
  | "cmd"
  | "escape"
  | "expression"
  | "curly"
  | "dollar"
  | "dollar-env"
  | "percent"
  | "shell"
  | "bang";

/** Which placeholders each dialect has. Nothing else decides how a text is read. */
const DIALECTS: Readonly<Record<PlaceholderDialect, readonly Syntax[]>> = {
  "hotplug": ["name", "env", "folder", "escape", "bang"],
  "braces": ["name", "env"],
  "braces-command": ["name", "env", "bang"],
  "env-colon": ["env", "folder"],
  "literal": [],
  "common": ["name", "env", "folder", "secret", "escape"],
  "env-file-colon": ["env", "folder", "file"],
  "env-braces": ["curly"],
  "dollar": ["dollar", "name", "percent"],
  "dollar-command": ["dollar", "name", "shell"],
  "dollar-only": ["dollar", "name"],
  "secrets": ["expression"],
  "cmd-braces": ["name", "env", "folder", "cmd"],
  "braces-dollar": ["name", "dollar-env"],
};

/** Every dialect. */
export const ALL_DIALECTS: readonly PlaceholderDialect[] = Object.keys(
  DIALECTS,
) as readonly PlaceholderDialect[];

/** How each is written, for hints. */
const SHOWN: Readonly<Record<Syntax, string>> = {
  "name": "${NAME}, ${NAME:-default}",
  "env": "${env:NAME}",
  "folder": "${workspaceFolder}, ${userHome}",
  "secret": "${secret:NAME}",
  "file": "${file:/path}",
  "cmd": "${cmd: command} in env and headers",
  "escape": "$${ for a literal ${",
  "expression": "${{ secrets.NAME }}, ${{ inputs.NAME }}",
  "curly": "{env:NAME}, {file:path}",
  "dollar": "$NAME",
  "dollar-env": "$env:NAME",
  "percent": "%NAME% in env on Windows",
  "shell": "$(command) in env and headers",
  "bang": "!command in env and headers",
};

/** Whether a dialect has a placeholder. */
export function knows(dialect: PlaceholderDialect, syntax: Syntax): boolean {
  return DIALECTS[dialect].includes(syntax);
}

/** Whether `${` begins a placeholder; such dialects know defaults and `${input:id}`, too. */
export function knowsBraces(dialect: PlaceholderDialect): boolean {
  return knows(dialect, "name") || knows(dialect, "env");
}

/** Whether a placeholder can be the content of a file. */
export function knowsFiles(dialect: PlaceholderDialect): boolean {
  return knows(dialect, "file") || knows(dialect, "curly");
}

/** What can be written in a dialect, in words, for hints. */
export function knownPlaceholders(dialect: PlaceholderDialect): string {
  const shown = DIALECTS[dialect].map((syntax) => SHOWN[syntax]);
  if (knowsBraces(dialect)) shown.push("${input:id}");
  return shown.length === 0 ? "none" : shown.join(", ");
}
