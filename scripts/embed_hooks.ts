/**
 * Writes `src/hosts/hook/texts.ts` from the scripts beside it, so that the program carries them:
 * `deno run --allow-read --allow-write scripts/embed_hooks.ts && deno fmt src/hosts/hook/texts.ts`.
 * @module
 */

/** Where the scripts lie. */
const FOLDER = new URL("../src/hosts/hook/", import.meta.url);

/** What each hook file begins with: what its host loads it for. */
const ENTRIES = {
  module: ["module"],
  pi: ["pi", "extension", "notices", "model_content"],
  omp: ["omp", "extension", "notices", "model_content"],
} as const;

/** What every hook file ends with. */
const COMMON = [
  "toolset",
  "arrival",
  "kept_connection",
  "tool_list",
  "connection",
  "silence_watch",
  "program",
  "child",
  "waiting",
] as const;

/** What `texts.ts` holds. */
export interface HookTexts {
  /** What the hook files import: parts of the runtime alone. */
  readonly IMPORTS: string;
  /** What the hook file of each kind begins with. */
  readonly ENTRIES: Readonly<Record<keyof typeof ENTRIES, string>>;
  /** What every hook file ends with. */
  readonly COMMON: string;
}

/** What `texts.ts` has to hold, from the scripts alone. */
export async function hookTexts(): Promise<HookTexts> {
  const entries = await Promise.all(
    Object.entries(ENTRIES).map(async ([kind, names]) => {
      const parts = await Promise.all(names.map((name, index) => part(name, index === 0)));
      return [kind, parts] as const;
    }),
  );
  const common = await Promise.all(COMMON.map((name) => part(name)));
  const imports = [...entries.flatMap(([, parts]) => parts), ...common]
    .flatMap((one) => one.imports);
  const code = (parts: typeof common): string => parts.map((one) => one.code).join("\n");
  return {
    IMPORTS: [...new Set(imports)].toSorted().join(""),
    ENTRIES: Object.fromEntries(
      entries.map(([kind, parts]) => [kind, code(parts)]),
    ) as HookTexts["ENTRIES"],
    COMMON: code(common),
  };
}

/** One script: what it imports of the runtime, and its code as a part of one file. */
async function part(
  name: string,
  isEntry = false,
): Promise<{ readonly imports: readonly string[]; readonly code: string }> {
  const text = await Deno.readTextFile(new URL(`${name}.mjs`, FOLDER));
  const imports = [...text.matchAll(/^import .* from "node:.*";\n/gm)].map(([line]) => line);
  const code = text
    .replace(/^\/\/ deno-lint-ignore-file .*\n/, "")
    .replaceAll(/^import .*;\n/gm, "")
    .replaceAll(/import\("\.\/\w+\.mjs"\)\./g, "")
    .replaceAll(isEntry ? /(?!)/g : /^export /gm, "")
    .trimStart();
  return { imports, code };
}

if (import.meta.main) {
  const { IMPORTS, ENTRIES, COMMON } = await hookTexts();
  const text =
    `// Made from the scripts of this folder by scripts/embed_hooks.ts; a test keeps it true.

/** What the hook files import: parts of the runtime alone. */
export const IMPORTS: string =
  ${JSON.stringify(IMPORTS)};

/** What the hook file of each kind begins with. */
export const ENTRIES: Readonly<Record<"module" | "pi" | "omp", string>> = {
${
      Object.entries(ENTRIES).map(([kind, code]) => `  ${kind}:\n    ${JSON.stringify(code)},\n`)
        .join("")
    }};

/** What every hook file ends with. */
export const COMMON: string =
  ${JSON.stringify(COMMON)};
`;
  await Deno.writeTextFile(new URL("texts.ts", FOLDER), text);
}
