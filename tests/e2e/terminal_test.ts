import assert from "node:assert/strict";
import { e2e } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";
import { HAS_TERMINAL, mcpInTerminal } from "../harness/terminal.ts";

e2e("on a terminal a row is there before slower servers are", async (world) => {
  await world.userServers({ quick: trap("good", "quick"), slow: trap("slow", "2000") });
  const screen = await mcpInTerminal(["status"], world);
  assert.equal(screen.code, 0, screen.text);
  const connected = screen.seenAfter("connected") ?? Infinity;
  const settled = screen.seenAfter("2 connected") ?? Infinity;
  assert.ok(settled < Infinity, screen.text);
  assert.ok(settled - connected > 1_000, `${connected} and ${settled} ms`);
}, HAS_TERMINAL);

e2e("on a terminal states have colours, without NO_COLOR", async (world) => {
  await world.userServers({ quick: trap("good", "quick") });
  const coloured = await mcpInTerminal(["status"], world);
  assert.ok(coloured.text.includes("\u001b[32mconnected"), coloured.text);
  const plain = await mcpInTerminal(["status"], { ...world, env: { ...world.env, NO_COLOR: "1" } });
  assert.ok(!plain.text.includes("\u001b[32m"), plain.text);
}, HAS_TERMINAL);

e2e("on a terminal a project's server is not approved by a mere look", async (world) => {
  await world.projectServers({ theirs: trap("marker", `${world.root}/ran`) });
  const screen = await mcpInTerminal(["status"], world);
  assert.match(screen.text, /untrusted/);
  await assert.rejects(() => Deno.stat(`${world.root}/ran`), Deno.errors.NotFound);
}, HAS_TERMINAL);

e2e("serve says what it is to somebody who starts it by hand", async (world) => {
  const screen = await mcpInTerminal(["serve"], world);
  assert.match(screen.text, /^This is an MCP server for a host agent.*mcp hooks install <host>/s);
  assert.equal(screen.code, 0);
}, HAS_TERMINAL);
