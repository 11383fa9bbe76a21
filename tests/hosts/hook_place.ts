import { join, relative } from "node:path";
import type { HookChange, HookFinding, HookScope } from "../../src/hosts/host_kind.ts";
import { examineHook } from "../../src/hosts/examine_hook.ts";
import { hookContext } from "../../src/hosts/hook_context.ts";
import { readRecords } from "../../src/hosts/hook_records.ts";
import { type HookState, inspectHook } from "../../src/hosts/inspect_hook.ts";
import { installHook } from "../../src/hosts/install_hook.ts";
import type { ProgramAnswer } from "../../src/hosts/program_version.ts";
import { knownHost } from "../../src/hosts/registry.ts";
import { uninstallHook } from "../../src/hosts/uninstall_hook.ts";
import { hotplugFolders } from "../../src/platform/folders.ts";
import type { SourceContext } from "../../src/sources/source.ts";
import { machineOf, makeTempHome, type TempHome } from "../harness/temp_home.ts";

/** The command line that the hooks of tests start. */
export const PROGRAM: readonly string[] = ["/opt/hot plug/mcp"];

/** Version that the hooks of tests are of. */
export const VERSION = "1.2.3";

/** How a hook is installed or removed in a test. */
export interface HookWords {
  readonly scope?: HookScope;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly program?: readonly string[];
  readonly version?: string;
}

/** A home in which hooks are installed. */
export interface HookPlace extends TempHome {
  readonly context: SourceContext;
  install(kind: string, words?: HookWords): Promise<HookChange>;
  uninstall(kind: string, words?: HookWords): Promise<HookChange>;
  inspect(kind: string, scope?: HookScope): Promise<HookState>;
  /** What the doctor finds; the program answers as it should, unless the test says otherwise. */
  examine(
    kind: string,
    options?: {
      readonly scope?: HookScope;
      readonly answer?: ProgramAnswer;
      readonly env?: Readonly<Record<string, string>>;
    },
  ): Promise<readonly HookFinding[]>;
  /** Every file, folder and link below the home and the project, Hotplug's own state left out. */
  tree(): Promise<ReadonlyMap<string, string>>;
  /** The text of a file below the temp folder. */
  text(path: string): Promise<string>;
}

/** Gives a test a home of its own, and removes it afterwards. */
export async function inHookPlace(test: (place: HookPlace) => Promise<void>): Promise<void> {
  const temp = await makeTempHome();
  // Only what the test itself makes may be found on the path.
  const machine = { ...machineOf(temp), env: { ...temp.env, PATH: join(temp.root, "bin") } };
  const folders = hotplugFolders(machine);
  const context = hookContext(machine, folders);
  const inspect = (kind: string, scope?: HookScope): Promise<HookState> => {
    const host = knownHost(kind);
    const [usual = "user"] = host.kind.scopes;
    return inspectHook(host, scope ?? usual, context, readRecords(folders));
  };
  try {
    await test({
      ...temp,
      context,
      install: (kind, { program = PROGRAM, version = VERSION, ...words } = {}) =>
        installHook(knownHost(kind), { context, program, version, ...words }),
      uninstall: (kind, words = {}) => uninstallHook(knownHost(kind), { context, ...words }),
      inspect,
      async examine(kind, options = {}): Promise<readonly HookFinding[]> {
        const { scope, answer = { version: VERSION, problem: null }, env = {} } = options;
        const state = await inspect(kind, scope);
        return await examineHook(knownHost(kind), state, {
          context: { ...context, machine: { ...machine, env: { ...machine.env, ...env } } },
          version: VERSION,
          ask: () => Promise.resolve(answer),
        });
      },
      tree: () => treeOf(temp.root, temp.state),
      text: (path) => Deno.readTextFile(join(temp.root, path)),
    });
  } finally {
    await temp.remove();
  }
}

async function treeOf(root: string, state: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const walk = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory, isSymlink } of Deno.readDir(folder)) {
      const path = join(folder, name);
      // Hotplug's own state, and the folders that are made for it: what else lies there counts.
      if (path === state) continue;
      if (state.startsWith(`${path}/`)) {
        await walk(path);
        continue;
      }
      const key = relative(root, path);
      if (isSymlink) found.set(key, `-> ${await Deno.readLink(path)}`);
      else if (isDirectory) {
        found.set(key, "folder");
        await walk(path);
      } else {
        const { mode } = await Deno.stat(path);
        found.set(key, `${((mode ?? 0) & 0o777).toString(8)} ${await Deno.readTextFile(path)}`);
      }
    }
  };
  await walk(root);
  return new Map([...found].toSorted(([a], [b]) => a < b ? -1 : 1));
}
