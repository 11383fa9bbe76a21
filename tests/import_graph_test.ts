import assert from "node:assert/strict";

interface InfoDependency {
  readonly isDynamic?: boolean;
  readonly code?: { readonly specifier?: string };
  readonly type?: { readonly specifier?: string };
}

interface InfoModule {
  readonly specifier: string;
  readonly dependencies?: readonly InfoDependency[];
}

interface Import {
  readonly from: string;
  readonly to: string;
  readonly dynamic: boolean;
  readonly typeOnly: boolean;
}

const ROOT = new URL("../", import.meta.url).href;
const COLD = [
  "model",
  "platform",
  "formats",
  "definitions",
  "sources",
  "plan",
  "cache",
  "tools",
  "cli",
];
/** What a cold command must not load: the protocol SDK, its validators, schema libraries. */
const HEAVY = /@modelcontextprotocol|\/zod@|ajv|@cfworker|node:child_process|node:crypto/;

/** Every import of the modules that `mod.ts` and `cli.ts` reach, ours as paths below the root. */
async function readImports(): Promise<readonly Import[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "cli.ts"],
    cwd: new URL(ROOT),
    env: { NO_COLOR: "1" },
  }).output();
  const library = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "mod.ts"],
    cwd: new URL(ROOT),
    env: { NO_COLOR: "1" },
  }).output();
  const modules = [stdout, library.stdout].flatMap((bytes) =>
    (JSON.parse(new TextDecoder().decode(bytes)) as { modules: InfoModule[] }).modules
  );
  const place = (specifier: string): string =>
    specifier.startsWith(ROOT) ? specifier.slice(ROOT.length) : specifier;
  const imports = modules.filter((module) => module.specifier.startsWith(ROOT))
    .flatMap((module) =>
      (module.dependencies ?? []).map((dependency) => ({
        from: place(module.specifier),
        to: place(dependency.code?.specifier ?? dependency.type?.specifier ?? ""),
        dynamic: dependency.isDynamic ?? false,
        typeOnly: dependency.code === undefined,
      }))
    );
  return imports;
}

/** The table of CONTRIBUTING.md: folder → the folders that it may import. */
async function readTable(): Promise<ReadonlyMap<string, readonly string[]>> {
  const text = await Deno.readTextFile(new URL("CONTRIBUTING.md", ROOT));
  const rows = [...text.matchAll(/^\| `(\w+)`\s*\|[^|]*\|([^|]*)\|$/gm)];
  return new Map(rows.map(([, folder, allowed]) => [
    folder ?? "",
    (allowed ?? "").split(",").map((word) => word.trim()).filter((word) => /^\w+$/.test(word)),
  ]));
}

/** The folder below `src/` that a path lies in, or `null`. */
function folderOf(path: string): string | null {
  return /^src\/(\w+)\//.exec(path)?.[1] ?? null;
}

Deno.test("imports run only as the table in CONTRIBUTING.md says", async () => {
  const [imports, table] = await Promise.all([readImports(), readTable()]);
  assert.ok(table.size >= 12, "the table was found");
  assert.ok(imports.length > 100, "the graph was found");
  const wrong = imports.filter(({ from, to }) => {
    const [source, target] = [folderOf(from), folderOf(to)];
    if (source === null || target === null || source === target) return false;
    const allowed = table.get(source) ?? [];
    return !allowed.includes("all") && !allowed.includes(target);
  });
  assert.deepEqual(wrong.map(({ from, to }) => `${from} → ${to}`), []);
});

Deno.test("no file of src imports in a circle", async () => {
  const imports = (await readImports()).filter(({ from, to, typeOnly }) =>
    from.startsWith("src/") && to.startsWith("src/") && !typeOnly
  );
  const next = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      circles.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
    } else if (!done.has(path)) {
      for (const { to } of next.get(path) ?? []) walk(to, [...trail, path]);
      done.add(path);
    }
  };
  for (const path of next.keys()) walk(path, []);
  assert.deepEqual(circles, []);
});

/** What a module reaches without a dynamic import, itself included. */
function staticReach(start: string, imports: readonly Import[]): Set<string> {
  const loaded = imports.filter(({ dynamic, typeOnly }) => !dynamic && !typeOnly);
  const reach = new Set([start]);
  for (const path of reach) {
    for (const { from, to } of loaded) if (from === path) reach.add(to);
  }
  return reach;
}

Deno.test("the cold commands load neither the runtime nor the SDK", async () => {
  const imports = await readImports();
  for (const command of ["status", "tools", "sources", "explain"]) {
    const reach = [...staticReach(`src/cli/actions/${command}.ts`, imports)];
    assert.ok(reach.length > 5, `${command} was found`);
    const warm = reach.filter((path) =>
      HEAVY.test(path) || (folderOf(path) !== null && !COLD.includes(folderOf(path) ?? ""))
    );
    assert.deepEqual(warm, [], `${command} stays cold`);
  }
});

Deno.test("--version and --help load next to nothing", async () => {
  const reach = [...staticReach("cli.ts", await readImports())];
  const heavy = reach.filter((path) => HEAVY.test(path) || /jsonc-parser|node:fs/.test(path));
  assert.deepEqual(heavy, []);
});

Deno.test("src and mod.ts use no Deno API and never child.kill()", async () => {
  const wrong: string[] = [];
  const check = async (path: string): Promise<void> => {
    const text = await Deno.readTextFile(new URL(path, ROOT));
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    if (/\bDeno\./.test(code)) wrong.push(`${path}: Deno.*`);
    if (/(?<!process)\.kill\(/.test(code)) wrong.push(`${path}: .kill()`);
  };
  const walk = async (folder: string): Promise<void> => {
    for await (const entry of Deno.readDir(new URL(folder, ROOT))) {
      if (entry.isDirectory) await walk(`${folder}${entry.name}/`);
      else if (entry.name.endsWith(".ts")) await check(`${folder}${entry.name}`);
    }
  };
  await walk("src/");
  await check("mod.ts");
  assert.deepEqual(wrong, []);
});
