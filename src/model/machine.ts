/** The facts of the machine and the process that everything else is decided by. */
export interface Machine {
  /** Operating system, in Node's names. */
  readonly platform: "linux" | "darwin" | "win32" | (string & Record<never, never>);
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Home folder of the user, absolute. */
  readonly home: string;
  /** Folder for temp files, absolute. */
  readonly tmp: string;
  /** Current folder, absolute, as the shell names it. */
  readonly cwd: string;
  /** Numeric user id; `null` on Windows. */
  readonly uid: number | null;
}

/** Hotplug's own folders, absolute. They may not exist yet. */
export interface HotplugFolders {
  /** Store and settings. */
  readonly config: string;
  /** Trust, enabling, logs, keys. */
  readonly state: string;
  /** Tool lists and spilled results. */
  readonly cache: string;
  /** Sockets. */
  readonly runtime: string;
}
