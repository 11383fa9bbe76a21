import type { ServerConfig } from "../model/definition.ts";
import type { PlaceholderDialect } from "../model/source.ts";
import { allParts } from "./config_reads.ts";
import {
  absolutePath,
  folderValue,
  normalPath,
  type PlaceholderContext,
  variableValue,
} from "./placeholder_context.ts";
import { knowsFiles } from "./placeholder_dialects.ts";
import { type TemplatePart, withInner } from "./placeholder_parts.ts";

/**
 * The files whose content a definition's placeholders take: absolute paths, in order of appearance,
 * each once. A path that a missing variable belongs to is left out. Pure.
 */
export function filesOf(config: ServerConfig, context: PlaceholderContext): readonly string[] {
  if (!knowsFiles(context.dialect)) return [];
  const paths = fileParts(config, context.dialect).map(({ path }) => filePath(path, context));
  return [...new Set(paths.filter((path) => path !== null))];
}

/** Whether a variable, or the user, decides which file a placeholder of a definition takes. */
export function hasOpenFile(config: ServerConfig, dialect: PlaceholderDialect): boolean {
  return fileParts(config, dialect).some(({ path }) => isOpenPath(path));
}

/** Whether any text of a definition takes the content of a file. */
export function takesFile(config: ServerConfig, dialect: PlaceholderDialect): boolean {
  return fileParts(config, dialect).length > 0;
}

/** The files of {@linkcode filesOf}, read: what `files` of the context is to be. */
export async function readFiles(
  config: ServerConfig,
  context: PlaceholderContext,
  read: (
    path: string,
  ) => Promise<{ readonly state: "loaded"; readonly text: string } | { readonly state: string }>,
): Promise<ReadonlyMap<string, string | null>> {
  return new Map(
    await Promise.all(
      filesOf(config, context).map(async (path) => {
        const file = await read(path);
        return [path, "text" in file ? file.text : null] as const;
      }),
    ),
  );
}

/** Where a placeholder's file is; `null` when it cannot be told. */
export function filePath(
  path: readonly TemplatePart[],
  context: PlaceholderContext,
): string | null {
  const text = plainText(path, context);
  if (text === null || text.trim() === "" || text.includes("\0")) return null;
  const { fileFolder = context.configFolder } = context;
  return normalPath(absolutePath(text.trim(), fileFolder, context), context);
}

/** Whether a variable, or the user, decides about a path. */
export function isOpenPath(path: readonly TemplatePart[]): boolean {
  return path.flatMap(withInner).some(({ kind }) => kind === "variable" || kind === "input");
}

/** The text that parts stand for; `null` when a value is missing. */
function plainText(parts: readonly TemplatePart[], context: PlaceholderContext): string | null {
  const texts = parts.map((part): string | null => {
    switch (part.kind) {
      case "text":
        return part.text;
      case "folder":
        return folderValue(part.name, context);
      case "input":
        return variableValue(part.variable, context) ?? null;
      case "variable": {
        const value = variableValue(part.name, context);
        if (value !== undefined && (value !== "" || part.fallback === null)) return value;
        return part.fallback === null ? null : plainText(part.fallback, context);
      }
      default:
        return null;
    }
  });
  return texts.includes(null) ? null : texts.join("");
}

function fileParts(
  config: ServerConfig,
  dialect: PlaceholderDialect,
): readonly (TemplatePart & { readonly kind: "file" })[] {
  if (!knowsFiles(dialect)) return [];
  return allParts(config, dialect).filter((part) => part.kind === "file");
}
