import assert from "node:assert/strict";
import { delimiter, join } from "node:path";
import { leftoversOfHome } from "../harness/living_processes.ts";
import { trap } from "../harness/servers.ts";
import { makeTempHome, type TempHome } from "../harness/temp_home.ts";
import { runScenario } from "./run_scenario.ts";
import { RUNTIMES } from "./runtimes.ts";
import { standIn } from "./stand_in.ts";

/** What another program of the name says of itself. */
const STRANGER = "mcp 1.2.3";

/** What a run sets up, and what it starts with. */
interface Case {
  /** Folders of PATH below the home's root; those of the runtime and the shell come last. */
  readonly path?: readonly string[];
  /** The option `program`. */
  readonly program?: string | readonly string[];
  /** What the hook file was written with. */
  readonly baked?: readonly string[];
}

/** Opens a tool set in a home where programs were put; `null` when that went well. */
async function opening(
  prepare: (home: TempHome) => Promise<Case>,
): Promise<string | null> {
  const home = await makeTempHome();
  try {
    const { path = [], program, baked } = await prepare(home);
    const PATH = [...path.map((folder) => join(home.root, folder)), "/usr/bin", "/bin"];
    const deno = RUNTIMES.find(({ name }) => name === "deno");
    assert.ok(deno !== undefined);
    const run = await runScenario(home, await deno.command(), "finds its program", {
      input: { program, env: { PATH: PATH.join(delimiter) } },
      ...(baked === undefined ? {} : { baked }),
    });
    assert.equal(run.code, 0, run.stderr);
    assert.deepEqual(await leftoversOfHome(home.home, 3_000), []);
    const { message } = JSON.parse(run.stdout) as { readonly message: string | null };
    return message?.replaceAll(home.root, "") ?? null;
  } finally {
    await home.remove();
  }
}

Deno.test("hotplug or mcp on PATH is found", async () => {
  for (const name of ["hotplug", "mcp"]) {
    const failure = await opening(async (home) => {
      await standIn(home, trap("good"), { path: `bin/${name}` });
      return { path: ["bin"] };
    });
    assert.equal(failure, null, name);
  }
});

Deno.test("another program that is called mcp is refused, and one behind it is found", async () => {
  const stranger = (home: TempHome): Promise<string> =>
    standIn(home, trap("good"), { path: "theirs/mcp", version: STRANGER });
  const failure = await opening(async (home) => {
    await stranger(home);
    return { path: ["theirs"] };
  });
  assert.equal(
    failure,
    'Cannot find Hotplug: "hotplug" is not there; "/theirs/mcp" is another program (it ended with status 0) (install Hotplug, or write this file anew with "mcp hooks install")',
  );
  const second = await opening(async (home) => {
    await stranger(home);
    await standIn(home, trap("good"), { path: "ours/mcp" });
    return { path: ["theirs", "ours"] };
  });
  assert.equal(second, null);
});

Deno.test("without any program the error says what to do", async () => {
  assert.equal(
    await opening(() => Promise.resolve({})),
    'Cannot find Hotplug: "hotplug" is not there; "mcp" is not there (install Hotplug, or write this file anew with "mcp hooks install")',
  );
});

Deno.test("the program that wrote the file comes first, and PATH helps when it is gone", async () => {
  const written = await opening(async (home) => ({
    baked: [await standIn(home, trap("good"), { path: "a b/mcp" })],
  }));
  assert.equal(written, null);
  const moved = await opening(async (home) => {
    await standIn(home, trap("good"), { path: "bin/mcp" });
    return { baked: [join(home.root, "gone/mcp")], path: ["bin"] };
  });
  assert.equal(moved, null);
});

Deno.test("a program that is asked for is the only one that may be taken", async () => {
  const failure = await opening(async (home) => {
    await standIn(home, trap("good"), { path: "bin/mcp" });
    const other = await standIn(home, trap("good"), { path: "other", version: STRANGER });
    return { path: ["bin"], program: [other] };
  });
  assert.match(failure ?? "", /^Cannot find Hotplug: "\/other" is another program .*"program"\)$/);
});

Deno.test("a program in the current folder is taken neither by name nor by a relative PATH", async () => {
  const failure = await opening(async (home) => {
    await standIn(home, trap("good"), { path: "project/mcp" });
    return { path: [] };
  });
  assert.match(failure ?? "", /"mcp" is not there/);
  const home = await makeTempHome();
  try {
    await standIn(home, trap("good"), { path: "project/mcp" });
    const env = { PATH: ["", ".", "./"].join(delimiter) };
    const run = await runScenario(
      home,
      [Deno.execPath(), "run", "--quiet", "--allow-all", "--no-lock"],
      "finds its program",
      { input: { env } },
    );
    assert.match(run.stdout, /\\"mcp\\" is not there/, run.stderr);
  } finally {
    await home.remove();
  }
});
