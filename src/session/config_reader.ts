import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { unlessAborted } from "../model/abort.ts";
import type { LoadedConfigs, Plan } from "../model/plan.ts";
import type { SourceReport } from "../model/source.ts";
import type { HotplugFolders } from "../model/machine.ts";
import type { WatchedPath } from "../platform/folder_watch.ts";
import { type Look, recordLooks } from "../platform/looks.ts";
import type { TextFile } from "../platform/text_file.ts";
import { loadAllMCPConfigs, type LoadOptions } from "../plan/discover.ts";
import { settingsFile } from "../plan/settings.ts";
import { OneAtATime } from "./one_at_a_time.ts";
import { trustFile } from "../plan/trust_store.ts";

/** Milliseconds that a file must be away, or empty, before that counts: some editors write so. */
export const ABSENCE_MS = 2000;

/** What decides about servers without declaring any: it counts as it is, broken or not. */
const NEVER_HELD: ReadonlySet<string> = new Set(["policy", "trust"]);

/** What one look at the files gave. */
export interface ConfigLook {
  /** What was loaded. Of files that cannot be used now, what they said last stands in it. */
  readonly loaded: LoadedConfigs;
  /** Everything that it depends on, there or not. */
  readonly paths: readonly WatchedPath[];
  /** Milliseconds after which a file that is away counts as gone; `null` when none is. */
  readonly againIn: number | null;
  /** Whether a file of values is away for the moment, so that nothing should be decided yet. */
  readonly isTorn: boolean;
}

/** How a {@linkcode ConfigReader} reads. */
export interface ConfigReaderOptions {
  /** What to load. */
  readonly load: LoadOptions & { readonly folders: HotplugFolders };
  /** Gets what each look loaded, before anybody else does. */
  readonly onLoaded?: (loaded: LoadedConfigs) => void;
  /** Milliseconds on a clock that only goes forward. */
  readonly now: () => number;
}

/**
 * Loads configs again and again, and remembers what each file said when it could last be used:
 * while it is broken, or away for a moment, that stands.
 */
export class ConfigReader {
  readonly #options: ConfigReaderOptions;
  /** What files said when they could last be used, by path. */
  readonly #good = new Map<string, string>();
  /** Files of values that were there. */
  readonly #there = new Set<string>();
  readonly #looks = new OneAtATime();
  /** Since when files are away that were there. */
  readonly #awaySince = new Map<string, number>();

  /** Nothing is read yet. */
  constructor(options: ConfigReaderOptions) {
    this.#options = options;
  }

  /**
   * Looks at all files, when every look that was asked for before is done.
   * @param options With `isAsked` the user has asked for it: a file that is away counts as gone.
   * @throws {HotplugError} `discovery-failed` or `aborted`; what was remembered stays.
   */
  look(signal?: AbortSignal, options: { readonly isAsked?: boolean } = {}): Promise<ConfigLook> {
    return this.#looks.run(() => this.#look(signal, options.isAsked === true));
  }

  async #look(signal: AbortSignal | undefined, isAsked: boolean): Promise<ConfigLook> {
    const found = await this.#read(signal);
    if (isAsked) {
      this.#there.clear();
      this.#awaySince.clear();
    }
    const { reports, broken, away } = this.#judge(found);
    const held = new Map([...broken, ...away].flatMap((path) => {
      const text = this.#good.get(path);
      return text === undefined ? [] : [[path, text] as const];
    }));
    const again = held.size === 0 ? found : await this.#read(signal, held);
    const loaded = held.size === 0 ? found.loaded : {
      ...again.loaded,
      plan: { ...again.loaded.plan, sources: trueReports(again.loaded.plan, broken, reports) },
    };
    this.#options.onLoaded?.(loaded);
    const values = [...found.texts.keys(), ...envFiles(again.loaded.plan)]
      .filter((path) => !reports.has(path));
    const torn = values.filter((path) => this.#isAway(path, isFilled(path)));
    const waits = [...away, ...torn].map((path) => this.#left(path));
    return {
      loaded,
      paths: this.#paths([found, again], values),
      againIn: waits.length === 0 ? null : Math.max(0, Math.min(...waits)),
      isTorn: torn.length > 0,
    };
  }

  async #read(signal?: AbortSignal, held?: ReadonlyMap<string, string>): Promise<Found> {
    const texts = new Map<string, TextFile>();
    const endRecord = recordLooks();
    try {
      const reading = loadAllMCPConfigs({
        ...this.#options.load,
        held,
        signal,
        onRead: (file) => texts.set(file.path, file),
      });
      // A source of the host's own may hang.
      const loaded = await unlessAborted(reading, signal);
      return { loaded, texts, looks: endRecord().looks };
    } finally {
      endRecord();
    }
  }

