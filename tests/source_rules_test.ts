import assert from "node:assert/strict";

const ROOT = new URL("../", import.meta.url);

/** Every source file of the program and the library: its path and its text without comments. */
async function sources(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const visit = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(new URL(folder, ROOT))) {
      if (isDirectory) await visit(`${folder}${name}/`);
      else if (name.endsWith(".ts")) files.set(`${folder}${name}`, "");
    }
  };
  await visit("src/");
  for (const path of [...files.keys(), "mod.ts", "cli.ts"]) {
    const text = await Deno.readTextFile(new URL(path, ROOT));
    files.set(path, text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, ""));
  }
  return files;
}

Deno.test("every process is started without a console window on Windows [B23]", async () => {
  const starts = [...await sources()].flatMap(([path, text]) =>
    /from "node:child_process"/.test(text)
      ? [
        ...text.matchAll(
          /(?<![.\w])(?:spawn|spawnSync|exec|execSync|execFile|execFileSync|fork)\(/g,
        ),
      ]
        // A call, its options before or within it, and what follows to the end of its function.
        .map(({ index }) => ({ path, around: functionAround(text, index) }))
      : []
  );
  assert.ok(starts.length >= 3, "no process is started any more?");
  for (const { path, around } of starts) {
    assert.match(around, /\bwindowsHide: true\b/, `${path} starts a process:\n${around}`);
  }
});

Deno.test("nothing is loaded by a path that is computed, so that one file can hold it all [B27]", async () => {
  let imports = 0;
  for (const [path, text] of await sources()) {
    for (const [call] of text.matchAll(/\bimport\((?:.|\n)*?\)/g)) {
      imports++;
      assert.match(call, /^import\(\s*"[^"]+",?\s*\)$/, `${path}: ${call}`);
    }
    assert.doesNotMatch(text, /\bcreateRequire\b|\beval\(|\bnew Function\(/, path);
  }
  assert.ok(imports > 20, "the lazy imports are no longer found");
});

/** The text of the top-level function around a place. */
function functionAround(text: string, index: number): string {
  const start = Math.max(0, text.lastIndexOf("\n}\n", index));
  const end = text.indexOf("\n}\n", index);
  return text.slice(start, end < 0 ? undefined : end);
}
