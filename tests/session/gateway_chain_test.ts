import assert from "node:assert/strict";
import {
  chainIds,
  type ChainLink,
  chainOf,
  chainRefusal,
  newChain,
  readChain,
  workspaceMark,
} from "../../src/session/gateway_chain.ts";
import type { ServerConfig } from "../../src/model/definition.ts";

const SESSION = { id: "one", workspacePath: "/work" };

const own = { executable: "/usr/bin/deno", script: "/opt/hotplug/cli.ts" };

function refused(config: ServerConfig, chain: readonly ChainLink[] = []): string | null {
  return chainRefusal(config, { chain, own });
}

Deno.test("a definition that starts this program's gateway is told by name, path or package", () => {
  const same: readonly ServerConfig[] = [
    { command: "mcp", args: ["serve"] },
    { command: "/home/u/.local/bin/hotplug", args: ["--verbose", "serve", "--for", "codex"] },
    { command: "C:\\Tools\\MCP.exe", args: ["serve"] },
    { command: "deno", args: ["run", "-A", "/opt/hotplug/cli.ts", "serve"] },
    { command: "npx", args: ["-y", "@hotplug/mcp", "serve"] },
    { command: "deno", args: ["run", "-A", "jsr:@hotplug/mcp@1/cli", "serve"] },
  ];
  for (const config of same) assert.match(refused(config) ?? "", /own gateway/, config.command);
  const others: readonly ServerConfig[] = [
    { command: "mcp", args: ["run", "serve"] },
    { command: "deno", args: ["serve", "main.ts"] },
    { command: "/usr/bin/deno", args: ["serve", "main.ts"] },
    { command: "other", args: ["serve"] },
    { command: "npx", args: ["@hotplug/mcp-extra", "serve"] },
    { command: "npx", args: ["x@hotplug/mcp", "serve"] },
    { url: "http://localhost/mcp" },
  ];
  for (const config of others) assert.equal(refused(config), null, JSON.stringify(config));
});

Deno.test("a session never starts a server that it runs inside of, whatever its name", () => {
  const wrapper = { command: "/bin/wrapper", args: ["x"] };
  const chain = readChain({ HOTPLUG_CHAIN: chainOf("", wrapper, SESSION) });
  assert.match(refused({ ...wrapper, env: { A: "b" } }, chain) ?? "", /inside this very server/);
  assert.equal(refused({ command: "/bin/wrapper", args: ["y"] }, chain), null);
});

Deno.test("four sessions inside each other start nothing more", () => {
  let text = "";
  let chain: readonly ChainLink[] = [];
  for (let depth = 1; depth <= 4; depth++) {
    const config = { command: `/bin/wrapper-${depth}` };
    assert.equal(refused(config, chain), null);
    text = chainOf(text, config, SESSION);
    chain = readChain({ HOTPLUG_CHAIN: text });
    assert.equal(chain.length, depth);
  }
  assert.match(refused({ command: "/bin/other" }, chain) ?? "", /no more may/);
});

Deno.test("a chain that somebody has written by hand is read as well as it goes", () => {
  assert.deepEqual(readChain({}), []);
  const read = readChain({ HOTPLUG_CHAIN: " a,,b.x ," });
  assert.deepEqual(read, [
    { definition: "a", session: "", workspace: "" },
    { definition: "b", session: "x", workspace: "" },
  ]);
  assert.deepEqual(chainIds(read), ["x"]);
});

Deno.test("a session has a new id each time, after those of the sessions around it", () => {
  const HOTPLUG_CHAIN = chainOf("", { command: "x" }, SESSION);
  const [outer, first, ...more] = newChain({ HOTPLUG_CHAIN });
  assert.deepEqual([outer, more], ["one", []]);
  assert.match(first ?? "", /^[a-z0-9]{8}$/);
  assert.notEqual(newChain({ HOTPLUG_CHAIN })[1], first);
  assert.deepEqual(readChain({ HOTPLUG_CHAIN }).map(({ workspace }) => workspace), [
    workspaceMark("/work"),
  ]);
  assert.notEqual(workspaceMark("/work"), workspaceMark("/other"));
});
