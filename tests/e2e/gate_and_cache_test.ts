import assert from "node:assert/strict";
import { e2e, row, succeeded, toolNames } from "../harness/e2e.ts";
import { runProgram } from "../harness/run_program.ts";
import { trap } from "../harness/servers.ts";

/** Whether the server behind `trap("marker", …)` was started since the last look. */
async function started(mark: string): Promise<boolean> {
  try {
    await Deno.remove(mark);
    return true;
  } catch {
    return false;
  }
}

e2e("tools starts nothing when a fresh list is remembered; --refresh does", async (world) => {
  const mark = `${world.root}/ran`;
  await world.userServers({ it: trap("marker", mark) });
  const first = await world.tools();
  assert.equal(await started(mark), true);
  const second = await world.tools();
  assert.equal(await started(mark), false);
  assert.deepEqual(second.tools, first.tools);
  assert.equal(typeof second.servers[0]?.cachedAgeMs, "number");
  await world.tools("--refresh");
  assert.equal(await started(mark), true);
});

e2e("status --cached starts nothing and shows what is remembered, with its age", async (world) => {
  const mark = `${world.root}/ran`;
  await world.userServers({ it: trap("marker", mark) });
  assert.equal(row(await world.status("--cached"), "it").tools, null);
  assert.equal(await started(mark), false);
  await world.tools();
  await started(mark);
  const it = row(await world.status("--cached"), "it");
  assert.deepEqual([it.state, it.tools], ["disconnected", 2]);
  assert.equal(typeof it.cachedAgeMs, "number");
  assert.equal(await started(mark), false);
});

e2e("a changed definition is not answered from the old one's list", async (world) => {
  await world.userServers({ it: trap("good") });
  await world.tools();
  await world.userServers({ it: trap("odd-names") });
  assert.equal(toolNames(await world.tools(), "it").length, 8);
});

e2e("another value of a variable is another server", async (world) => {
  const server = trap("marker", `${world.root}/ran`);
  await world.userServers({ it: { ...server, env: { ...server.env, ACCOUNT: "${ACCOUNT}" } } });
  for (const [account, expected] of [["one", true], ["one", false], ["two", true]] as const) {
    succeeded(await world.mcp(["tools"], { env: { ACCOUNT: account } }));
    assert.equal(await started(`${world.root}/ran`), expected, account);
  }
});

e2e("what is kept holds no secret and is private", async (world) => {
  const server = trap("good");
  await world.userServers({ it: { ...server, env: { ...server.env, TOKEN: "${TOKEN}" } } });
  succeeded(await world.mcp(["tools"], { env: { TOKEN: "the-secret-itself" } }));
  let files = 0;
  for (const folder of [world.cache, world.state]) {
    for (const path of await filesBelow(folder)) {
      files += 1;
      assert.ok(!(await Deno.readTextFile(path)).includes("the-secret-itself"), path);
      assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o077, 0, path);
    }
  }
  assert.ok(files > 0, "nothing was kept");
});

e2e("a broken cache is a miss, never an error [D16]", async (world) => {
  await world.userServers({ it: trap("good") });
  await world.tools();
  for (const path of await filesBelow(world.cache)) await Deno.writeTextFile(path, `{"version":`);
  assert.equal((await world.tools()).tools.length, 2);
});

e2e("a failed refresh keeps the good list [D17]", async (world) => {
  const flag = `${world.root}/fail`;
  const { command, args, env } = trap("good");
  const line = [command, ...args].map((word) => `'${word}'`).join(" ");
  const script = `test -e '${flag}' && exit 7; exec ${line}`;
  await world.userServers({ it: { command: "/bin/sh", args: ["-c", script], env } });
  await world.tools();
  await Deno.writeTextFile(flag, "");
  await world.mcp(["tools", "--refresh"]);
  assert.equal(row(await world.status("--cached"), "it").tools, 2);
});

e2e("cached tools of a server that may not run any more are not shown", async (world) => {
  await world.projectServers({ it: trap("good") });
  succeeded(await world.mcp(["trust", "--yes"]));
  assert.equal((await world.tools()).tools.length, 2);
  succeeded(await world.mcp(["untrust", "it"]));
  assert.equal((await world.tools()).tools.length, 0);
});

/** What `load_tools.ts` prints. */
interface Loaded {
  readonly elapsedMs: number;
  readonly tools: readonly string[];
  readonly errors: readonly string[];
  readonly connectedServers: readonly string[];
}

e2e(
  "the loader gives every known tool within the gate though one server hangs and one is dead",
  async (world) => {
    await world.userServers({
      good1: trap("good", "good1"),
      good2: trap("good", "good2"),
      good3: trap("good", "good3"),
      hung: { ...trap("hang"), startupTimeout: 4_000 },
      dead: trap("dead"),
    });
    // The first run fills the cache, of failures too; so only the second one is held to the gate.
    await runProgram<Loaded>("load_tools.ts", world);
    const expected = ["good1", "good2", "good3"].flatMap((name) => [
      `mcp_${name}_echo`,
      `mcp_${name}_add`,
    ]);
    // A busy machine may hold one run up; a gate that does not open holds up every run.
    const took: number[] = [];
    while (took.length < 8 && !took.some((ms) => ms <= 1_000)) {
      const { tools, elapsedMs } = await runProgram<Loaded>("load_tools.ts", world);
      assert.deepEqual(tools, expected);
      took.push(elapsedMs);
    }
    assert.ok(Math.min(...took) <= 1_000, `the gate took ${took} ms`);
  },
);

async function filesBelow(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  try {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      const path = `${folder}/${name}`;
      if (isDirectory) files.push(...await filesBelow(path));
      else files.push(path);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return files;
}
