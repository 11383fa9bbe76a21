import { basename, dirname, isAbsolute, join } from "node:path";
import { HotplugError } from "../model/errors.ts";
import type { Machine } from "../model/machine.ts";
import { resolveProgram } from "../platform/program.ts";

/** How this very program was started. */
export interface RunningProgram {
  /** Absolute path of the executable: `process.execPath`. */
  readonly executable: string;
  /** What it runs: `process.argv[1]`; absent when it tells none. */
  readonly script: string | undefined;
}

/** Executables that run a script and are not the program themselves. */
const INTERPRETER = /^(?:deno|node|nodejs|bun)[-\d.]*$/i;

/** How a script is run by Deno: as the first line of `cli.ts` has it. */
const DENO_WORDS: readonly string[] = [
  "run",
  "--quiet",
  "--no-prompt",
  "--unstable-lazy-dynamic-imports",
  "--allow-all",
];

/** Folders of packages that were fetched for one run and may be gone at the next. */
const PASSING = /[/\\](?:_npx|dlx(?:-[^/\\]*)?|bunx-[^/\\]*)[/\\]/;

/**
 * The command line that starts this very program again, from any folder and without a `PATH`;
 * `null` when it cannot be told or will not last. Pure but for `isFile`.
 *
 * @param isFile Whether a file stands at an absolute path.
 */
export function ownProgram(
  { executable, script }: RunningProgram,
  isFile: (path: string) => boolean,
): readonly string[] | null {
  const name = basename(executable.replaceAll("\\", "/")).replace(/\.exe$/i, "");
  if (!INTERPRETER.test(name)) return PASSING.test(executable) ? null : [executable];
  if (script === undefined || !isAbsolute(script) || PASSING.test(script) || !isFile(script)) {
    return null;
  }
  if (!/^deno/i.test(name)) return [executable, script];
  // Without it a config of the folder in which the host works would count.
  const config = join(dirname(script), "deno.json");
  const words = isFile(config) ? ["--config", config] : ["--no-config"];
  return [executable, ...DENO_WORDS, ...words, script];
}

/** What finding the program takes. */
export interface FindProgramOptions {
  /** The machine, whose `PATH` is searched. */
  readonly machine: Machine;
  /** How this very program was started. */
  readonly running: RunningProgram;
  /** Whether a file stands at an absolute path. */
  readonly isFile: (path: string) => boolean;
  /** Asks a command line whether it is Hotplug's. */
  readonly isHotplug: (program: readonly string[]) => Promise<boolean>;
}

/**
 * The command line that hooks start: that of this very program, else `hotplug`, else `mcp` on
 * `PATH`, of which each must say that it is Hotplug, as other programs are called `mcp` too.
 *
 * @throws {HotplugError} `edit-refused`.
 */
export async function findProgram(options: FindProgramOptions): Promise<readonly string[]> {
  const { machine, running, isFile, isHotplug } = options;
  const own = ownProgram(running, isFile);
  if (own !== null) return own;
  for (const name of ["hotplug", "mcp"]) {
    const { path } = resolveProgram(name, { machine, env: machine.env, cwd: machine.home });
    if (path !== null && await isHotplug([path])) return [path];
  }
  throw new HotplugError(
    // Not `program-not-found`, by whose exit status a server cannot be reached.
    "edit-refused",
    "Cannot tell how hosts start Hotplug: it runs from a place that will not last, " +
      'and neither "hotplug" nor "mcp" on PATH is Hotplug',
    { hint: "Install it first, and run the installed one" },
  );
}
