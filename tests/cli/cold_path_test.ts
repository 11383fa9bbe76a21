import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

/** What a module loads before it runs, as paths below `src/` or names of packages. */
async function staticImports(path: string): Promise<ReadonlySet<string>> {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", `${root}${path}`],
    stderr: "null",
  }).output();
  const graph = JSON.parse(new TextDecoder().decode(stdout)) as {
    readonly roots: readonly string[];
    readonly modules: readonly {
      readonly specifier: string;
      readonly dependencies?: readonly {
        readonly isDynamic?: boolean;
        readonly code?: { readonly specifier: string };
      }[];
    }[];
  };
  const modules = new Map(graph.modules.map((module) => [module.specifier, module]));
  const found = new Set<string>();
  const open = [...graph.roots];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    for (const { isDynamic, code } of modules.get(next)?.dependencies ?? []) {
      if (isDynamic !== true && code !== undefined) open.push(code.specifier);
    }
  }
  return new Set([...found].map((specifier) => specifier.replace(/^file:.*\/src\//, "")));
}

/** The folders of `src/` that a set of modules touches. */
function foldersOf(modules: ReadonlySet<string>): ReadonlySet<string> {
  const local = [...modules].filter((module) => !module.includes(":"));
  return new Set(local.map((module) => module.split("/")[0] ?? ""));
}

Deno.test("--version loads this folder's few modules and the parser", async () => {
  const modules = await staticImports("cli.ts");
  assert.deepEqual([...foldersOf(modules)].sort(), ["cli", "model"]);
  const others = [...modules].filter((module) => /^(?:node|npm):/.test(module));
  assert.deepEqual(others.map((name) => name.replace(/@[^@]*$/, "")).sort(), [
    "node:process",
    "npm:@stricli/core",
  ]);
});

Deno.test("--help loads the parser and the commands' words, and no file system", async () => {
  const modules = await staticImports("src/cli/application.ts");
  assert.ok([...foldersOf(modules)].every((folder) => ["cli", "model"].includes(folder)));
  const others = [...modules].filter((module) => /^(?:node|npm):/.test(module));
  assert.deepEqual(others.map((name) => name.replace(/@[^@]*$/, "")).sort(), [
    "node:process",
    "npm:@stricli/core",
  ]);
});

Deno.test("commands that start nothing load nothing of the runtime and no package", async () => {
  for (const action of ["tools", "status", "sources", "explain", "trust", "untrust"]) {
    const modules = await staticImports(`src/cli/actions/${action}.ts`);
    for (const folder of ["runtime", "connection", "session", "gateway"]) {
      assert.equal(foldersOf(modules).has(folder), false, `${action} loads ${folder}`);
    }
    const heavy = [...modules].filter((module) =>
      module.startsWith("npm:") || module === "node:child_process" || module === "node:crypto"
    );
    assert.deepEqual(heavy, [], action);
  }
});

Deno.test("a kept answer is printed without the parser, and without what discovery takes", async () => {
  const modules = await staticImports("src/cli/answer_memory.ts");
  assert.ok(modules.has("cli/recall_answer.ts"), "what prints it was found");
  assert.deepEqual([...foldersOf(modules)].sort(), ["cli", "model", "platform"]);
  assert.deepEqual([...modules].filter((module) => module.startsWith("npm:")), []);
});

Deno.test("commands that read load nothing that writes", async () => {
  for (const action of ["tools", "status", "sources", "explain"]) {
    const modules = await staticImports(`src/cli/actions/${action}.ts`);
    assert.ok(modules.has("plan/trust_store.ts"), `${action} was found`);
    const writers = ["private_file", "file_lock"].map((name) => `platform/${name}.ts`);
    assert.deepEqual(writers.filter((path) => modules.has(path)), [], action);
  }
});

Deno.test("a connection is made by the code of its own transport alone", async () => {
  const modules = await staticImports("src/runtime/manager.ts");
  assert.ok(modules.has("connection/connect.ts"), "the manager was found");
  const transports = ["connect_http", "connect_stdio"].map((name) => `connection/${name}.ts`);
  assert.deepEqual(transports.filter((path) => modules.has(path)), []);
});
