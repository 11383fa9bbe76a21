import assert from "node:assert/strict";
import { e2e } from "../../harness/e2e.ts";
import { trap } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { ENVELOPE, errorCode, Events, json, Served } from "./served.ts";
import type { Message } from "../raw_host.ts";

const HAS_IPV6 = hasIpv6();

function hasIpv6(): boolean {
  try {
    Deno.listen({ hostname: "::1", port: 0 }).close();
    return true;
  } catch {
    return false;
  }
}

e2e("localhost is both addresses of the machine itself", async (world) => {
  await world.userServers({});
  await using served = await Served.start(world, { args: ["--host", "localhost"] });
  assert.equal(new URL(served.url).hostname, "localhost");
  for (const host of ["127.0.0.1", "[::1]"]) {
    const health = await fetch(`http://${host}:${served.port}/healthz`);
    assert.equal((await json(health))["status"], "ok");
  }
}, HAS_IPV6);

e2e(
  "an address that others reach is served to those alone whose token stands in the file",
  async (world) => {
    await world.userServers({ steps: trap("progress", "3", "20") });
    const token = "somebody-0123456789abcdef";
    const file = await world.write("home/tokens", `somebody ${token}\n`);
    await Deno.chmod(file, 0o600);
    const open = await world.mcp(["serve", "--http", "--host", "0.0.0.0"]);
    assert.equal(open.code, 2);
    assert.match(open.stderr, /others reach it, too[^]*--token-file/);
    await using served = await Served.start(world, {
      args: ["--host", "0.0.0.0", "--token-file", file],
    });
    assert.equal(new URL(served.url).hostname, "0.0.0.0");
    const url = `http://127.0.0.1:${served.port}/mcp`;
    const call = async (name: string, more: Message = {}): Promise<Response> =>
      await fetch(url, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/call",
          "mcp-name": name,
        },
        body: JSON.stringify(
          served.message("tools/call", { name, _meta: { ...ENVELOPE, ...more } }),
        ),
      });
    const refused = await fetch(url, { method: "POST", body: "{}" });
    assert.equal(await errorCode(refused, 401), -32000);
    await until(async () => (await (await call("steps_go")).text()).includes('"result"'), 20_000);
    await using stream = new Events(await call("steps_go", { progressToken: 1 }));
    await until(() => stream.isOver);
    assert.equal(stream.messages.length, 4);
  },
);
