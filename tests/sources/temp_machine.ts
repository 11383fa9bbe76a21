import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Definition } from "../../src/model/definition.ts";
import type { Machine } from "../../src/model/machine.ts";
import type { SourceReport } from "../../src/model/source.ts";
import { FolderIndex } from "../../src/platform/folder_index.ts";
import { hotplugFolders } from "../../src/platform/folders.ts";
import { cachedReader } from "../../src/sources/cached_reader.ts";
import { readSources } from "../../src/sources/read_all.ts";
import type { Source, SourceContext, SourceReading } from "../../src/sources/source.ts";

/** Facts that a test wants to differ from those of a Linux machine. */
export interface TempMachineOptions {
  readonly platform?: Machine["platform"];
  readonly env?: Readonly<Record<string, string>>;
  /** Current folder, relative to the workspace. */
  readonly cwd?: string;
  readonly lines?: boolean;
}

/** A home folder and a workspace in a temp folder of their own. */
export class TempMachine implements AsyncDisposable {
  readonly root: string;
  readonly home: string;
  readonly workspace: string;

  private constructor(root: string) {
    this.root = root;
    this.home = join(root, "home");
    this.workspace = join(root, "home", "work", "project");
  }

  /** Makes the folders. */
  static async create(): Promise<TempMachine> {
    const root = await realpath(await mkdtemp(join(tmpdir(), "hotplug-sources-")));
    const machine = new TempMachine(root);
    await mkdir(machine.workspace, { recursive: true });
    return machine;
  }

  /** Writes a file below the root; objects as JSON. */
  async write(path: string, content: string | Uint8Array | object): Promise<string> {
    const full = join(this.root, path);
    await mkdir(dirname(full), { recursive: true });
    const plain = typeof content === "string" || content instanceof Uint8Array;
    await writeFile(full, plain ? content : JSON.stringify(content));
    return full;
  }

  /** What a source is given on this machine. */
  context(options: TempMachineOptions = {}): SourceContext {
    const machine: Machine = {
      platform: options.platform ?? "linux",
      env: options.env ?? {},
      home: this.home,
      tmp: join(this.root, "tmp"),
      cwd: join(this.workspace, options.cwd ?? ""),
      uid: Deno.uid(),
    };
    const index = new FolderIndex(this.home);
    return {
      machine,
      isAbsent: (path) => index.isAbsent(path),
      // Windows paths cannot be made elsewhere; their layout is the platform's own test.
      folders: hotplugFolders({ ...machine, platform: "linux" }),
      workspacePath: this.workspace,
      readFile: cachedReader(index),
      lines: options.lines ?? false,
    };
  }

  /** Reads one source, as discovery does. */
  read(source: Source, options: TempMachineOptions = {}): Promise<SourceReading> {
    return readSources(this.context(options), [source]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

/** The one definition of a name. */
export function only(reading: SourceReading, name: string): Definition {
  const found = reading.definitions.filter((definition) => definition.name === name);
  if (found.length !== 1 || found[0] === undefined) {
    throw new Error(`Expected one definition of "${name}", found ${found.length}`);
  }
  return found[0];
}

/** The one report about a path that ends so. */
export function report(reading: SourceReading, ending: string): SourceReport {
  const found = reading.reports.filter(({ path }) => path.endsWith(ending));
  if (found.length !== 1 || found[0] === undefined) {
    throw new Error(`Expected one report about "${ending}", found ${found.length}`);
  }
  return found[0];
}
