import assert from "node:assert/strict";
import { addServers } from "../../src/edit/add_servers.ts";
import { allNamesWith } from "../../src/edit/listed_names.ts";
import type { NewServer } from "../../src/edit/new_server.ts";
import { inEditPlace } from "./made.ts";

const SETTINGS = "home/.gemini/settings.json";

function off(name: string): NewServer {
  return { name, config: { command: "a", enabled: false }, dialect: "hotplug" };
}

Deno.test("several names are added to a list at once, each once", () => {
  const root = { a: { b: ["x", " y "] } };
  assert.deepEqual(allNamesWith(root, ["a", "b"], ["x", "z", "y", "w"]), [
    { path: ["a", "b", 2], value: "z" },
    { path: ["a", "b", 3], value: "w" },
  ]);
  assert.deepEqual(allNamesWith(root, ["a", "c"], ["x", "z"]), [
    { path: ["a", "c"], value: ["x", "z"] },
  ]);
  assert.deepEqual(allNamesWith(root, ["a", "b"], ["x"]), []);
  assert.deepEqual(allNamesWith(root, ["a", "b"], []), []);
  assert.throws(() => allNamesWith({ a: "x" }, ["a"], ["x"]), { code: "edit-refused" });
});

Deno.test("what is off is put on the list of an agent that has one, in the same edit", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    const target = { scope: "user", host: "gemini-cli" } as const;
    await write(SETTINGS, '{\n  "mcp": { "excluded": ["other"] }\n}\n');
    const { servers, effective } = await addServers([off("x"), off("y")], { ...given, target });
    assert.deepEqual(servers.map(({ done, warnings }) => [done, warnings]), [
      ["added", []],
      ["added", []],
    ]);
    assert.deepEqual(effective.map(({ state }) => state), ["disabled", "disabled"]);
    const { mcp } = JSON.parse(await text(SETTINGS));
    assert.deepEqual(mcp, { excluded: ["other", "x", "y"] });
    const again = await addServers([off("x")], { ...given, target });
    assert.equal(again.servers[0]?.done, "unchanged");
  });
});

Deno.test("the same entry that is on there is switched off only when it may be replaced", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    const target = { scope: "user", host: "gemini-cli" } as const;
    await write(SETTINGS, { mcpServers: { x: { command: "a" } } });
    const before = await text(SETTINGS);
    const kept = await addServers([off("x")], { ...given, target });
    assert.deepEqual([kept.servers[0]?.done, await text(SETTINGS)], ["refused", before]);
    const { servers } = await addServers([off("x")], { ...given, target, replace: true });
    assert.equal(servers[0]?.done, "replaced");
    assert.deepEqual(JSON.parse(await text(SETTINGS)), {
      mcpServers: { x: { command: "a" } },
      mcp: { excluded: ["x"] },
    });
  });
});

Deno.test("Claude Code's list is that of the project", async () => {
  await inEditPlace(async ({ given, text, path }) => {
    const target = { scope: "user", host: "claude-code" } as const;
    const { effective } = await addServers([off("x")], { ...given, target });
    assert.equal(effective[0]?.state, "disabled");
    assert.deepEqual(JSON.parse(await text("home/.claude.json")).projects, {
      [path("home/work/project")]: { disabledMcpServers: ["x"] },
    });
  });
});

function on(name: string, command = "a"): NewServer {
  return { name, config: { command }, dialect: "hotplug" };
}

Deno.test("replacing by a server that is on takes its name off the list, in the same edit", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    const target = { scope: "user", host: "gemini-cli" } as const;
    const settings = {
      mcpServers: { x: { command: "a" }, y: { command: "a" }, z: { command: "a" } },
      mcp: { excluded: ["x", "other", "y"] },
    };
    await write(SETTINGS, settings);
    const one = await addServers([on("x", "b")], { ...given, target, replace: true });
    assert.deepEqual([one.servers[0]?.done, one.files.length], ["replaced", 1]);
    assert.equal(one.effective[0]?.state, "run");
    assert.deepEqual(JSON.parse(await text(SETTINGS)).mcp, { excluded: ["other", "y"] });
    // The same entry, and several at once.
    await write(SETTINGS, settings);
    const both = await addServers([on("x"), on("y"), off("z")], {
      ...given,
      target,
      replace: true,
    });
    assert.deepEqual(both.servers.map(({ done }) => done), ["replaced", "replaced", "replaced"]);
    assert.deepEqual(JSON.parse(await text(SETTINGS)).mcp, { excluded: ["other", "z"] });
  });
});

Deno.test("without replacing, a name on the list stays there and the user is told", async () => {
  await inEditPlace(async ({ given, text, write }) => {
    const target = { scope: "user", host: "gemini-cli" } as const;
    await write(SETTINGS, { mcp: { excluded: ["x"] } });
    const { servers } = await addServers([on("x")], { ...given, target });
    assert.equal(servers[0]?.done, "added");
    assert.match(servers[0]?.warnings.join() ?? "", /"mcp\.excluded".*--replace/);
    assert.deepEqual(JSON.parse(await text(SETTINGS)).mcp, { excluded: ["x"] });
  });
});
