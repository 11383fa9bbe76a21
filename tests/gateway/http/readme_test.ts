import assert from "node:assert/strict";
import { e2e } from "../../harness/e2e.ts";
import { readmeFences } from "../../harness/readme.ts";
import { trap } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { Served } from "./served.ts";

/** The README's code in a language that says this. */
async function shown(language: string, of: string): Promise<string> {
  const found = (await readmeFences(language)).find((code) => code.includes(of));
  assert.ok(found !== undefined, `the README shows ${of}`);
  return found;
}

e2e(
  "a host that is set up as the README shows reaches the gateway with its token [H08]",
  async (world) => {
    await world.ompServers({ t: trap("good") });
    await using served = await Served.start(world);
    const claude = await shown("json", "127.0.0.1:8808");
    const cursor = claude.replace("${HOTPLUG_TOKEN}", "${env:HOTPLUG_TOKEN}");
    const entries = {
      ".mcp.json": claude,
      ".cursor/mcp.json": cursor,
      ".vscode/mcp.json": cursor.replace("mcpServers", "servers"),
      ".codex/config.toml": await shown("toml", "127.0.0.1:8808"),
    };
    const env = { HOTPLUG_TOKEN: served.token };
    for (const [path, text] of Object.entries(entries)) {
      const file = await world.write(
        `project/${path}`,
        text.replace("127.0.0.1:8808", `127.0.0.1:${served.port}`),
      );
      await until(async () => {
        const run = await world.mcp(["status", "--trust", "--json", "--wait", "20s"], { env });
        const { servers } = run.json() as {
          servers: readonly { name: string; state: string; tools: number | null }[];
        };
        const row = servers.find(({ name }) => name === "hotplug");
        assert.equal(row?.state, "connected", `${path}: ${run.stdout}`);
        return row.tools === 2;
      }, 20_000);
      await Deno.remove(file);
    }
  },
);

e2e("the README's unit for systemd starts a gateway for the names of a file", async (world) => {
  await world.userServers({});
  const token = "alice-token-0123456789abcdef";
  const tokens = await world.write("home/tokens", `alice ${token}\n`);
  await Deno.chmod(tokens, 0o600);
  const unit = await shown("ini", "ExecStart");
  const [, words = ""] = /^ExecStart=\S+ serve --http (.*)$/m.exec(unit) ?? [];
  const args = words.replace("8808", "0").replace("/etc/hotplug/tokens", tokens).split(" ");
  await using served = await Served.start(world, { args });
  const ask = async (authorization: string): Promise<number> => {
    const { status, body } = await served.post(served.message("initialize"), { authorization });
    await body?.cancel();
    return status;
  };
  assert.equal(await ask(`Bearer ${token}`), 200);
  assert.equal(await ask("Bearer another-token-0123456789"), 401);
  assert.match(unit, /^KillMode=mixed$/m);
  const [, good = ""] = /^SuccessExitStatus=(\d+)$/m.exec(unit) ?? [];
  Deno.kill(served.pid, "SIGTERM");
  assert.equal(await served.ended, Number(good));
});
