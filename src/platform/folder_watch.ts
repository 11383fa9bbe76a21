import { watch } from "node:fs";
import { basename } from "node:path";
import type { Logger } from "../model/log.ts";
import { errnoOf, errnoText } from "./errno.ts";
import { folderSign, isLink, isSilentFolder } from "./folder_sign.ts";
import { identityOf, placesOf, type WatchedPath } from "./watched_places.ts";

export type { WatchedPath } from "./watched_places.ts";

/** Milliseconds between two looks at a folder that cannot be watched. */
export const POLL_MS = 2000;

/** Watches one folder, not what lies below it. */
export type WatchOne = (
  folder: string,
  on: {
    /**
     * Something happened to a name in it; `null` when it is not known to which. `isSame`: the name
     * was there before and still is, as far as is known.
     */
    readonly event: (name: string | null, isSame: boolean) => void;
    /** It cannot be watched any more. */
    readonly error: (error: unknown) => void;
  },
) => { close(): void };

/** What a {@linkcode FolderWatch} works with. */
export interface FolderWatchOptions {
  /** Time; its delays do not keep the process alive. */
  readonly clock: {
    /** Resolves after so many milliseconds, or at once when the signal aborts. */
    idle(ms: number, signal: AbortSignal): Promise<void>;
  };
  /** Told once when folders have to be looked at since they cannot be watched. */
  readonly log: Logger;
  /** Something may have changed: look. It may be called for nothing, and often. */
  readonly onEvent: () => void;
  /** How a folder is watched. Default: by the system. What it throws counts as an error. */
  readonly watchOne?: WatchOne;
  /** Whether a folder is better looked at. Default: it lies on a network. */
  readonly isSilent?: (folder: string) => boolean;
}

/** One folder that is watched. */
interface Folder {
  /** Its path. */
  readonly path: string;
  /** Which folder it is: another may take the path. */
  readonly identity: string | null;
  /** Names that matter, folded, and as they were given. */
  names: ReadonlyMap<string, string>;
  /** Whether its list of names matters. */
  all: boolean;
  /** Ends the watching; `null` while it is looked at instead. */
  watcher: { close(): void } | null;
  /** Whether a name that matters is a link: it is looked at too. */
  hasLinks: boolean;
  /** What the last look found. */
  sign: string;
}

/**
 * Watches the folders of files, so that also files are seen that appear, or that editors put in
 * place of others. What the system says of a change is not relied on: it only means that somebody
 * should look, and then {@linkcode arm} again, since folders may have come and gone. A folder that
 * the system does not watch is looked at every two seconds, and so is one that holds a link: Deno
 * tells a link's exchange only when the old target had the event. Keeps no process alive.
 */
export class FolderWatch {
  readonly #options: FolderWatchOptions;
  readonly #folders = new Map<string, Folder>();
  readonly #closed = new AbortController();
  #isPolling = false;
  #wasTold = false;

  /** Nothing is watched yet. */
  constructor(options: FolderWatchOptions) {
    this.#options = options;
  }

  /** How many folders are watched or looked at. */
  get size(): number {
    return this.#folders.size;
  }

  /**
   * Watches these paths and no others.
   * @returns Whether anything is watched that was not before, or a folder that is looked at has
   * changed since the last look: whoever has read in between must read again.
   */
  arm(paths: readonly WatchedPath[]): boolean {
    if (this.#closed.signal.aborted) return false;
    const wanted = wantedFolders(paths);
    for (const folder of this.#folders.values()) {
      if (!wanted.has(folder.path) || identityOf(folder.path) !== folder.identity) {
        this.#drop(folder);
      }
    }
    let isNew = false;
    for (const [path, { names, all }] of wanted) {
      const folder = this.#folders.get(path);
      if (folder === undefined) {
        this.#add(path, names, all);
        isNew = true;
        continue;
      }
      isNew ||= (all && !folder.all) || [...names.keys()].some((name) => !folder.names.has(name));
      // What changed while somebody looked, that look may have missed.
      if (isLookedAt(folder)) isNew ||= signOf(folder) !== folder.sign;
      folder.names = names;
      folder.all = all;
      folder.hasLinks = holdsLinks(path, names);
      if (isLookedAt(folder)) this.#look(folder);
    }
    return isNew;
  }

  /** Ends all watching. Idempotent. */
  close(): void {
    this.#closed.abort();
    for (const folder of this.#folders.values()) this.#drop(folder);
  }

  #add(path: string, names: ReadonlyMap<string, string>, all: boolean): void {
    const identity = identityOf(path);
    const hasLinks = holdsLinks(path, names);
    const folder: Folder = { path, identity, names, all, watcher: null, hasLinks, sign: "" };
    this.#folders.set(path, folder);
    const { isSilent = isSilentFolder } = this.#options;
    if (isSilent(path)) return this.#poll(folder, "it lies on a network");
    try {
      folder.watcher = (this.#options.watchOne ?? watchFolder)(path, {
        event: (name, isSame) => this.#noticed(folder, name, isSame),
        error: (error) => this.#failed(folder, error),
      });
      if (hasLinks) this.#look(folder);
    } catch (error) {
      this.#failed(folder, error);
    }
  }

