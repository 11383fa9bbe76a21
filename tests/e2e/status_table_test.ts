import assert from "node:assert/strict";
import type { StatusDocument } from "../../src/cli/documents.ts";
import { estimatedTokens } from "../../src/tools/token_estimate.ts";
import { type Message, RawHost } from "../gateway/raw_host.ts";
import { e2e, row, states, succeeded } from "../harness/e2e.ts";
import { program } from "../harness/run_cli.ts";
import { npmServer, trap } from "../harness/servers.ts";

e2e("status prints a row for each server, its error below it, counts and files", async (world) => {
  await world.userServers({ fine: trap("good"), broken: trap("dead") });
  const { stdout } = succeeded(await world.mcp(["status"]));
  const lines = stdout.split("\n");
  assert.match(lines[0] ?? "", /^NAME +TYPE +STATE +WORKSPACE +PAUSED +TOOLS +SOURCE +TIME/);
  const fine = lines.find((line) => line.startsWith("fine")) ?? "";
  assert.match(fine, /^fine +stdio +connected +enabled +no +2 +~\/\.claude\.json/);
  assert.match(lines.find((line) => line.startsWith("broken")) ?? "", /stdio +error +enabled/);
  assert.match(stdout, /1 connected, 1 failed, 2 tools/);
  assert.match(stdout, new RegExp(`^store=${world.config}/mcp\\.json$`, "m"));
  assert.match(
    stdout,
    new RegExp(`^workspaceConfig=${world.project}/\\.hotplug/workspace\\.json$`, "m"),
  );
});

e2e("a dead server's row tells exit code, stderr and a way on [I03]", async (world) => {
  await world.userServers({ broken: trap("dead") });
  const { stdout } = succeeded(await world.mcp(["status"]));
  assert.match(stdout, /exit(ed)?.*\b3\b/);
  assert.match(stdout, /FATAL: missing API key DEAD_KEY/);
  assert.match(stdout, /hint: /);
  assert.doesNotMatch(stdout, /Connection closed/);
});

e2e("a program that is not there is named with the PATH that was searched [B10]", async (world) => {
  await world.userServers({ lost: { command: "no-such-program-anywhere" } });
  const run = succeeded(await world.mcp(["status"], { env: { PATH: "/usr/bin:/bin" } }));
  assert.match(run.stdout, /no-such-program-anywhere/);
  assert.match(run.stdout, /looked in \/usr\/bin, \/bin\. PATH lacks \/usr\/local\/bin/);
});

e2e("a long PATH is cut in the hint, and whole with --verbose and --json [B10]", async (world) => {
  await world.userServers({ lost: { command: "no-such-program-anywhere" } });
  const folders = ["/one", "/two", "/three", "/four", "/usr/local/bin", "/usr/bin", "/bin"];
  const env = { PATH: folders.join(":") };
  const short = succeeded(await world.mcp(["status"], { env })).stdout;
  assert.match(short, /looked in \/one, \/two, \/three and 4 more folders of PATH$/m);
  const whole = folders.join(", ");
  const verbose = succeeded(await world.mcp(["status", "--verbose"], { env })).stdout;
  assert.ok(verbose.includes(`cause: It is not in: ${whole}`), verbose);
  const document = (await world.mcp(["status", "--json"], { env })).json<StatusDocument>();
  assert.deepEqual(row(document, "lost").error?.causes, [`It is not in: ${whole}`]);
});

e2e(
  "noise on stdout costs a warning that is escaped, not the server [C01] [I06]",
  async (world) => {
    await world.userServers({ loud: trap("noisy") });
    const { stdout } = succeeded(await world.mcp(["status"]));
    assert.match(stdout, /^loud +stdio +connected/m);
    assert.match(stdout, /warning: .*stdout/i);
    assert.match(stdout, /Trap server v1\.0 started/);
    assert.ok(!stdout.includes("\u001b"), "an escape sequence reached the terminal");
  },
);

