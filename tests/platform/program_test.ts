import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Machine } from "../../src/model/machine.ts";
import { programCandidates, resolveProgram } from "../../src/platform/program.ts";
import { withTempFolder } from "./real_processes.ts";

function machine(home: string, platform: "linux" | "win32" = "linux"): Machine {
  return { platform, env: {}, home, tmp: "/tmp", cwd: "/", uid: 0 };
}

/** A folder with `one/tool`, `two/tool`, `one/plain` (not executable) and the folder `one/dir`. */
function withPrograms(test: (folder: string) => void | Promise<void>): Promise<void> {
  return withTempFolder(async (folder) => {
    await mkdir(join(folder, "one", "dir"), { recursive: true });
    await mkdir(join(folder, "two"));
    for (const file of ["one/tool", "two/tool", "two/plain", "two/dir"]) {
      await writeFile(join(folder, file), "#!/bin/sh\n", { mode: 0o755 });
    }
    await writeFile(join(folder, "one/plain"), "", { mode: 0o644 });
    await test(folder);
  });
}

Deno.test("a bare name is found in the first folder of PATH that has it", async () => {
  await withPrograms((folder) => {
    const searched = [join(folder, "none"), join(folder, "one"), join(folder, "two")];
    const options = { machine: machine(folder), env: { PATH: searched.join(":") }, cwd: "/" };
    assert.deepEqual(resolveProgram("tool", options), {
      path: join(folder, "one/tool"),
      searched,
    });
  });
});

Deno.test("a folder and a file that is not executable are passed over", async () => {
  await withPrograms((folder) => {
    const env = { PATH: `${join(folder, "one")}:${join(folder, "two")}` };
    const options = { machine: machine(folder), env, cwd: "/" };
    assert.equal(resolveProgram("dir", options).path, join(folder, "two/dir"));
    assert.equal(resolveProgram("plain", options).path, join(folder, "two/plain"));
  });
});

Deno.test("a file that may not be run is named when there is nothing better", async () => {
  await withPrograms((folder) => {
    const env = { PATH: join(folder, "one") };
    const found = resolveProgram("plain", { machine: machine(folder), env, cwd: "/" });
    assert.deepEqual(found, {
      path: null,
      searched: [join(folder, "one")],
      unusable: join(folder, "one/plain"),
    });
  });
});

Deno.test("the current folder and relative entries of PATH are never searched", async () => {
  await withPrograms((folder) => {
    for (const PATH of ["", ".", ":", "one", "./one:", `~/one`]) {
      const options = { machine: machine(folder), env: { PATH }, cwd: join(folder, "one") };
      assert.deepEqual(resolveProgram("tool", options), { path: null, searched: [] });
    }
    const noPath = { machine: machine(folder), env: {}, cwd: join(folder, "one") };
    assert.deepEqual(resolveProgram("tool", noPath), { path: null, searched: [] });
  });
});

Deno.test("a name with a separator is meant from the working folder", async () => {
  await withPrograms((folder) => {
    const options = { machine: machine("/nowhere"), env: {}, cwd: folder };
    const path = join(folder, "two/tool");
    assert.deepEqual(resolveProgram("./two/tool", options), { path, searched: [path] });
    assert.deepEqual(resolveProgram("two/tool", options), { path, searched: [path] });
    assert.deepEqual(resolveProgram(path, { ...options, cwd: "/" }), {
      path,
      searched: [path],
    });
  });
});

Deno.test("a leading tilde is the home folder", async () => {
  await withPrograms((folder) => {
    const options = { machine: machine(folder), env: {}, cwd: "/" };
    assert.equal(resolveProgram("~/one/tool", options).path, join(folder, "one/tool"));
    assert.equal(resolveProgram("~tool", options).path, null);
  });
});

Deno.test("a link keeps its own name", async () => {
  await withPrograms(async (folder) => {
    await symlink(join(folder, "one/tool"), join(folder, "two/alias"));
    const options = { machine: machine(folder), env: { PATH: join(folder, "two") }, cwd: "/" };
    assert.equal(resolveProgram("alias", options).path, join(folder, "two/alias"));
  });
});

Deno.test("an empty command is no program", () => {
  const options = { machine: machine("/"), env: { PATH: "/bin" }, cwd: "/" };
  assert.deepEqual(resolveProgram("", options), { path: null, searched: [] });
  assert.deepEqual(resolveProgram("a\0b", options), { path: null, searched: [] });
});

Deno.test("Windows finds programs by their extensions, in the order of PATHEXT [A22]", () => {
  const options = {
    machine: machine("C:\\Users\\u", "win32"),
    env: { Path: 'C:\\bin;"C:\\Program Files\\nodejs";.;relative', PathExt: ".EXE;.CMD" },
    cwd: "C:\\repo",
  };
  assert.deepEqual(programCandidates("npx", options), {
    files: [
      "C:\\bin\\npx.EXE",
      "C:\\bin\\npx.CMD",
      "C:\\Program Files\\nodejs\\npx.EXE",
      "C:\\Program Files\\nodejs\\npx.CMD",
    ],
    searched: ["C:\\bin", "C:\\Program Files\\nodejs"],
  });
  assert.equal(programCandidates("npx.cmd", options).files[0], "C:\\bin\\npx.cmd");
  assert.deepEqual(programCandidates("~\\run.exe", options).searched, ["C:\\Users\\u\\run.exe"]);
  assert.deepEqual(programCandidates("tools\\run", options).files, [
    "C:\\repo\\tools\\run.EXE",
    "C:\\repo\\tools\\run.CMD",
  ]);
});