  /** Tells which files are broken and which are away for the moment; remembers the good ones. */
  #judge({ loaded, texts }: Found): Judged {
    const reports = new Map<string, SourceReport>();
    for (const report of loaded.plan.sources) {
      // Of several reports about a file, the one that says what is wrong with it.
      if (!reports.has(report.path) || report.error !== null) reports.set(report.path, report);
    }
    const broken: string[] = [];
    const away: string[] = [];
    for (const [path, { id, state }] of reports) {
      if (NEVER_HELD.has(id)) continue;
      const file = texts.get(path);
      if (state === "malformed" || state === "unreadable") {
        this.#awaySince.delete(path);
        if (this.#good.has(path)) broken.push(path);
        continue;
      }
      const text = file?.state === "loaded" && file.text.trim() !== "" ? file.text : null;
      if (this.#isAway(path, text !== null)) away.push(path);
      else if (text === null) this.#good.delete(path);
      else this.#good.set(path, text);
    }
    return { reports, broken, away };
  }

  /** Whether a file that was there is away for so short a time that this does not count yet. */
  #isAway(path: string, isThere: boolean): boolean {
    if (isThere) {
      this.#there.add(path);
      this.#awaySince.delete(path);
      return false;
    }
    if (!this.#there.has(path)) return false;
    if (!this.#awaySince.has(path)) this.#awaySince.set(path, this.#options.now());
    if (this.#left(path) > 0) return true;
    this.#there.delete(path);
    this.#awaySince.delete(path);
    return false;
  }

  #left(path: string): number {
    const { now } = this.#options;
    return (this.#awaySince.get(path) ?? now()) + ABSENCE_MS - now();
  }

  #paths(found: readonly Found[], values: readonly string[]): readonly WatchedPath[] {
    const { folders } = this.#options.load;
    const plans = found.map(({ loaded }) => loaded.plan);
    const files = [
      ...plans.flatMap(({ sources, store, workspaceConfig }) => [
        ...sources.map(({ path }) => path),
        store,
        workspaceConfig,
      ]),
      settingsFile({ folders }),
      trustFile(folders),
      ...values,
    ];
    const listed = found.flatMap(({ looks }) =>
      looks.flatMap(({ how, path }) => how === "list" ? [path] : [])
    );
    return [
      // What stands in a variable is reported under the variable's name.
      ...[...new Set(files)].filter(isAbsolute).map((path) => ({ path })),
      ...[...new Set(listed)].map((path) => ({ path, isFolder: true })),
    ];
  }
}

/** What one load gave, and what it looked at. */
interface Found {
  readonly loaded: LoadedConfigs;
  readonly texts: ReadonlyMap<string, TextFile>;
  readonly looks: readonly Look[];
}

/** What is to be said of each file, and which stand for themselves only by what they said last. */
interface Judged {
  readonly reports: ReadonlyMap<string, SourceReport>;
  readonly broken: readonly string[];
  readonly away: readonly string[];
}

/** The reports of a plan in which broken files were held: of those, what is wrong with them. */
function trueReports(
  { sources }: Plan,
  broken: readonly string[],
  reports: ReadonlyMap<string, SourceReport>,
): readonly SourceReport[] {
  return sources.map((report) => {
    const found = reports.get(report.path);
    if (found === undefined || !broken.includes(report.path)) return report;
    const { state, error } = found;
    const warnings = [...report.warnings, "What it said before stands until it can be used again"];
    return { ...report, state, error: stillInForce(error), warnings };
  });
}

/** What is wrong with a file whose last word still stands: none of its servers is lost. */
function stillInForce(error: SourceReport["error"]): SourceReport["error"] {
  if (error === null) return null;
  return { ...error, hint: "Correct the file; until then what it said before is in force" };
}

/** The files of variables that servers are started with. */
function envFiles({ servers }: Plan): readonly string[] {
  return servers.flatMap(({ launch }) => launch?.envFile ?? []);
}

/** Whether there is a file that is not empty. */
function isFilled(path: string): boolean {
  try {
    return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
  } catch {
    return false;
  }
}
