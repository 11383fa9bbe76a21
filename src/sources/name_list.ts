import { kindOf } from "../definitions/entry_reader.ts";

/** The names of a list in a config file. */
export interface NameList {
  /** Trimmed names, each once, in order. */
  readonly names: readonly string[];
  /** What of the list cannot be used. */
  readonly warnings: readonly string[];
}

/** Reads a list of server names. What is no name is left out with a warning. */
export function nameList(key: string, value: unknown): NameList {
  if (value === undefined) return { names: [], warnings: [] };
  if (!Array.isArray(value)) {
    const warning = `"${key}" must be an array of names, found ${kindOf(value)}; it is ignored`;
    return { names: [], warnings: [warning] };
  }
  const names = new Set<string>();
  const warnings: string[] = [];
  for (const item of value as readonly unknown[]) {
    if (typeof item !== "string") {
      warnings.push(`"${key}" holds ${kindOf(item)}, which is no name; it is ignored`);
    } else if (item.trim() !== "") {
      names.add(item.trim());
    }
  }
  return { names: [...names], warnings };
}
