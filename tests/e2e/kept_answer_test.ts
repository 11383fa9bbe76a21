import assert from "node:assert/strict";
import { join } from "node:path";
import type { ToolsDocument } from "../../src/cli/documents.ts";
import { e2e, succeeded, type World } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";

/** Milliseconds until a file that was written now no longer keeps answers from being kept. */
const SETTLED_MS = 2_500;

/** Asks for the tools until an answer is kept; gives its path. */
async function keptAnswer(world: World, args: readonly string[]): Promise<string> {
  const folder = join(world.cache, "answers");
  const before = new Set(await answersIn(folder));
  for (let tries = 0; tries < 20; tries += 1) {
    succeeded(await world.mcp(args));
    const [path] = (await answersIn(folder)).filter((name) => !before.has(name));
    if (path !== undefined) return path;
    // The system's own times of the files are what is waited for.
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS / 4));
  }
  throw new Error("No answer was kept");
}

async function answersIn(folder: string): Promise<readonly string[]> {
  try {
    const names: string[] = [];
    for await (const { name } of Deno.readDir(folder)) {
      if (name.endsWith(".json")) names.push(join(folder, name));
    }
    return names;
  } catch {
    return [];
  }
}

/** Marks a kept answer, so that what is printed from it can be told. */
async function mark(path: string): Promise<void> {
  const text = await Deno.readTextFile(path);
  assert.match(text, /Gives its text back/);
  await Deno.writeTextFile(path, text.replace("Gives its text back", "Gives its text BACK"));
}

const ageless = (text: string): string =>
  text.replace(/read \S+ ago/g, "read").replace(/"cachedAgeMs": \d+/g, '"cachedAgeMs"');

e2e("tools is answered from memory, as before, until something changed", async (world) => {
  await world.projectServers({ it: trap("good") });
  succeeded(await world.mcp(["trust", "--yes"]));
  for (const args of [["tools"], ["tools", "--json"]]) {
    const path = await keptAnswer(world, args);
    const ordinary = succeeded(await world.mcp([...args, "--verbose"]));
    await mark(path);
    const remembered = succeeded(await world.mcp(args));
    assert.match(remembered.stdout, /BACK/, "it came from memory");
    assert.equal(
      ageless(remembered.stdout).replace("BACK", "back"),
      ageless(ordinary.stdout),
    );
    assert.equal(remembered.stderr, "");
  }
  assert.match(succeeded(await world.mcp(["tools"])).stdout, /BACK/, "still from memory");
  assert.doesNotMatch((await world.mcp(["tools"], { env: { NEW: "1" } })).stdout, /BACK/);
  assert.doesNotMatch((await world.mcp(["tools", "--refresh"])).stdout, /BACK/);
});

e2e("a project that lost its trust is not listed from memory", async (world) => {
  await world.projectServers({ it: trap("good") });
  succeeded(await world.mcp(["trust", "--yes"]));
  await mark(await keptAnswer(world, ["tools", "--json"]));
  const document = succeeded(await world.mcp(["tools", "--json"])).json<ToolsDocument>();
  assert.equal(document.tools[0]?.description, "Gives its text BACK", "it came from memory");
  succeeded(await world.mcp(["untrust"]));
  const after = succeeded(await world.mcp(["tools", "--json"])).json<ToolsDocument>();
  assert.deepEqual(after.tools, []);
  assert.equal(after.servers[0]?.state, "untrusted");
});
