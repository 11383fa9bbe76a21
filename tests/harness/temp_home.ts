import { join } from "node:path";
import type { Machine } from "../../src/model/machine.ts";
import { DENO_CACHE } from "./repository.ts";

/** A user's whole world below one temp folder. */
export interface TempHome {
  /** The temp folder itself. */
  readonly root: string;
  /** `HOME`. */
  readonly home: string;
  /** A workspace: an empty folder with a `.git`. Not below the home. */
  readonly project: string;
  /** `TMPDIR`: must be empty when a test ends. */
  readonly tmp: string;
  /** Hotplug's config folder. */
  readonly config: string;
  /** Hotplug's state folder. */
  readonly state: string;
  /** Hotplug's cache folder. */
  readonly cache: string;
  /** The whole environment of programs that live here. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes a file, given by its path below {@linkcode root} or an absolute one. */
  write(path: string, content: string | object): Promise<string>;
  /** Removes the temp folder. */
  remove(): Promise<void>;
}

/** Such a world as a machine: this one, with another user. */
export function machineOf(temp: TempHome): Machine {
  return {
    platform: Deno.build.os === "windows" ? "win32" : Deno.build.os,
    env: temp.env,
    home: temp.home,
    tmp: temp.tmp,
    cwd: temp.project,
    uid: Deno.uid(),
  };
}

/** Makes such a world. Nothing of the real environment but `PATH` and Deno's cache gets into it. */
export async function makeTempHome(): Promise<TempHome> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "hotplug-test-" }));
  const home = join(root, "home");
  const project = join(root, "project");
  const tmp = join(root, "tmp");
  const env = {
    HOME: home,
    PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
    LANG: "C.UTF-8",
    TERM: "dumb",
    TMPDIR: tmp,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_RUNTIME_DIR: join(home, "run"),
    DENO_DIR: DENO_CACHE,
    DENO_NO_UPDATE_CHECK: "1",
  };
  for (const folder of [home, tmp, env.XDG_RUNTIME_DIR, join(project, ".git")]) {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  }
  return {
    root,
    home,
    project,
    tmp,
    config: join(env.XDG_CONFIG_HOME, "hotplug"),
    state: join(env.XDG_STATE_HOME, "hotplug"),
    cache: join(env.XDG_CACHE_HOME, "hotplug"),
    env,
    async write(path, content): Promise<string> {
      const target = path.startsWith("/") ? path : join(root, path);
      await Deno.mkdir(join(target, ".."), { recursive: true });
      const text = typeof content === "string" ? content : JSON.stringify(content, null, 2) + "\n";
      await Deno.writeTextFile(target, text);
      return target;
    },
    remove: () => Deno.remove(root, { recursive: true }),
  };
}
