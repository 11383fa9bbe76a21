import type { Definition } from "../model/definition.ts";

/** How much a finding matters: it keeps something from working, it may, or it is good to know. */
export type Severity = "error" | "warning" | "info";

/** Every severity, the gravest first. */
export const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

/** The checks, in the order in which they are made. */
export const CHECKS = [
  "files",
  "hooks",
  "policy",
  "entries",
  "program",
  "working-folder",
  "desktop-path",
  "docker",
  "placeholders",
  "white-space",
  "tracked-secrets",
  "file-rights",
  "unpinned",
  "names",
  "duplicates",
  "schemas",
  "tool-names",
  "clock",
  "proxy",
] as const;

/** Name of a check. */
export type CheckName = typeof CHECKS[number];

/** Something that is wrong, or may become so, and what to do about it. Holds no secret. */
export interface Finding {
  /** The check that found it. */
  readonly check: CheckName;
  /** How much it matters. */
  readonly severity: Severity;
  /** Name of the server that it is about; `null` when it is about none or several. */
  readonly server: string | null;
  /** Absolute path of the file to look at; `null` when there is none. */
  readonly path: string | null;
  /** Line in that file, from 1; `null` when not known. */
  readonly line: number | null;
  /** What was found, in one sentence without a final stop. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** Where a finding about a definition points to. */
export type FindingPlace = Pick<Finding, "server" | "path" | "line">;

/** The place of a finding about nothing that stands in a file. */
export const NOWHERE: FindingPlace = { server: null, path: null, line: null };

/** The place of a definition. */
export function placeOfDefinition({ name, source }: Definition): FindingPlace {
  return { server: name, path: source.path, line: source.line };
}

/** Names for a sentence: `"a", "b" and 3 more`. Each is cut, as a server may have written it. */
export function listed(names: readonly string[], most = 8): string {
  const shown = names.slice(0, most).map((name) =>
    JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name)
  );
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(", ")} and ${rest} more`;
  const last = shown.at(-1) ?? "";
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(", ")} and ${last}`;
}
