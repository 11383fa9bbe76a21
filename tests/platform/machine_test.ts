import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Machine } from "../../src/model/machine.ts";
import { currentMachine } from "../../src/platform/machine.ts";
import { withTempFolder } from "./real_processes.ts";

/** What another process with this environment and folder sees. */
async function machineOf(
  env: Readonly<Record<string, string>>,
  cwd: string,
  before = "",
): Promise<Machine> {
  const file = new URL("../../src/platform/machine.ts", import.meta.url);
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "eval",
      `import { currentMachine } from "${file}"; ${before}
      try { console.log(JSON.stringify(currentMachine())); }
      catch (error) { console.log(JSON.stringify({ code: error.code, message: error.message })); }`,
    ],
    env: {
      DENO_DIR: Deno.env.get("DENO_DIR") ?? join(Deno.env.get("HOME") ?? "/", ".cache/deno"),
      ...env,
    },
    clearEnv: true,
    cwd,
  }).output();
  const said = new TextDecoder().decode(stdout);
  assert.notEqual(said, "", new TextDecoder().decode(stderr));
  return JSON.parse(said);
}

Deno.test("the machine is described in Node's words", () => {
  const machine = currentMachine();
  assert.equal(machine.platform, Deno.build.os === "windows" ? "win32" : Deno.build.os);
  assert.equal(machine.uid, Deno.uid());
  assert.equal(machine.tmp, tmpdir());
  assert.equal(machine.env["PATH"], Deno.env.get("PATH"));
});

Deno.test("names of an object's own members are no variables", () => {
  assert.equal(currentMachine().env["constructor"], undefined);
  assert.equal(currentMachine().env["__proto__"], undefined);
});

Deno.test("home and temp folder follow the environment when it names them well", async () => {
  const named = await machineOf({ HOME: "/home/someone/", TMPDIR: "/var/tmp" }, "/");
  assert.equal(named.home, "/home/someone");
  assert.equal(named.tmp, "/var/tmp");
  for (const HOME of ["", "relative/home"]) {
    const { home } = await machineOf({ HOME }, "/");
    assert.match(home, /^\//);
    assert.doesNotMatch(home, /relative/);
  }
});

Deno.test("the current folder keeps the name that the user came by [A42]", async () => {
  await withTempFolder(async (folder) => {
    const [real, link] = [join(folder, "real"), join(folder, "link")];
    await mkdir(real);
    await symlink("real", link);
    assert.equal((await machineOf({ PWD: link }, real)).cwd, link);
    for (const PWD of [folder, "link", "", join(folder, "none")]) {
      assert.equal((await machineOf({ PWD }, real)).cwd, real);
    }
  });
});

Deno.test("a current folder that was removed keeps its name, or is an error", async () => {
  await withTempFolder(async (folder) => {
    const gone = join(folder, "gone");
    const remove = `Deno.removeSync(${JSON.stringify(gone)});`;
    await mkdir(gone);
    assert.equal((await machineOf({ PWD: gone }, gone, remove)).cwd, gone);
    await mkdir(gone);
    assert.deepEqual(await machineOf({}, gone, remove), {
      code: "discovery-failed",
      message: "Cannot tell the current folder: it was removed",
    });
  });
});
