import { isAbsolute, join, relative } from "node:path";
import { toHotplugError } from "../model/errors.ts";
import { realPathOf } from "../platform/local_files.ts";
import { SOURCES } from "./registry.ts";
import type { Source, SourceContext, SourceReading } from "./source.ts";
import { joinReadings } from "./source_reading.ts";

/**
 * Reads every source at the same time and joins what they found, in the order of the sources.
 * A source that throws costs only itself: its place is taken by one report with the error.
 */
export async function readSources(
  context: SourceContext,
  sources: readonly Source[] = SOURCES,
): Promise<SourceReading> {
  const full: SourceContext = { ...context, userFiles: userFiles(context, sources) };
  const readings = await Promise.all(sources.map((source) => readOne(source, full)));
  return joinReadings(readings);
}

/** What one source found, or the report that it failed. */
async function readOne(source: Source, context: SourceContext): Promise<SourceReading> {
  try {
    return await source.read(context);
  } catch (thrown) {
    const { message } = toHotplugError(thrown);
    return {
      definitions: [],
      reports: [{
        id: source.id,
        label: source.label,
        scope: "user",
        path: context.workspacePath,
        state: "unreadable",
        servers: 0,
        error: {
          code: "config-unreadable",
          message: `Cannot read the servers of "${source.label}": ${message}`,
          hint: "All other sources were read",
        },
        warnings: [],
      }],
      switches: [],
    };
  }
}

/** The user files of all sources, also as they are called when the home folder is a link. */
function userFiles(
  context: SourceContext,
  sources: readonly Source[],
): ReadonlySet<string> {
  const { home } = context.machine;
  const realHome = realPathOf(home);
  const paths = new Set<string>();
  for (const source of sources) {
    for (const path of namedFiles(source, context)) {
      paths.add(path);
      const inHome = relative(home, path);
      if (realHome !== home && !inHome.startsWith("..") && !isAbsolute(inHome)) {
        paths.add(join(realHome, inHome));
      }
    }
  }
  return paths;
}

/** The user files of one source; none when it fails, which its reading will report. */
function namedFiles(source: Source, context: SourceContext): readonly string[] {
  try {
    return source.userFiles?.(context) ?? [];
  } catch {
    return [];
  }
}
