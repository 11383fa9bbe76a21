import assert from "node:assert/strict";
import type { PromptsDocument, ResourcesDocument } from "../../src/cli/documents.ts";
import { e2e, row, succeeded, toolNames } from "../harness/e2e.ts";
import { npmServer, trap } from "../harness/servers.ts";

e2e("list commands wait for a hung server as long as --wait says", async (world) => {
  await world.userServers({ good: trap("good"), hung: trap("hang") });
  for (const command of ["tools", "resources", "prompts"]) {
    const run = succeeded(await world.mcp([command, "--wait", "1500ms"]));
    assert.ok(run.elapsedMs < 8_000, `${command} took ${run.elapsedMs} ms`);
    assert.match(run.stderr, /^Warning: MCP unavailable: hung: No answer within 1\.5s$/m);
    assert.match(run.stderr, /^ {2}hint: Give it longer: --wait 30s$/m);
  }
  const alone = await world.mcp(["tools", "hung", "--wait", "500ms"]);
  assert.equal(alone.code, 4);
});

e2e("a server cut off by --wait is connecting, with the tools remembered of it", async (world) => {
  const flag = `${world.root}/wait`;
  const slow = trap("slow", "0");
  const command = `if [ -e "${flag}" ]; then sleep 20; fi; exec "$0" "$@"`;
  await world.userServers({
    it: { ...slow, command: "/bin/sh", args: ["-c", command, slow.command, ...slow.args] },
  });
  assert.deepEqual(toolNames(await world.tools(), "it"), ["echo", "add"]);
  await world.write("wait", "");
  const document = await world.tools("--refresh", "--wait", "1s");
  const [it] = document.servers;
  assert.equal(it?.state, "connecting");
  assert.equal(it?.error?.code, "start-timeout");
  assert.ok((it?.cachedAgeMs ?? 0) > 0);
  assert.deepEqual(toolNames(document, "it"), ["echo", "add"]);
  const text = succeeded(await world.mcp(["tools", "--refresh", "--wait", "1s"])).stdout;
  assert.match(text, /^it \(2 tools, read .+ ago\)$/m);
});

e2e("a status row cut off by --wait says how to give it longer", async (world) => {
  await world.userServers({ good: trap("good"), hung: trap("hang") });
  const document = await world.status("--wait", "1500ms");
  const hung = row(document, "hung");
  assert.deepEqual([hung.state, hung.error], ["connecting", null]);
  assert.ok(hung.warnings.includes("No answer within 1.5s. Give it longer: --wait 30s"));
  const { stdout } = succeeded(await world.mcp(["status", "--wait", "1500ms"]));
  assert.match(stdout, /warning: No answer within 1\.5s\. Give it longer: --wait 30s/);
  assert.match(stdout, /^1 connected, 1 still connecting, 2 tools$/m);
});

e2e("resources and prompts are answered from the cache while they are fresh", async (world) => {
  const mark = `${world.root}/started`;
  const everything = npmServer("everything");
  const command = `echo x >> "${mark}"; exec "$0" "$@"`;
  await world.userServers({
    it: {
      ...everything,
      command: "/bin/sh",
      args: ["-c", command, everything.command, ...everything.args],
    },
  });
  const starts = async (): Promise<number> => (await Deno.readTextFile(mark)).length / 2;
  const resources = async (...args: readonly string[]): Promise<ResourcesDocument> =>
    succeeded(await world.mcp(["resources", "--json", ...args])).json();
  const first = await resources();
  assert.ok(first.resources.length > 0 && first.resourceTemplates.length > 0);
  assert.deepEqual([first.servers[0]?.state, first.servers[0]?.cachedAgeMs], ["connected", null]);
  const second = await resources();
  assert.equal(await starts(), 1);
  assert.deepEqual(second.resources, first.resources);
  assert.deepEqual(second.resourceTemplates, first.resourceTemplates);
  assert.ok((second.servers[0]?.cachedAgeMs ?? 0) > 0);
  const prompts = succeeded(await world.mcp(["prompts", "--json"])).json<PromptsDocument>();
  assert.ok(prompts.prompts.length > 0);
  assert.equal(await starts(), 2, "a list that was never read is asked for");
  await resources("--refresh");
  assert.equal(await starts(), 3);
});
