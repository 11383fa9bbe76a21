import type { PlaceholderDialect } from "../model/source.ts";

/** One piece of a text that may hold placeholders. */
export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | {
    readonly kind: "variable";
    /** Name of the environment variable. */
    readonly name: string;
    /** What stands for it when it is unset or empty; `null` without a default. */
    readonly fallback: readonly TemplatePart[] | null;
    /** `true`: it stands as `%NAME%`, which is plain text but on Windows. Default `false`. */
    readonly windows?: true;
  }
  | { readonly kind: "folder"; readonly name: FolderVariable }
  | {
    /** A value that only the user can give. */
    readonly kind: "input";
    /** Its name in the file. */
    readonly id: string;
    /** The environment variable that it is taken from. */
    readonly variable: string;
    /** Whether the file calls it a secret: then the variable has its name. */
    readonly secret: boolean;
  }
  | {
    /** The content of a file. */
    readonly kind: "file";
    /** Its path; holds no commands and no further files. */
    readonly path: readonly TemplatePart[];
  }
  | {
    /** What a command prints. */
    readonly kind: "command";
    /** The command, for a shell. */
    readonly command: string;
  }
  | {
    readonly kind: "unknown";
    /** How it begins, cut short, for messages. */
    readonly shown: string;
  };

/** Names that stand for folders and the like, not for environment variables. */
export type FolderVariable =
  | "workspaceFolder"
  | "workspaceFolderBasename"
  | "userHome"
  | "pathSeparator"
  | "/"
  | "cwd";

const FOLDER_VARIABLES: ReadonlySet<string> = new Set<FolderVariable>([
  "workspaceFolder",
  "workspaceFolderBasename",
  "userHome",
  "pathSeparator",
  "/",
  "cwd",
]);

/** Whether a name stands for a folder where a dialect knows folders. */
export function isFolderVariable(name: string): name is FolderVariable {
  return FOLDER_VARIABLES.has(name);
}

/** Whether a text can be the name of an environment variable; Windows has some with parentheses. */
export function isVariableName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_()]*$/.test(text);
}

/** The environment variable that gives the value `${input:id}`. */
export function inputVariable(id: string): string {
  return `HOTPLUG_INPUT_${id.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

/** Where a text stands while it is taken apart. */
export interface TemplatePlace {
  /** Which placeholders it may hold. */
  readonly dialect: PlaceholderDialect;
  /** Which map of the definition it belongs to; `null` for all other fields. */
  readonly map: "env" | "headers" | null;
  /** How many placeholders it stands in. */
  readonly nesting: number;
  /** Tells the offset of the brace that closes the one at an offset of the text. */
  readonly closing: (open: number) => number;
  /** Takes a text inside of a placeholder apart. */
  readonly parse: (
    text: string,
    place: Omit<TemplatePlace, "closing">,
  ) => readonly TemplatePart[];
}

/** A placeholder that was read, and the offset after it. */
export interface FoundPart {
  /** What it is. */
  readonly part: TemplatePart;
  /** Offset of what follows. */
  readonly end: number;
}

/** A part and every part inside of it: those of defaults and of paths. */
export function withInner(part: TemplatePart): readonly TemplatePart[] {
  if (part.kind === "file") return [part, ...part.path.flatMap(withInner)];
  if (part.kind !== "variable" || part.fallback === null) return [part];
  return [part, ...part.fallback.flatMap(withInner)];
}
