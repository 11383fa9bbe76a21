import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Root folder of this repository. */
export const REPOSITORY: string = dirname(
  dirname(dirname(fileURLToPath(import.meta.url))),
);

/** Absolute path of a file of this repository. */
export function fromRepository(path: string): string {
  return join(REPOSITORY, path);
}

/**
 * Folder of Deno's caches. Programs that a test starts live in another home, so they are told:
 * nothing is downloaded twice.
 */
export const DENO_CACHE: string = Deno.env.get("DENO_DIR") ??
  join(Deno.env.get("XDG_CACHE_HOME") ?? join(Deno.env.get("HOME") ?? "/", ".cache"), "deno");

/** The `npm:` specifier of a package, with the version that `deno.json` names. */
export function npmSpecifier(name: string): string {
  const config = JSON.parse(Deno.readTextFileSync(fromRepository("deno.json"))) as {
    readonly imports: Readonly<Record<string, string>>;
  };
  const specifier = config.imports[name];
  if (specifier === undefined) throw new Error(`Cannot find "${name}" in deno.json`);
  return specifier;
}
