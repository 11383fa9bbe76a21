import type { Definition, ServerConfig } from "../../src/model/definition.ts";
import type { HotplugFolders, Machine } from "../../src/model/machine.ts";
import type { SourceInfo, WorkspaceSwitches } from "../../src/model/source.ts";
import type { Source, SourceReading } from "../../src/sources/source.ts";

/** A source of the user's own files. */
export const USER: SourceInfo = {
  id: "claude-code",
  label: "Claude Code",
  scope: "user",
  path: "/home/me/.claude.json",
  line: null,
  rank: 80,
  dialect: "hotplug",
  environment: "all",
  store: false,
};

/** A source of the repository. */
export const PROJECT: SourceInfo = {
  ...USER,
  id: "mcp-json",
  label: ".mcp.json",
  scope: "project",
  path: "/repo/.mcp.json",
};

/** The store. */
export const STORE: SourceInfo = {
  ...USER,
  id: "store",
  label: "Hotplug store",
  path: "/home/me/.config/hotplug/mcp.json",
  rank: 100,
  store: true,
};

/** A valid definition. */
export function made(
  name: string,
  config: ServerConfig = { command: "true" },
  source: SourceInfo = USER,
): Definition {
  return { name, config, source, problems: [], warnings: [] };
}

/** A file of switches that governs the store. */
export function switches(
  enabled: readonly string[],
  disabled: readonly string[] = [],
): WorkspaceSwitches {
  return {
    sourceId: "store",
    path: "/repo/.hotplug/workspace.json",
    governs: ["store"],
    enabled,
    disabled,
  };
}

/** A source that gives what it is made with. */
export function given(reading: Partial<SourceReading>, id = "given"): Source {
  return {
    id,
    label: id,
    read: () => Promise.resolve({ definitions: [], reports: [], switches: [], ...reading }),
  };
}

/** A machine of its own in a temp folder: home, repository, and Hotplug's folders. */
export interface Place {
  readonly root: string;
  readonly home: string;
  readonly repo: string;
  readonly machine: Machine;
  readonly folders: HotplugFolders;
  /** Writes a file below the root; objects as JSON. Gives its path. */
  write(path: string, content: unknown): Promise<string>;
}

/** Runs a test in a place of its own, and removes it. */
export async function inPlace(
  test: (place: Place) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const home = `${root}/home`;
  const repo = `${root}/repo`;
  const machine: Machine = {
    platform: "linux",
    env: { HOME: home, PATH: "/usr/bin:/bin", ...env },
    home,
    tmp: `${root}/tmp`,
    cwd: repo,
    uid: Deno.uid(),
  };
  const folders: HotplugFolders = {
    config: `${home}/.config/hotplug`,
    state: `${home}/.local/state/hotplug`,
    cache: `${home}/.cache/hotplug`,
    runtime: `${root}/run`,
  };
  const write = async (path: string, content: unknown): Promise<string> => {
    const full = `${root}/${path}`;
    await Deno.mkdir(full.slice(0, full.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(
      full,
      typeof content === "string" ? content : JSON.stringify(content, null, 2),
    );
    return full;
  };
  try {
    await Deno.mkdir(`${repo}/.git`, { recursive: true });
    await Deno.mkdir(home, { recursive: true });
    await test({ root, home, repo, machine, folders, write });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}
