import type { Definition } from "../model/definition.ts";
import { HotplugError } from "../model/errors.ts";
import { closest } from "../definitions/suggestion.ts";
import type { HostFormat } from "../sources/host_format.ts";
import { offListOf } from "../sources/host_spelling.ts";
import { mcpJson } from "../sources/mcp_json.ts";
import { SOURCES } from "../sources/registry.ts";
import type { HostSource } from "../sources/host_writer.ts";
import type { SourceContext } from "../sources/source.ts";
import { store } from "../sources/store.ts";
import type { ProjectPlace } from "./project_guard.ts";

/** Where a new entry goes. */
export interface EditTarget {
  /**
   * - `store`: the machine's definitions, which each workspace enables
   * - `project`: a file of the repository
   * - `user`: the user's file of a host agent; without one, the store
   */
  readonly scope: "store" | "project" | "user";
  /** Id of the host agent; absent: the store, or `.mcp.json` for scope `project`. */
  readonly host?: string | undefined;
}

/** A file that an entry is put into. */
export interface TargetFile {
  /** Whose file it is. */
  readonly source: HostSource;
  /** How its entries are written. */
  readonly format: HostFormat;
  /** Absolute path, there or not. */
  readonly path: string;
  /** Where its servers stand. */
  readonly key: readonly string[];
  /** Where in it the names of servers that are off stand; `null` when no list switches them. */
  readonly offList: readonly string[] | null;
  /** The project, for a file of a repository; `null` for one of the user's. */
  readonly project: ProjectPlace | null;
}

/**
 * The file that a target means here.
 *
 * @throws {HotplugError} `usage` for an agent that is not known, or that has no such file.
 */
export function targetFile(target: EditTarget, context: SourceContext): TargetFile {
  const { host, scope } = target;
  const project = scope === "project";
  const source = host === undefined ? (project ? mcpJson : store) : hostNamed(host);
  if (host !== undefined && scope === "store") {
    throw new HotplugError("usage", `Cannot write to the store and to ${source.label} at once`, {
      hint: `Leave out "--host", or use "--scope user"`,
    });
  }
  const file = source.writer?.fileFor(context, project ? "project" : "user") ?? null;
  if (source.writer === undefined || file === null) {
    const what = project ? "no project file" : "no file of the user's";
    throw new HotplugError("usage", `Cannot write for ${source.label}: it has ${what}`, {
      hint: project ? 'Use "--scope user"' : 'Use "--scope project"',
    });
  }
  const format = { ...source.writer.format, ...file.format };
  const key = file.key ?? format.key;
  const offList = offListOf(format, context);
  return { source, format, path: file.path, key, offList, project: project ? context : null };
}

/**
 * The source of a host agent, by its id or its label.
 *
 * @throws {HotplugError} `usage` with the nearest name.
 */
export function hostNamed(name: string): HostSource {
  const wanted = name.trim().toLowerCase();
  const found = SOURCES.find(({ id, label }) => id === wanted || label.toLowerCase() === wanted);
  if (found !== undefined) return found;
  const ids = SOURCES.map(({ id }) => id);
  const near = closest(wanted, ids);
  throw new HotplugError("usage", `Unknown agent ${JSON.stringify(name)}`, {
    hint: near === null ? `Known are ${ids.join(", ")}` : `Did you mean "${near}"?`,
    details: { known: ids },
  });
}

/** How the file of a definition is written; `null` when its source is not known or never written. */
export function formatOf({ source }: Definition): HostFormat | null {
  return SOURCES.find(({ id }) => id === source.id)?.writer?.format ?? null;
}
