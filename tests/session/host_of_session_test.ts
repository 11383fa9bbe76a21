import assert from "node:assert/strict";
import type { Tool } from "../../src/model/tool.ts";
import { type HostRegistry, HostTools } from "../../src/session/host_tools.ts";
import { npmServer, sdkServer } from "../harness/servers.ts";
import { withManager } from "../runtime/running_manager.ts";
import { held, of } from "./held_session.ts";
import { good, STORE } from "./watching_manager.ts";

/** A host that registers tools and switches them on and off, as pi does. */
class Agent implements HostRegistry {
  readonly tools: Map<string, Tool | null> = new Map([["bash", null], ["read", null]]);
  active: string[] = ["bash", "read"];
  getTools = (): string[] => [...this.tools.keys()];
  getActive = (): string[] => this.active;
  register = (tool: Tool): void => void this.tools.set(tool.name, tool);
  setActive = (names: readonly string[]): void => void (this.active = [...names]);
  remove(name: string): void {
    this.tools.delete(name);
    this.active = this.active.filter((known) => known !== name);
  }
}

withManager(
  "a host's registry gets the first tools and each new set, and what its user switched off stays off",
  async (world) => {
    await world.write(STORE, { mcpServers: { a: good("a"), b: good("b") } });
    const agent = new Agent();
    await using host = await held(world, { hostTools: new HostTools(agent) });
    assert.deepEqual(agent.getTools(), ["bash", "read", ...host.names()]);
    assert.deepEqual(agent.active, ["bash", "read", ...host.names()]);
    const [off = ""] = of(host.names(), "a");
    agent.setActive(agent.active.filter((name) => name !== off));
    await world.write(STORE, { mcpServers: { a: good("a"), c: sdkServer("dual") } });
    const report = await host.session.reload();
    assert.equal(report.host, "refreshed");
    assert.deepEqual(agent.getTools(), ["bash", "read", ...host.names()]);
    assert.deepEqual(agent.active, ["bash", "read", ...host.names()].filter((n) => n !== off));
    // A host that lost them asks for them again.
    for (const name of host.names()) agent.remove(name);
    await host.session.refreshMCPTools();
    assert.deepEqual(agent.getTools(), ["bash", "read", ...host.names()]);
  },
);

withManager("a subagent's calls go over the connections of its parent", async (world) => {
  await world.write(STORE, { mcpServers: { memory: npmServer("memory"), b: good("b") } });
  await using host = await held(world);
  const pid = host.pid("memory");
  const agent = host.session.delegate({ tools: ["mcp:memory", "!*delete*", "mcp_nobody_x"] });
  assert.ok(agent.tools.length > 3);
  assert.ok(agent.tools.every(({ name }) => /^mcp_memory_(?!.*delete)/.test(name)));
  assert.deepEqual(agent.unknown, ["mcp_nobody_x"]);
  const entities = [{ name: "Ada", entityType: "person", observations: ["writes"] }];
  await agent.executor.execute("mcp_memory_create_entities", { entities });
  const graph = await host.session.executor.execute("mcp_memory_read_graph", "{}");
  assert.match(JSON.stringify(graph.content), /Ada/);
  assert.equal(host.pid("memory"), pid);
  assert.equal(agent.executor.has("mcp_memory_delete_entities"), false);
  const refused = await agent.executor.execute("mcp_b_b", {});
  assert.ok(refused.isError);
  // Its choice follows the session.
  await host.session.pause("memory");
  assert.deepEqual(agent.tools, []);
});

withManager(
  "tools are named as the host wants them; by bare names a later server that clashes is in error [D04]",
  async (world) => {
    await world.write(STORE, {
      mcpServers: { a: good("a"), b: good("b"), memory: npmServer("memory") },
    });
    const naming = { naming: "bare", reservedNames: ["read_graph"] } as const;
    await using host = await held(world, naming);
    assert.deepEqual(host.names(), ["echo", "add"]);
    assert.deepEqual(["a", "b", "memory"].map(host.state), ["connected", "error", "error"]);
    const errors = host.session.status().servers.map(({ error }) => error?.message ?? "");
    assert.match(errors[1] ?? "", /is that of a tool of "a"/);
    assert.match(errors[2] ?? "", /"read_graph" is the agent's own/);
    // What is free at a reload goes to whoever comes next.
    await world.write(STORE, { mcpServers: { b: good("b") } });
    await host.session.reload();
    assert.deepEqual([host.state("b"), host.names()], ["connected", ["echo", "add"]]);
    await using served = await held(world, { naming: "server" });
    assert.deepEqual(served.names(), ["b_echo", "b_add"]);
  },
);

withManager("a host's old tools go also when nothing can be discovered", async (world) => {
  const agent = new Agent();
  agent.register({ name: "mcp_old_tool" } as Tool);
  await using host = await held(world, { enableMCP: false, hostTools: new HostTools(agent) });
  assert.deepEqual([agent.getTools(), host.names()], [["bash", "read"], []]);
});
