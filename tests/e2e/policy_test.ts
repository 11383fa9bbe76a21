import assert from "node:assert/strict";
import { join } from "node:path";
import type { ServerView } from "../../src/model/server_view.ts";
import type { PolicyPlace } from "../../src/plan/policy_file.ts";
import type { LoadMCPToolsOptions } from "../../src/session/load_options.ts";
import { discoverAndLoadMCPTools, type LoadedMCPTools } from "../../src/session/loader.ts";
import { leftoversOfHome } from "../harness/living_processes.ts";
import { npmServer, trap } from "../harness/servers.ts";
import { type ManagerWorld, withManager } from "../runtime/running_manager.ts";

/** A policy that lies in the world of a test. */
function placeIn({ root }: { readonly root: string }): PolicyPlace {
  return { path: join(root, "etc", "managed.json"), ownerUid: Deno.uid() };
}

/** Starts what a world declares, under the policy that lies in it. */
async function load(
  world: ManagerWorld,
  options: LoadMCPToolsOptions = {},
): Promise<LoadedMCPTools> {
  const { machine, project } = world;
  return await discoverAndLoadMCPTools(project, { machine, policy: placeIn(world), ...options });
}

async function setPolicy(world: { readonly root: string }, content: unknown): Promise<void> {
  const { path } = placeIn(world);
  await Deno.mkdir(join(path, ".."), { recursive: true });
  await Deno.writeTextFile(`${path}.new`, JSON.stringify(content, null, 2));
  await Deno.rename(`${path}.new`, path);
}

