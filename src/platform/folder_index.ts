import { readdirSync } from "node:fs";
import { join } from "node:path";
import { noteLook } from "./looks.ts";

/**
 * Tells of paths below a folder that nothing is there, by the names that the folders on the way
 * hold. Each of them is listed once, so that a hundred paths of which hardly one exists cost a few
 * looks at the disk. Made anew for each discovery.
 */
export class FolderIndex {
  readonly #root: string;
  /** Names by folder; `null` for what cannot be listed, which says nothing. */
  readonly #names = new Map<string, ReadonlySet<string> | null>();

  /** An index of what lies below a folder, an absolute path. */
  constructor(root: string) {
    this.#root = root.replace(/[/\\]+$/, "");
  }

  /**
   * Whether there is surely nothing at a path. `false` leaves the question open: the path may lie
   * elsewhere, or a folder on the way cannot be listed.
   */
  isAbsent(path: string): boolean {
    const separator = path[this.#root.length];
    if ((separator !== "/" && separator !== "\\") || !path.startsWith(this.#root)) return false;
    let folder = this.#root;
    for (const step of path.slice(this.#root.length + 1).split(/[/\\]/)) {
      if (step === "" || step === "." || step === "..") return false;
      const names = this.#namesIn(folder);
      if (names === null) return false;
      if (!names.has(folded(step))) {
        // To whoever keeps a record it is as if the path itself had been looked at.
        noteLook({ how: "stat", path, found: null });
        return true;
      }
      folder = join(folder, step);
    }
    return false;
  }

  #namesIn(folder: string): ReadonlySet<string> | null {
    const known = this.#names.get(folder);
    if (known !== undefined) return known;
    let names: ReadonlySet<string> | null = null;
    try {
      names = new Set(readdirSync(folder).map(folded));
    } catch {
      // A file, closed, or gone: a look at the path itself tells.
    }
    this.#names.set(folder, names);
    return names;
  }
}

/** A name as the least particular file system compares it: without case, composed. */
function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
