import assert from "node:assert/strict";
import { addServers } from "../../src/edit/add_servers.ts";
import { exportServers } from "../../src/edit/export_servers.ts";
import { snippetServers } from "../../src/edit/snippet.ts";
import { inEditPlace, STORE } from "./made.ts";

const PROJECT_FILE = "home/work/project/.vscode/mcp.json";
const TARGET = { scope: "project", host: "vscode" } as const;

/** A server that asks the user for values. */
function asking(...ids: readonly string[]): object {
  const env = Object.fromEntries(ids.map((id, index) => [`V${index}`, `\${input:${id}}`]));
  return { command: "a", env };
}

Deno.test("the values that pasted servers ask for are put beside them, those there stay", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    const there = { type: "promptString", id: "old", description: "Mine" };
    await write(PROJECT_FILE, { servers: {}, inputs: [there] });
    const pasted = await snippetServers(
      JSON.stringify({
        inputs: [
          { type: "promptString", id: "old", description: "Theirs" },
          { type: "pickString", id: "new", options: ["a", "b"] },
          { type: "promptString", id: "unused" },
        ],
        servers: { x: asking("old", "new"), y: asking("new", "unknown") },
      }),
      undefined,
    );
    const { files } = await addServers(pasted, { ...given, target: TARGET });
    assert.equal(files.length, 1);
    const { servers, inputs } = JSON.parse(await text(PROJECT_FILE));
    assert.deepEqual(Object.keys(servers), ["x", "y"]);
    assert.deepEqual(inputs, [
      there,
      { type: "pickString", id: "new", options: ["a", "b"] },
      { type: "promptString", id: "unknown", description: "Value of unknown", password: true },
    ]);
    const again = await addServers(pasted, { ...given, target: TARGET });
    assert.deepEqual(again.files, []);
  });
});

Deno.test("an export takes them from the file that it copies from, and makes the list", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    const known = { type: "promptString", id: "key", description: "The key", password: true };
    await write("home/.config/Code/User/mcp.json", {
      servers: { x: asking("key") },
      inputs: [known, { type: "promptString", id: "other" }],
    });
    await write(STORE, { mcpServers: { s: asking("mine") } });
    const { servers } = await exportServers("vscode-insiders", ["x", "s"], given);
    assert.deepEqual(servers.map(({ done }) => done), ["added", "added"]);
    const { inputs } = JSON.parse(await text("home/.config/Code - Insiders/User/mcp.json"));
    assert.deepEqual(inputs, [
      known,
      { type: "promptString", id: "mine", description: "Value of mine", password: true },
    ]);
  });
});

Deno.test("what is refused asks for nothing, and a file that has something else there is left [G02]", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    const server = { name: "x", dialect: "hotplug", config: asking("key") } as const;
    await write(PROJECT_FILE, { servers: { x: { command: "b" } } });
    const before = await text(PROJECT_FILE);
    const { servers } = await addServers([server], { ...given, target: TARGET });
    assert.deepEqual([servers[0]?.done, await text(PROJECT_FILE)], ["refused", before]);
    const broken = await write(PROJECT_FILE, { inputs: {} });
    await assert.rejects(addServers([server], { ...given, target: TARGET }), /"inputs"/);
    assert.equal(await Deno.readTextFile(broken), '{"inputs":{}}');
  });
});
