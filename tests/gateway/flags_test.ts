import assert from "node:assert/strict";
import { e2e } from "../harness/e2e.ts";
import { program } from "../harness/run_cli.ts";
import { npmServer, trap } from "../harness/servers.ts";
import { type Message, RawHost } from "./raw_host.ts";

/** What a list says of each server. */
async function outcomes(host: RawHost): Promise<Readonly<Record<string, Message>>> {
  const { result } = await host.ask("tools/list");
  return ((result as Message)["_meta"] as Message)["dev.hotplug/servers"] as Record<
    string,
    Message
  >;
}

/** Entries of different commands: of equal ones only the first runs. */
function servers(...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, trap("good", name)]));
}

e2e(
  "--only and --except choose servers and single tools, and the others are not started",
  async (world) => {
    await world.userServers(servers("files", "git", "mail"));
    await using host = new RawHost(world, {
      args: ["--only", "git", "--only", "files/e*", "--except", "git/add"],
    });
    await host.initialize();
    assert.deepEqual(await host.tools(), ["files_echo", "git_echo"]);
    assert.equal((await outcomes(host))["mail"]?.["state"], "filtered");
    const { error } = await host.ask("tools/call", { name: "git_add", arguments: { a: 1, b: 2 } });
    assert.equal((error as Message)["code"], -32602);
  },
);

e2e(
  "what the host starts by itself is left out, and its tools carry what it needs",
  async (world) => {
    await world.userServers(servers("claudes"));
    await world.ompServers(servers("others"));
    await using host = new RawHost(world, { args: ["--for", "claude-code"] });
    await host.initialize();
    await host.listing("others_echo");
    const { result } = await host.ask("tools/list");
    const tools = (result as Message)["tools"] as readonly Message[];
    assert.deepEqual(tools.map(({ name }) => name), ["others_echo", "others_add"]);
    const { "dev.hotplug/via": via, ...meta } = tools[0]?.["_meta"] as Message;
    assert.match(JSON.stringify(via), /^\["[a-z0-9]{8}"\]$/);
    assert.deepEqual(meta, {
      "anthropic/alwaysLoad": true,
      "dev.hotplug/server": "others",
    });
    assert.match(JSON.stringify(await outcomes(host)), /Claude Code starts it by itself/);
  },
);

e2e(
  "--for module names tools with their prefix and tells the state of each server",
  async (world) => {
    await world.userServers({ s: trap("good"), dead: { command: "/nonexistent/program" } });
    await using host = new RawHost(world, { args: ["--for", "module"] });
    await host.initialize();
    const told = (server: string, state: string): Promise<Message> =>
      host.first(({ method, params }) => {
        const { logger, data } = (params ?? {}) as Message;
        const { server: of, state: is } = (data ?? {}) as Message;
        return method === "notifications/message" && logger === "dev.hotplug/status" &&
          of === server && is === state;
      });
    await told("s", "connected");
    const { params } = await told("dead", "error");
    const { error } = (params as Message)["data"] as Record<string, Message>;
    assert.equal(error?.["code"], "program-not-found");
    assert.deepEqual(await host.tools(), ["mcp_s_echo", "mcp_s_add"]);
  },
);

e2e(
  "--naming says how tools are called, and no name is longer than hosts can take",
  async (world) => {
    const long = "a-server-with-a-name-that-is-rather-long-for-tools";
    await world.userServers(servers(long));
    const named = async (...args: readonly string[]): Promise<readonly string[]> => {
      await using host = new RawHost(world, { args });
      await host.initialize();
      return await host.tools();
    };
    assert.ok((await named()).every((name) => name.length <= 48));
    assert.deepEqual(await named("--naming", "bare"), ["echo", "add"]);
    assert.match((await named("--naming", "key"))[0] ?? "", /^c[a-z0-9]{5}_echo$/);
  },
);

e2e("an unknown kind of host is a mistake on the command line", async (world) => {
  const run = await world.mcp(["serve", "--for", "claude-cod"]);
  assert.equal(run.code, 2);
  assert.match(run.stderr, /Did you mean "claude-code"/);
  assert.equal(run.stdout, "");
});

e2e("a gateway starts neither itself nor a server that it runs inside of", async (world) => {
  const [command, ...first] = program();
  const wrapper = await world.write(
    "wrapper.sh",
    `#!/bin/sh\nexec ${[command, ...first, "serve"].map((word) => `'${word}'`).join(" ")}\n`,
  );
  await Deno.chmod(wrapper, 0o755);
  await world.userServers({
    again: { command, args: [...first, "serve"], env: world.env },
    wrapped: { command: wrapper, env: world.env },
    s: trap("good"),
  });
  await using host = new RawHost(world);
  await host.initialize();
  // The wrapper runs a gateway, too: that one offers what is not in its chain.
  await host.listing("wrapped_s_echo");
  const names = await host.tools();
  assert.ok(names.includes("s_echo"));
  assert.ok(!names.some((name) => name.includes("wrapped_wrapped")), String(names));
  const again = (await outcomes(host))["again"];
  assert.equal(again?.["state"], "filtered");
  assert.match(JSON.stringify(again), /own gateway/);
  assert.deepEqual((await host.call("wrapped_s_echo", { text: "deep" }))["content"], [
    { type: "text", text: "deep" },
  ]);
});

e2e("edits are followed, unless --no-watch says otherwise", async (world) => {
  await world.userServers(servers("a"));
  await using host = new RawHost(world, { args: ["--no-watch", "--for", "opencode"] });
  await using other = new RawHost(world, { args: ["--for", "opencode"] });
  for (const each of [host, other]) {
    await each.initialize();
    await each.listing("a_echo");
  }
  await world.userServers(servers("a", "b"));
  await other.listing("b_echo");
  assert.deepEqual(await host.tools(), ["a_echo", "a_add"]);
});

e2e("nothing but the protocol is written on stdout, whatever servers print", async (world) => {
  await world.userServers({
    noisy: trap("noisy"),
    none: trap("no-tools"),
    everything: npmServer("everything"),
  });
  await using host = new RawHost(world, { args: ["--verbose"] });
  await host.initialize();
  await host.tools();
  await host.call("everything_echo", { message: "x" });
  assert.deepEqual(host.noise, []);
  assert.ok(host.messages.every((message) => message["jsonrpc"] === "2.0"));
  for (const line of host.stderr.trim().split("\n")) JSON.parse(line);
});