e2e("--plain prints one line of tokens for each server", async (world) => {
  await world.userServers({ fine: trap("good"), broken: trap("dead") });
  const { stdout } = succeeded(await world.mcp(["status", "--plain"]));
  assert.match(stdout, /^fine stdio connected workspace=enabled paused=no tools=2$/m);
  assert.match(stdout, /^broken stdio error workspace=enabled paused=no tools=- error=.+$/m);
});

e2e("names as arguments start and show these servers alone", async (world) => {
  const mark = `${world.root}/ran`;
  await world.userServers({ one: trap("good"), other: trap("marker", mark) });
  const { stdout } = succeeded(await world.mcp(["status", "--plain", "one"]));
  assert.match(stdout, /^one stdio connected/m);
  assert.doesNotMatch(stdout, /^other/m);
  await assert.rejects(() => Deno.stat(mark), Deno.errors.NotFound);
});

e2e("a workspace without servers says where it looked", async (world) => {
  const { stdout, stderr } = succeeded(await world.mcp(["status"]));
  assert.match(stdout + stderr, /\.mcp\.json/);
});

e2e(
  "a user's server starts in the home folder with a warning, until the folder is trusted",
  async (world) => {
    await world.userServers({ dump: trap("env-dump") });
    const before = await world.status();
    assert.match(before.servers[0]?.warnings.join() ?? "", /home folder/);
    assert.equal(await world.callText("dump", "cwd"), world.home);
    succeeded(await world.mcp(["trust", "--folder", "--yes"]));
    assert.deepEqual((await world.status()).servers[0]?.warnings, []);
    assert.equal(await world.callText("dump", "cwd"), world.project);
  },
);

e2e(
  "a gateway of Hotplug that somebody has written into a config is not started by it",
  async (world) => {
    const [command, ...args] = program();
    await world.userServers({
      good: trap("good"),
      everything: { command, args: [...args, "serve"], env: world.env },
    });
    const document = await world.status();
    assert.deepEqual(states(document), { good: "connected", everything: "filtered" });
    assert.match(row(document, "everything").error?.message ?? "", /own gateway/);
  },
);

e2e("--tokens tells what each server costs a model, from the cache as well", async (world) => {
  await world.userServers({ all: npmServer("everything"), dead: trap("dead") });
  const live = await world.status("--tokens", "--wait", "30s");
  const cost = row(live, "all").tokens ?? 0;
  assert.ok(cost > 500 && cost < 2_000, String(cost));
  assert.equal(row(live, "dead").tokens, null);
  assert.equal(live.summary.tokens, cost);
  assert.ok((live.summary.lazyTokens ?? 0) > 200);
  const cached = await world.status("--tokens", "--cached");
  assert.equal(row(cached, "all").tokens, cost);
  assert.deepEqual(
    [cached.summary.tokens, cached.summary.lazyTokens],
    [live.summary.tokens, live.summary.lazyTokens],
  );
  const { stdout } = succeeded(await world.mcp(["status", "--tokens", "--cached"]));
  assert.match(stdout, /^NAME .* TOOLS +TOKENS +SOURCE/);
  assert.match(stdout, new RegExp(`^all .* 13 +${cost} `, "m"));
  assert.match(stdout, /13 tools, about \d+ tokens \(\d+ with mcp serve --lazy\)$/m);
  const without = await world.status("--cached");
  assert.ok(!("tokens" in row(without, "all")) && !("tokens" in without.summary));
  const refused = await world.mcp(["status", "--tokens", "--session"]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /--tokens of a live session/);
});

e2e("what --tokens counts is what a gateway lists, tool by tool", async (world) => {
  await world.userServers({ files: npmServer("filesystem", world.project) });
  const { summary } = await world.status("--tokens", "--wait", "30s");
  const counted = async (...args: readonly string[]): Promise<number> => {
    await using host = new RawHost(world, { args });
    await host.initialize();
    const { result } = await host.ask("tools/list");
    const { tools } = result as { readonly tools: readonly Message[] };
    return tools.reduce(
      (sum, { name, description, inputSchema }) =>
        sum + estimatedTokens(JSON.stringify({ name, description, inputSchema })),
      0,
    );
  };
  assert.equal(await counted(), summary.tokens);
  assert.equal(await counted("--lazy"), summary.lazyTokens);
});
