import { join } from "node:path";
import type { HotplugFolders } from "../model/machine.ts";
import { factsOf, namesIn } from "../platform/local_files.ts";
import type { ClockFacts } from "./clock.ts";

/** How many files of a folder are looked at. */
const MOST_FILES = 200;

/** Looks when Hotplug's own files were last written. */
export function lookAtClock(folders: HotplugFolders, now: number): ClockFacts {
  const paths = [folders.state, join(folders.cache, "servers")].flatMap((folder) =>
    namesIn(folder).slice(0, MOST_FILES).map((name) => join(folder, name))
  );
  const times = paths.flatMap((path) => {
    const found = factsOf(path);
    return found?.isFile() === true ? [found.mtimeMs] : [];
  });
  return { now, lastWrite: times.length === 0 ? null : Math.max(...times) };
}
