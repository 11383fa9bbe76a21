import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { inPlace, type Ran } from "./in_memory.ts";

const CLI = fileURLToPath(new URL("../../cli.ts", import.meta.url));

/** Runs the real program in a home of its own. */
async function program(
  args: readonly string[],
  place: { readonly home: string; readonly workspace: string },
): Promise<Ran> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "--no-prompt", "--allow-all", CLI, ...args],
    cwd: place.workspace,
    clearEnv: true,
    env: {
      HOME: place.home,
      PATH: "/usr/bin:/bin",
      DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
    },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

Deno.test("the program answers --version and --help without a word on stderr", async () => {
  await inPlace(async (place) => {
    const version = await program(["--version", "--json"], place);
    assert.deepEqual([version.code, version.stderr], [0, ""]);
    assert.equal((JSON.parse(version.stdout) as { name: string }).name, "hotplug");
    assert.match((await program(["--version"], place)).stdout, /^hotplug \d+\.\d+\.\d+\n$/);
    const help = await program(["--help"], place);
    assert.deepEqual([help.code, help.stderr], [0, ""]);
    assert.match(help.stdout, /^ {2}status +Start every server/m);
  });
});

Deno.test("the program shows cached rows and paths without colour in a pipe", async () => {
  await inPlace(async (place) => {
    await place.write(".mcp.json", '{"mcpServers": {"x": {"command": "sleep"}}}');
    const status = await program(["status", "--cached"], place);
    assert.deepEqual([status.code, status.stderr], [0, ""]);
    assert.match(status.stdout, /^x +stdio +untrusted +/m);
    // deno-lint-ignore no-control-regex -- the escape character must not be there
    assert.doesNotMatch(status.stdout, /\x1b/);
    const sources = await program(["sources"], place);
    assert.match(sources.stdout, /^\.mcp\.json +project +loaded +1 +\.mcp\.json$/m);
  });
});

Deno.test("the program's exit code is that of its error", async () => {
  await inPlace(async (place) => {
    assert.equal((await program(["nonsense"], place)).code, 2);
    assert.equal((await program(["tools", "nope"], place)).code, 2);
  });
});

Deno.test("a reader that stops reading is no failure", async () => {
  await inPlace(async (place) => {
    const command = `"$DENO" run --quiet --no-check --allow-all "$CLI" sources | head -c 1`;
    const { code, stderr } = await new Deno.Command("/bin/bash", {
      args: ["-o", "pipefail", "-c", command],
      cwd: place.workspace,
      clearEnv: true,
      env: {
        HOME: place.home,
        PATH: "/usr/bin:/bin",
        DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
        DENO: Deno.execPath(),
        CLI,
      },
    }).output();
    assert.deepEqual([code, new TextDecoder().decode(stderr)], [0, ""]);
  });
});