function viewOf({ manager }: LoadedMCPTools, name: string): ServerView {
  const view = manager.getServers().find((server) => server.name === name);
  assert.ok(view !== undefined, name);
  return view;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

withManager(
  "nothing of a blocked server starts, neither it nor its values' commands",
  async (world) => {
    const mark = (name: string): string => join(world.root, `ran-${name}`);
    await world.write("home/.claude.json", {
      mcpServers: { denied: trap("marker", mark("denied")), good: trap("good") },
    });
    await world.write("home/.config/hotplug/mcp.json", {
      mcpServers: { stored: { ...trap("good"), env: { A: `!touch ${mark("value")}` } } },
    });
    await world.write("project/.hotplug/workspace.json", { enabledMcpServers: ["stored"] });
    await setPolicy(world, { deniedServers: [{ name: "denied" }, { name: "stored" }] });
    const loaded = await load(world, { trust: "all" });
    await using _closing = loaded.manager;
    assert.deepEqual(loaded.connectedServers, ["good"]);
    for (const name of ["denied", "stored"]) {
      const view = viewOf(loaded, name);
      assert.equal(view.state, "blocked");
      assert.equal(view.error?.code, "blocked-by-policy");
      assert.match(view.error?.message ?? "", /deniedServers\[\d\] \(line \d\): name \w+$/);
    }
    assert.equal(await exists(mark("denied")), false);
    assert.equal(await exists(mark("value")), false);
  },
);

withManager("what the envFile does to the program is found out before it starts", async (world) => {
  const mark = join(world.root, "ran");
  const fake = await world.write("home/evil/honest", `#!/bin/sh\ntouch ${mark}\n`);
  const honest = await world.write("home/bin/honest", "#!/bin/sh\n");
  for (const path of [fake, honest]) await Deno.chmod(path, 0o755);
  const vars = await world.write("home/vars", `PATH=${world.home}/evil:/usr/bin:/bin\n`);
  await world.write("home/.config/hotplug/mcp.json", {
    mcpServers: { it: { command: "honest", envFile: vars }, plain: { command: "honest" } },
  });
  await world.write("project/.hotplug/workspace.json", {
    enabledMcpServers: ["it", "plain"],
  });
  await setPolicy(world, { allowedServers: [{ command: ["honest"] }] });
  const env = { ...world.machine.env, PATH: `${world.home}/bin:${world.machine.env["PATH"]}` };
  const loaded = await load(world, { trust: "all", machine: { ...world.machine, env } });
  await using _closing = loaded.manager;
  const view = viewOf(loaded, "it");
  assert.equal(view.state, "blocked");
  assert.match(view.error?.message ?? "", /no rule of "allowedServers" matches$/);
  assert.equal(await exists(mark), false);
  assert.equal(viewOf(loaded, "plain").error?.code, "server-exited", "the honest one started");
});

withManager(
  "a policy that changes ends a running server at its next call, and only that one",
  async (world) => {
    await world.write("home/.claude.json", {
      mcpServers: { memory: npmServer("memory"), good: trap("good") },
    });
    let changes = 0;
    const loaded = await load(world, { onToolsChanged: () => changes++ });
    await using _closing = loaded.manager;
    const { manager } = loaded;
    await manager.settled();
    assert.deepEqual(loaded.connectedServers, ["memory", "good"]);
    const connection = manager.getConnection("memory");
    const pid = connection?.pid ?? 0;
    assert.ok(pid > 0);
    const tool = manager.getTools().find(({ name }) => name === "mcp_memory_read_graph");
    assert.ok(tool !== undefined);
    assert.equal((await tool.execute({})).isError, false);

    const before = changes;
    await setPolicy(world, { deniedServers: [{ name: "memory" }] });
    const refused = await tool.execute({});
    assert.equal(refused.isError, true);
    const [said] = refused.content;
    assert.match(
      said?.type === "text" ? said.text : "",
      /^MCP error: server "memory": Blocked by the policy .*deniedServers\[0\]/,
    );
    const view = viewOf(loaded, "memory");
    assert.equal(view.state, "blocked");
    assert.equal(view.error?.code, "blocked-by-policy");
    assert.equal(view.tools, null);
    assert.equal(changes, before + 1);
    assert.ok(manager.getTools().every(({ server }) => server === "good"));
    assert.ok(manager.getTools().length > 0);
    await connection?.closed;
    assert.ok((await leftoversOfHome(world.home)).every((left) => left.pid !== pid));
    await assert.rejects(manager.callTool("memory", "read_graph", {}), {
      code: "blocked-by-policy",
    });
    const { content } = await manager.callTool("good", "echo", { text: "still here" });
    assert.equal(content[0]?.["text"], "still here");

    // It is not started again while the rule holds, and is when it does not.
    await manager.discoverAndConnect();
    assert.equal(viewOf(loaded, "memory").state, "blocked");
    await setPolicy(world, { deniedServers: [] });
    await manager.discoverAndConnect();
    // Its tools are known, so that the gate does not wait for it.
    await manager.settled();
    assert.equal(viewOf(loaded, "good").state, "connected");
    assert.equal(viewOf(loaded, "memory").state, "connected");
  },
);

for (
  const [way, ask] of [
    ["a call by name", (loaded) => loaded.manager.callTool("good", "echo", { text: "x" })],
    ["a resource", (loaded) => loaded.manager.readResource("good", "test://x")],
    ["a prompt", (loaded) => loaded.manager.getPrompt("good", "x", {})],
    ["its connection", (loaded) => loaded.manager.waitForConnection("good")],
  ] as readonly (readonly [string, (loaded: LoadedMCPTools) => Promise<unknown>])[]
) {
  withManager(`a server that became blocked is ended by whoever asks for ${way}`, async (world) => {
    await world.write("home/.claude.json", { mcpServers: { good: trap("good") } });
    const loaded = await load(world);
    await using _closing = loaded.manager;
    await loaded.manager.settled();
    await setPolicy(world, "no policy at all");
    await assert.rejects(ask(loaded), { code: "blocked-by-policy", message: /cannot be used/ });
    assert.equal(viewOf(loaded, "good").state, "blocked");
    assert.equal(loaded.manager.getConnection("good"), undefined);
    assert.deepEqual(loaded.manager.getTools(), []);
  });
}

withManager("a server that became blocked ends though nobody calls it", async (world) => {
  await world.write("home/.claude.json", {
    mcpServers: { denied: trap("good", "a"), good: trap("good", "b") },
  });
  const ended = Promise.withResolvers<ServerView>();
  const loaded = await load(world, {
    onServer: (view) => {
      if (view.name === "denied" && view.state === "blocked") ended.resolve(view);
    },
  });
  await using _closing = loaded.manager;
  await loaded.manager.settled();
  assert.equal(viewOf(loaded, "denied").state, "connected");
  await setPolicy(world, { deniedServers: [{ name: "denied" }] });
  assert.match((await ended.promise).error?.message ?? "", /deniedServers\[0\]/);
  assert.equal(viewOf(loaded, "good").state, "connected");
});

withManager("who notices a change can have all servers asked about at once", async (world) => {
  await world.write("home/.claude.json", {
    mcpServers: { a: trap("good", "a"), b: trap("good", "b"), slow: trap("slow", "60000") },
  });
  const loaded = await load(world, { onMissingCache: "late" });
  await using _closing = loaded.manager;
  await loaded.manager.waitForConnection("a");
  await loaded.manager.waitForConnection("b");
  await setPolicy(world, { deniedServers: [{ name: "b" }] });
  await loaded.manager.recheckServers();
  assert.equal(viewOf(loaded, "b").state, "blocked");
  assert.notEqual(viewOf(loaded, "a").state, "blocked");
  assert.equal((await loaded.manager.callTool("a", "echo", { text: "x" })).isError, false);
});

withManager(
  "a host's own no counts like a policy's, and so does one that throws",
  async (world) => {
    const manager = world.manager({
      mayRun: ({ name }) => {
        if (name === "broken") throw new Error("the host's own rule broke");
        const { code, hint } = { code: "usage", hint: null } as const;
        return name === "no" ? { code, message: "Not today", hint } : null;
      },
    });
    const mark = join(world.root, "ran");
    const cwd = world.home;
    const { errors, connectedServers } = await manager.connectServers({
      no: { ...trap("marker", mark), cwd },
      broken: { ...trap("marker", mark), cwd },
      yes: { ...trap("good"), cwd },
    });
    assert.deepEqual(connectedServers, ["yes"]);
    assert.equal(errors.get("no")?.message, "Not today");
    assert.equal(errors.get("broken")?.message, "the host's own rule broke");
    assert.deepEqual(manager.getServers().map(({ name, state }) => [name, state]), [
      ["no", "blocked"],
      ["broken", "blocked"],
      ["yes", "connected"],
    ]);
    assert.equal(await exists(mark), false);
  },
);
