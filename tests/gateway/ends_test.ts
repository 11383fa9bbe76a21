import assert from "node:assert/strict";
import { e2e, ON_LINUX } from "../harness/e2e.ts";
import { program } from "../harness/run_cli.ts";
import { trap } from "../harness/servers.ts";
import { processesOfHome } from "../harness/living_processes.ts";
import { until } from "../harness/until.ts";
import { RawHost } from "./raw_host.ts";

// After each of these no process of the home may be alive: `e2e` looks.

e2e(
  "when its stdin ends the gateway ends with all servers, whatever they are doing",
  async (world) => {
    await world.userServers({
      hung: trap("hang-call"),
      starting: trap("hang"),
      stubborn: trap("stubborn"),
      wrapper: trap("wrapper"),
    });
    const host = new RawHost(world, { args: ["--for", "opencode"] });
    await host.initialize();
    await host.listing("hung_go");
    const id = await host.start("tools/call", { name: "hung_go" });
    await host.ask("ping");
    await host.closeInput();
    assert.equal(await host.ended, 0, host.stderr);
    assert.ok(
      !host.messages.some((message) => message["id"] === id),
      "a cancelled call was answered",
    );
  },
  ON_LINUX,
);

for (const [signal, code] of [["SIGTERM", 143], ["SIGINT", 130], ["SIGHUP", 129]] as const) {
  e2e(`${signal} ends the gateway with all servers`, async (world) => {
    await world.userServers({ s: trap("good"), starting: trap("hang") });
    const host = new RawHost(world, { args: ["--for", "opencode"] });
    await host.initialize();
    host.kill(signal);
    assert.equal(await host.ended, code, host.stderr);
    await host.closeInput();
  }, ON_LINUX);
}

e2e(
  "a gateway whose host is gone ends, though somebody else holds its stdin open",
  async (world) => {
    await world.userServers({ s: trap("good") });
    const words = [...program(), "serve"].map((word) => `'${word}'`).join(" ");
    const shell = new Deno.Command("/bin/sh", {
      args: ["-c", `exec 3<&0; ${words} <&3 & wait`],
      cwd: world.project,
      clearEnv: true,
      env: { ...world.env },
      stdin: "piped",
      stdout: "null",
      stderr: "null",
    }).spawn();
    const stdin = shell.stdin.getWriter();
    await stdin.write(new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'));
    const runs = async (word: string): Promise<boolean> =>
      (await processesOfHome(world.home)).some(({ commandLine }) => commandLine.includes(word));
    await until(() => runs("trap.ts"), 20_000);
    shell.kill("SIGKILL");
    await shell.status;
    await until(async () => (await processesOfHome(world.home)).length === 0, 20_000);
    await stdin.close().catch(() => {});
  },
  ON_LINUX,
);

e2e("a gateway whose host does not read can be ended all the same", async (world) => {
  await world.userServers({ big: trap("big-answer", String(8 * 1024 * 1024)) });
  const [command, ...first] = program();
  await Promise.all((["input", "signal", "output"] as const).map(async (how) => {
    const child = new Deno.Command(command, {
      args: [...first, "serve"],
      cwd: world.project,
      clearEnv: true,
      env: { ...world.env },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const stdin = child.stdin.getWriter();
    const say = async (message: object): Promise<void> =>
      await stdin.write(
        new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
      );
    await say({ id: 1, method: "tools/call", params: { name: "big_go" } });
    const reader = child.stdout.getReader();
    // The first piece shows that the answer is on its way; the rest fills the pipe.
    await reader.read();
    if (how === "signal") child.kill("SIGTERM");
    if (how === "output") await reader.cancel();
    else reader.releaseLock();
    if (how === "input") await stdin.close();
    const late = setTimeout(() => child.kill("SIGKILL"), 30_000);
    const { code } = await child.status;
    clearTimeout(late);
    assert.equal(code, how === "signal" ? 143 : 0, how);
    if (how !== "input") await stdin.close().catch(() => {});
    if (how !== "output") await child.stdout.cancel();
  }));
}, ON_LINUX);
