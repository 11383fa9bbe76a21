import assert from "node:assert/strict";
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { cacheFingerprint, type CacheKeyInput } from "../../src/cache/cache_key.ts";

async function withInput(
  action: (input: CacheKeyInput, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await writeFile(join(folder, "program"), "#!");
    await writeFile(join(folder, "server.js"), "1");
    const config = {
      command: "program",
      args: ["server.js", "--flag"],
      env: { TOKEN: "${TOKEN}" },
    };
    await action({
      name: "srv",
      config,
      resolved: { ...config, env: { TOKEN: "sesame" }, headers: {} },
      environment: { HOME: "/home/u", TOKEN: "sesame", TERM: "xterm", SHLVL: "1" },
      cwd: folder,
      program: join(folder, "program"),
      capabilities: { roots: {} },
      keyFolder: join(folder, "state"),
    }, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("equal starts have one fingerprint of 64 hexadecimal digits", () =>
  withInput(async (input) => {
    const key = await cacheFingerprint(input);
    assert.match(key, /^[0-9a-f]{64}$/);
    assert.equal(await cacheFingerprint(structuredClone(input)), key);
  }));

Deno.test("everything that a server is started with changes the fingerprint", () =>
  withInput(async (input, folder) => {
    const variants: readonly CacheKeyInput[] = [
      input,
      { ...input, name: "other" },
      { ...input, config: { ...input.config, args: ["server.js"] } },
      { ...input, resolved: { ...input.resolved, env: { TOKEN: "other" } } },
      { ...input, resolved: { ...input.resolved, args: ["server.js", "--other"] } },
      { ...input, resolved: { ...input.resolved, headers: { Authorization: "x" } } },
      { ...input, environment: { ...input.environment, ACCOUNT: "2" } },
      { ...input, cwd: join(folder, "state") },
      { ...input, program: null },
      { ...input, capabilities: {} },
    ];
    const keys = await Promise.all(variants.map((variant) => cacheFingerprint(variant)));
    assert.equal(new Set(keys).size, variants.length);
  }));

Deno.test("a new version of the program or of a script changes the fingerprint", () =>
  withInput(async (input, folder) => {
    const before = await cacheFingerprint(input);
    await writeFile(join(folder, "server.js"), "12");
    const after = await cacheFingerprint(input);
    assert.notEqual(after, before);
    await utimes(join(folder, "program"), 1, 1);
    assert.notEqual(await cacheFingerprint(input), after);
  }));

Deno.test("another terminal finds the lists of the first", () =>
  withInput(async (input) => {
    const environment = {
      ...input.environment,
      TERM: "vt100",
      SHLVL: "3",
      PWD: "/elsewhere",
      SSH_CONNECTION: "1.2.3.4",
      VSCODE_PID: "7",
    };
    assert.equal(await cacheFingerprint({ ...input, environment }), await cacheFingerprint(input));
  }));

Deno.test("another user's key gives another fingerprint", () =>
  withInput(async (input, folder) => {
    const other = { ...input, keyFolder: join(folder, "other") };
    assert.notEqual(await cacheFingerprint(other), await cacheFingerprint(input));
  }));

Deno.test("an expanded secret is written nowhere", () =>
  withInput(async (input, folder) => {
    await cacheFingerprint(input);
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile())) {
      assert.ok(!(await readFile(join(file.parentPath, file.name), "utf8")).includes("sesame"));
    }
  }));
