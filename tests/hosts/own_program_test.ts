import assert from "node:assert/strict";
import { join } from "node:path";
import { findProgram, ownProgram } from "../../src/hosts/own_program.ts";
import { programVersion } from "../../src/hosts/program_version.ts";
import { HotplugError } from "../../src/model/errors.ts";
import { VERSION } from "../../src/model/version.ts";
import { program } from "../harness/run_cli.ts";
import { machineOf, makeTempHome, type TempHome } from "../harness/temp_home.ts";

/** What is started how, with which files being there; and the command line for it. */
const STARTS: readonly (readonly [
  executable: string,
  script: string | undefined,
  files: readonly string[],
  expected: readonly string[] | null,
])[] = [
  ["/usr/bin/mcp", "/tmp/deno-compile-mcp/cli.ts", [], ["/usr/bin/mcp"]],
  ["/opt/x/hotplug", undefined, [], ["/opt/x/hotplug"]],
  ["C:\\x\\mcp.exe", undefined, [], ["C:\\x\\mcp.exe"]],
  ["/usr/bin/node", "/opt/hp/mcp", ["/opt/hp/mcp"], ["/usr/bin/node", "/opt/hp/mcp"]],
  ["/usr/bin/node22", "/opt/hp/mcp", ["/opt/hp/mcp"], ["/usr/bin/node22", "/opt/hp/mcp"]],
  ["/usr/bin/bun", "/opt/hp/mcp.js", ["/opt/hp/mcp.js"], ["/usr/bin/bun", "/opt/hp/mcp.js"]],
  ["/usr/bin/node", "/opt/gone/mcp", [], null],
  ["/usr/bin/node", "mcp", ["mcp"], null],
  ["/usr/bin/node", undefined, [], null],
  ["/usr/bin/node", "/h/.npm/_npx/1/mcp", ["/h/.npm/_npx/1/mcp"], null],
  ["/tmp/bunx-0-mcp/mcp", undefined, [], null],
];

Deno.test("the program tells the command line that starts it again, or that there is none", () => {
  for (const [executable, script, files, expected] of STARTS) {
    const found = ownProgram({ executable, script }, (path) => files.includes(path));
    assert.deepEqual(found, expected, `${executable} ${script}`);
  }
});

Deno.test("from source Deno gets the config of the source and no other", () => {
  const words = ["run", "--quiet", "--no-prompt", "--unstable-lazy-dynamic-imports", "--allow-all"];
  const running = { executable: "/bin/deno", script: "/s/cli.ts" };
  assert.deepEqual(
    ownProgram(running, (path) => ["/s/cli.ts", "/s/deno.json"].includes(path)),
    ["/bin/deno", ...words, "--config", "/s/deno.json", "/s/cli.ts"],
  );
  assert.deepEqual(
    ownProgram(running, (path) => path === "/s/cli.ts"),
    ["/bin/deno", ...words, "--no-config", "/s/cli.ts"],
  );
});

async function inHome(test: (home: TempHome) => Promise<void>): Promise<void> {
  const home = await makeTempHome();
  try {
    await test(home);
  } finally {
    await home.remove();
  }
}

/** Writes a program below the home's `bin`. */
async function script(home: TempHome, name: string, body: string): Promise<string> {
  const path = await home.write(`bin/${name}`, `#!/bin/sh\n${body}\n`);
  await Deno.chmod(path, 0o755);
  return path;
}

Deno.test("what this program says of itself is taken, from any folder", async () => {
  await inHome(async (home) => {
    const [executable, ...args] = program();
    const source = args.at(-1);
    const own = ownProgram(
      { executable, script: source },
      (path) => path === source || path.endsWith("/deno.json"),
    );
    assert.ok(own !== null);
    const answer = await programVersion(own, { machine: machineOf(home) });
    assert.deepEqual(answer, { version: VERSION, problem: null });
  });
});

Deno.test("another program is not taken, nor one that is silent, fails or talks without end", async () => {
  await inHome(async (home) => {
    const machine = machineOf(home);
    const cases: readonly (readonly [body: string, problem: RegExp])[] = [
      ["echo mcp 1.0", /another program/],
      ["exit 3", /another program/],
      [`echo '{"name":"other","version":"1"}'`, /another program/],
      [`echo '{"name":"hotplug"}'`, /another program/],
      [`echo '["hotplug"]'`, /another program/],
      [
        "printf '\\033[31merror\\033[0m: no such script\\nmore\\n' >&2; exit 1",
        /^it says: error: no such script$/,
      ],
      ["exec sleep 60", /does not answer/],
      ["while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done", /does not answer/],
    ];
    for (const [body, problem] of cases) {
      const path = await script(home, "mcp", body);
      const answer = await programVersion([path], { machine, timeoutMs: 400 });
      assert.match(answer.problem ?? "", problem, body);
    }
    const gone = await programVersion(["/nowhere/mcp"], { machine });
    assert.match(gone.problem ?? "", /is not there/);
    const path = await script(home, "mcp", "exec sleep 60");
    await assert.rejects(
      programVersion([path], { machine, signal: AbortSignal.timeout(100) }),
      (error) => error instanceof HotplugError && error.code === "aborted",
    );
  });
});

Deno.test("when the program runs from a place that will not last, one on PATH that is Hotplug is", async () => {
  await inHome(async (home) => {
    const bin = join(home.root, "bin");
    const machine = { ...machineOf(home), env: { ...home.env, PATH: `${bin}:/usr/bin:/bin` } };
    const options = {
      machine,
      running: { executable: "/usr/bin/node", script: "/h/_npx/mcp" },
      isFile: () => true,
      isHotplug: async (command: readonly string[]) =>
        (await programVersion(command, { machine })).problem === null,
    };
    // Another package owns a command of that name.
    await script(home, "mcp", "echo mcp 1.2");
    await assert.rejects(
      findProgram(options),
      (error) =>
        error instanceof HotplugError && error.code === "edit-refused" && error.hint !== null,
    );
    const own = await script(home, "hotplug", `echo '{"name":"hotplug","version":"9"}'`);
    assert.deepEqual(await findProgram(options), [own]);
  });
});
