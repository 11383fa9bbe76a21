import type { PlaceholderDialect } from "../model/source.ts";

/**
 * One way to write a placeholder.
 * - `name`: `${NAME}`; `env`: `${env:NAME}`
 * - `default`: `${NAME:-default}`; `nested`: a default may hold placeholders and braces, as the host
 *   does not end at the first brace that closes. Only for what is written: whoever has `name` or
 *   `env` may have both in what is read
 * - `input`: `${input:id}`. Only for what is written: read wherever `${` begins a placeholder, as a
 *   host that does not know it would send it as it stands
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
  | "default"
  | "nested"
  | "input"
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

/** Which placeholders each dialect has. Nothing else decides how a text is read and written. */
const DIALECTS: Readonly<Record<PlaceholderDialect, readonly Syntax[]>> = {
  "hotplug": ["name", "default", "nested", "env", "folder", "escape", "bang", "input"],
  "braces": ["name", "default", "env"],
  "braces-command": ["name", "default", "env", "bang"],
  "env-colon": ["env", "folder"],
  "vscode": ["env", "folder", "input"],
  "literal": [],
  "common": ["name", "default", "nested", "env", "folder", "secret", "escape"],
  "env-file-colon": ["env", "folder", "file"],
  "env-braces": ["curly"],
  "dollar": ["dollar", "name", "default", "percent"],
  "dollar-command": ["dollar", "name", "default", "shell"],
  "dollar-only": ["dollar", "name", "default"],
  "secrets": ["expression"],
  "cmd-braces": ["name", "default", "env", "folder", "cmd", "input"],
  "braces-dollar": ["name", "default", "dollar-env"],
};

/** Every dialect. */
export const ALL_DIALECTS: readonly PlaceholderDialect[] = Object.keys(
  DIALECTS,
) as readonly PlaceholderDialect[];

/** How each is written, for hints; `null` for what belongs to another. */
const SHOWN: Readonly<Record<Syntax, string | null>> = {
  "name": "${NAME}",
  "default": "${NAME:-default}",
  "nested": null,
  "input": "${input:id}",
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

/** Whether `${` begins a placeholder; then defaults and `${input:id}` are read, too. */
export function knowsBraces(dialect: PlaceholderDialect): boolean {
  return knows(dialect, "name") || knows(dialect, "env");
}

/** Whether a placeholder can be the content of a file. */
export function knowsFiles(dialect: PlaceholderDialect): boolean {
  return knows(dialect, "file") || knows(dialect, "curly");
}

/** What can be written in a dialect, in words, for hints. */
export function knownPlaceholders(dialect: PlaceholderDialect): string {
  const shown = DIALECTS[dialect].flatMap((syntax) => SHOWN[syntax] ?? []);
  return shown.length === 0 ? "none" : shown.join(", ");
}
