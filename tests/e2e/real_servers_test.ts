import assert from "node:assert/strict";
import { e2e, row, states, toolNames, type World } from "../harness/e2e.ts";
import { startEverything } from "../harness/http_servers.ts";
import { RawClient } from "../harness/raw_client.ts";
import { npmServer, type ServerCommand } from "../harness/servers.ts";

/** What an independent client lists. */
async function listedBy(world: World, server: ServerCommand): Promise<readonly unknown[]> {
  const client = new RawClient(server, world.env, world.home);
  await client.initialize();
  const names = (await client.tools()).map((tool) => tool["name"]);
  await client.close();
  return names;
}

e2e(
  "four reference servers over stdio are connected with exactly the tools they list",
  async (world) => {
    const servers = {
      everything: npmServer("everything"),
      filesystem: npmServer("filesystem", world.project),
      memory: npmServer("memory"),
      thinking: npmServer("sequential-thinking"),
    };
    await world.userServers(servers);
    const status = await world.status("--wait", "30s");
    assert.deepEqual(states(status), {
      everything: "connected",
      filesystem: "connected",
      memory: "connected",
      thinking: "connected",
    });
    const tools = await world.tools();
    for (const [name, server] of Object.entries(servers)) {
      const expected = await listedBy(world, server);
      assert.deepEqual(toolNames(tools, name), expected);
      assert.equal(row(status, name).tools, expected.length);
    }
    assert.equal(row(status, "memory").server?.name, "memory-server");
  },
);

e2e("a call reaches server-everything over stdio", async (world) => {
  await world.userServers({ everything: npmServer("everything") });
  assert.match(await world.callText("everything", "echo", "message=hi"), /hi/);
  assert.match(await world.callText("everything", "get-sum", "a=2", "b=3"), /5/);
});

for (
  const [transport, type] of [["streamableHttp", "streamable_http"], ["sse", "sse"]] as const
) {
  e2e(`server-everything is connected and called over ${type}`, async (world) => {
    const server = await startEverything(world, transport);
    try {
      await world.userServers({
        remote: { type: transport === "sse" ? "sse" : "http", url: server.url },
      });
      const remote = row(await world.status("--wait", "20s"), "remote");
      assert.deepEqual([remote.state, remote.type, remote.transport], ["connected", type, type]);
      assert.equal(remote.tools, 13);
      assert.match(await world.callText("remote", "echo", "message=hi"), /hi/);
    } finally {
      await server.close();
    }
  });
}

e2e("a url without a type finds the old transport by itself [A14]", async (world) => {
  const server = await startEverything(world, "sse");
  try {
    await world.ompServers({ remote: { url: server.url } });
    const remote = row(await world.status("--wait", "20s"), "remote");
    assert.deepEqual([remote.state, remote.transport], ["connected", "sse"]);
  } finally {
    await server.close();
  }
});

e2e("server-filesystem reads a file of the folder that it was given", async (world) => {
  await world.write("project/hello.txt", "hello from the project\n");
  await world.userServers({ files: npmServer("filesystem", world.project) });
  const path = `${world.project}/hello.txt`;
  assert.match(await world.callText("files", "read_text_file", `path=${path}`), /hello from the/);
});