  #drop(folder: Folder): void {
    if (this.#folders.get(folder.path) === folder) this.#folders.delete(folder.path);
    try {
      folder.watcher?.close();
    } catch {
      // It has ended by itself.
    }
    folder.watcher = null;
  }

  #isCurrent(folder: Folder): boolean {
    return this.#folders.get(folder.path) === folder;
  }

  #noticed(folder: Folder, name: string | null, isSame: boolean): void {
    if (!this.#isCurrent(folder)) return;
    // The end of the folder itself comes under its own name, and so does a loss of events.
    const matters = name === null || (folder.all && !isSame) || folder.names.has(folded(name)) ||
      name === basename(folder.path);
    if (matters) this.#options.onEvent();
  }

  /** A folder that is gone is no failure: whoever looks now arms anew. */
  #failed(folder: Folder, error: unknown): void {
    if (!this.#isCurrent(folder)) return;
    if (identityOf(folder.path) !== folder.identity || folder.identity === null) {
      this.#drop(folder);
      this.#options.onEvent();
      return;
    }
    try {
      folder.watcher?.close();
    } catch {
      // It has ended by itself.
    }
    folder.watcher = null;
    this.#poll(folder, causeOf(error));
    // What happened since it ended is not known.
    this.#options.onEvent();
  }

  #poll(folder: Folder, cause: string): void {
    if (!this.#wasTold) {
      this.#wasTold = true;
      this.#options.log.log("warn", "Cannot watch folders; they are looked at every 2 s", {
        folder: folder.path,
        cause,
      });
    }
    this.#look(folder);
  }

  #look(folder: Folder): void {
    folder.sign = signOf(folder);
    if (!this.#isPolling) void this.#pollOn();
  }

  async #pollOn(): Promise<void> {
    this.#isPolling = true;
    const { signal } = this.#closed;
    const polled = (): readonly Folder[] => [...this.#folders.values()].filter(isLookedAt);
    while (!signal.aborted && polled().length > 0) {
      await this.#options.clock.idle(POLL_MS, signal);
      if (signal.aborted) break;
      const changed = polled().filter((folder) => {
        const sign = signOf(folder);
        const differs = sign !== folder.sign;
        folder.sign = sign;
        return differs;
      });
      if (changed.length > 0) this.#options.onEvent();
    }
    this.#isPolling = false;
  }
}

/** The folders of paths, with the names in each that matter. */
function wantedFolders(
  paths: readonly WatchedPath[],
): ReadonlyMap<string, { readonly names: Map<string, string>; all: boolean }> {
  const wanted = new Map<string, { readonly names: Map<string, string>; all: boolean }>();
  for (const { folder, name } of placesOf(paths)) {
    const known = wanted.get(folder) ?? { names: new Map(), all: false };
    if (name === null) known.all = true;
    else known.names.set(folded(name), name);
    wanted.set(folder, known);
  }
  return wanted;
}

/** Whether the system's word alone is not enough. */
function isLookedAt({ watcher, hasLinks }: Folder): boolean {
  return watcher === null || hasLinks;
}

function holdsLinks(path: string, names: ReadonlyMap<string, string>): boolean {
  return [...names.values()].some((name) => isLink(path, name));
}

function signOf({ path, identity, names, all }: Folder): string {
  const isSame = identityOf(path) === identity;
  return isSame ? folderSign(path, names.values(), all) : "exchanged";
}

/** Watches by the system. */
const watchFolder: WatchOne = (folder, { event, error }) => {
  const watcher = watch(folder, { persistent: false }, (kind, name) => {
    event(name, kind === "change");
  });
  watcher.on("error", error);
  watcher.unref();
  return watcher;
};

/** Why a folder cannot be watched. To watches, the system's error for a full disk is their limit. */
function causeOf(error: unknown): string {
  if (errnoOf(error) !== "ENOSPC") return errnoText(error);
  return "the system's limit of watches is reached (ENOSPC)";
}

/** A name as the least particular file system compares it: without case, composed. */
function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
