import assert from "node:assert/strict";
import { e2e, states } from "../harness/e2e.ts";
import { RawClient } from "../harness/raw_client.ts";
import { DENO_CACHE, fromRepository } from "../harness/repository.ts";

const EXAMPLE = fromRepository("examples/project");

/** One entry of the example's config, which is strict JSON but for its comments. */
interface Entry {
  readonly command: string;
  readonly args: readonly string[];
}

async function entries(): Promise<Readonly<Record<string, Entry>>> {
  const text = await Deno.readTextFile(`${EXAMPLE}/.mcp.json`);
  const { mcpServers } = JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, "")) as {
    readonly mcpServers: Readonly<Record<string, Entry>>;
  };
  return mcpServers;
}

e2e("the example's servers wait for approval and would run with it", async (world) => {
  const options = { cwd: EXAMPLE };
  const names = Object.keys(await entries());
  for (const [flags, state] of [[[], "untrusted"], [["--trust"], "disconnected"]] as const) {
    const run = await world.mcp(["status", "--json", "--cached", ...flags], options);
    assert.deepEqual(states(run.json()), Object.fromEntries(names.map((name) => [name, state])));
  }
});

e2e("the example's own server lists its tools and finds a note", async (world) => {
  const { notes } = await entries();
  assert.ok(notes !== undefined);
  const client = new RawClient(
    { ...notes, command: Deno.execPath(), env: { DENO_DIR: DENO_CACHE } },
    world.env,
    EXAMPLE,
  );
  await client.initialize();
  const tools = (await client.tools()).map((tool) => tool["name"]);
  assert.deepEqual(tools, ["list_notes", "find_notes", "add_note"]);
  const found = await client.ask("tools/call", {
    name: "find_notes",
    arguments: { word: "MCP STATUS" },
  });
  assert.match(JSON.stringify(found), /mcp trust/);
  await client.close();
});

e2e("the example's servers from npm have the versions that the tests lock", async () => {
  const config = JSON.parse(await Deno.readTextFile(fromRepository("deno.json"))) as {
    readonly imports: Readonly<Record<string, string>>;
  };
  const { files, thinking } = await entries();
  const used = [...files?.args ?? [], ...thinking?.args ?? []].join(" ");
  for (const name of ["server-filesystem", "server-sequential-thinking"]) {
    const specifier = config.imports[`@modelcontextprotocol/${name}`]?.replace("npm:", "");
    assert.ok(specifier !== undefined && used.includes(specifier), used);
  }
});
