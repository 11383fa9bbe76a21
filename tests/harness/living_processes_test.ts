import assert from "node:assert/strict";
import { endProcesses, leftoversOfHome, processesOfHome } from "./living_processes.ts";

/** A process with this home that sleeps. */
function sleeper(home: string): Deno.ChildProcess {
  return new Deno.Command("sleep", { args: ["60"], clearEnv: true, env: { HOME: home } }).spawn();
}

const linux = Deno.build.os === "linux";

Deno.test({
  name: "a living process of a home is found by it alone",
  ignore: !linux,
  fn: async () => {
    const home = `/nowhere/${crypto.randomUUID()}`;
    const child = sleeper(home);
    const found = await processesOfHome(home);
    assert.deepEqual(found.map(({ pid }) => pid), [child.pid]);
    assert.match(found[0]?.commandLine ?? "", /sleep 60$/);
    assert.deepEqual(await processesOfHome(`${home}/other`), []);
    endProcesses(found);
    await child.status;
    assert.deepEqual(await leftoversOfHome(home), []);
  },
});

Deno.test({
  name: "a process that nobody has waited for, but which is dead, does not count",
  ignore: !linux,
  fn: async () => {
    const home = `/nowhere/${crypto.randomUUID()}`;
    const shell = new Deno.Command("/bin/sh", {
      // The shell starts a child that ends at once, then becomes a program that never waits for it.
      args: ["-c", "sleep 0 & exec sleep 60"],
      clearEnv: true,
      env: { HOME: home, PATH: "/usr/bin:/bin" },
    }).spawn();
    let living = await processesOfHome(home);
    for (let tries = 0; tries < 100 && !living[0]?.commandLine.endsWith("sleep 60"); tries++) {
      await new Promise((wake) => setTimeout(wake, 10));
      living = await processesOfHome(home);
    }
    assert.deepEqual(living.map(({ pid }) => pid), [shell.pid]);
    shell.kill("SIGKILL");
    await shell.status;
  },
});

Deno.test("a home without processes has no leftovers", async () => {
  assert.deepEqual(await leftoversOfHome(`/nowhere/${crypto.randomUUID()}`), []);
});
