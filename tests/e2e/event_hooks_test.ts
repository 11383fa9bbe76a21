import assert from "node:assert/strict";
import { e2e, row, succeeded } from "../harness/e2e.ts";
import { npmServer, trap } from "../harness/servers.ts";
import { linesOf } from "../interceptors/hook_programs.ts";
import { fromRepository } from "../harness/repository.ts";

const shell = (script: string, more: object = {}): object => ({
  command: "/bin/sh",
  args: ["-c", script],
  ...more,
});

e2e("mcp call asks the user's hooks: veto, rewrite, and what follows", async (world) => {
  await world.userServers({ every: npmServer("everything") });
  const hook = await world.write(
    "home/hook.ts",
    `const event = JSON.parse(await new Response(Deno.stdin.readable).text());
    const { message } = event.arguments;
    if (message === "stop") console.log(JSON.stringify({ veto: "not this \\u001b[31mmessage" }));
    if (message === "a") console.log(JSON.stringify({ arguments: { message: "b" } }));`,
  );
  await world.write(`${world.config}/settings.json`, {
    hooks: {
      "before-call": [{
        command: Deno.execPath(),
        args: ["run", "--quiet", "--no-config", hook],
        tools: ["echo"],
      }],
      "after-call": [shell(`cat >> "$HOME/after"`)],
    },
  });
  assert.equal(await world.callText("every", "echo", "message=a"), "Echo: b");
  const stopped = await world.mcp(["call", "every", "echo", "message=stop"]);
  assert.equal(stopped.code, 1);
  assert.match(stopped.stderr, /Cannot call "echo" of "every": not this +\[31mmessage/);
  assert.match(stopped.stderr, /hint: Stopped by the hook "deno" \(.*settings\.json:\d+\)/);
  assert.ok(!stopped.stderr.includes("\u001b"));
  const json = await world.mcp(["call", "--json", "every", "echo", "message=stop"]);
  assert.equal(json.json<{ error: { code: string } }>().error.code, "blocked-by-hook");
  const after = await linesOf(`${world.home}/after`);
  assert.deepEqual(after.map(({ error }) => (error as { code: string } | null)?.code ?? null), [
    null,
    "blocked-by-hook",
    "blocked-by-hook",
  ]);
});

e2e("a hook that hangs stops the call after its time, and leaves nothing", async (world) => {
  await world.userServers({ it: trap("good") });
  await world.write(`${world.config}/settings.json`, {
    hooks: { "before-call": [shell("trap '' TERM; sleep 100 & sleep 100", { timeout: 300 })] },
  });
  const run = await world.mcp(["call", "it", "echo", "text=x"]);
  assert.equal(run.code, 1);
  assert.match(run.stderr, /it did not end within 0\.3 s/);
});

e2e("mcp status shows a vetoed server as blocked, and does not start it", async (world) => {
  const mark = `${world.root}/ran`;
  await world.userServers({ bad: trap("marker", mark), good: trap("good") });
  await world.write(`${world.config}/settings.json`, {
    hooks: { "before-connect": [shell(`echo '{"veto":"no"}'`, { servers: ["bad"] })] },
  });
  const status = await world.status();
  assert.equal(row(status, "good").state, "connected");
  assert.equal(row(status, "bad").state, "blocked");
  assert.equal(row(status, "bad").error?.code, "blocked-by-hook");
  await assert.rejects(() => Deno.stat(mark), Deno.errors.NotFound);
});

e2e(
  "a project's hooks run from trust to untrust, and never otherwise [H01] [H02]",
  async (world) => {
    const ran = `${world.root}/ran`;
    await world.userServers({ it: trap("good") });
    const file = "project/.hotplug/hooks.json";
    await world.write(file, { "before-call": [shell(`: > ${ran}; echo '{"veto":"theirs"}'`)] });
    const call = () => world.mcp(["call", "it", "echo", "text=x"]);
    assert.equal((await call()).code, 0);
    const status = await world.mcp(["status", "--cached"]);
    assert.match(
      status.stdout + status.stderr,
      /warning: \.hotplug\/hooks\.json: You did not approve them: .* mcp trust --hooks/,
    );
    assert.match((await world.mcp(["sources"])).stdout, /\.hotplug\/hooks\.json.*\n/);
    assert.match((await world.mcp(["doctor"])).stdout, /mcp trust --hooks/);
    const shown = await world.mcp(["trust"]);
    assert.notEqual(shown.code, 0);
    assert.match(shown.stdout, /hooks \(this project wants to run them; \.hotplug\/hooks\.json\)/);
    assert.match(shown.stdout, /before-call \(sees, may change and stop calls\): \/bin\/sh -c /);
    assert.equal((await call()).code, 0);
    await assert.rejects(() => Deno.stat(ran), Deno.errors.NotFound);
    succeeded(await world.mcp(["trust", "--hooks", "--yes"]));
    const vetoed = await call();
    assert.deepEqual([vetoed.code, /theirs/.test(vetoed.stderr)], [1, true]);
    await Deno.remove(ran);
    await world.write(file, { "before-call": [shell(`: > ${ran}; echo '{"veto":"other"}'`)] });
    assert.equal((await call()).code, 0);
    const changed = await world.mcp(["trust", "--hooks"]);
    assert.match(changed.stdout, /they changed since you approved them/);
    succeeded(await world.mcp(["trust", "--yes"]));
    assert.match((await call()).stderr, /other/);
    assert.match(
      succeeded(await world.mcp(["untrust", "--hooks"])).stdout,
      /withdrawn: the project's hooks/,
    );
    await Deno.remove(ran);
    assert.equal((await call()).code, 0);
    await assert.rejects(() => Deno.stat(ran), Deno.errors.NotFound);
    const all = await world.mcp(["call", "it", "echo", "text=x"], {
      env: { HOTPLUG_TRUST: "all" },
    });
    assert.match(all.stderr, /other/);
  },
);

e2e("servers of a discover hook are in every answer, and none is kept beyond it", async (world) => {
  const servers = `${world.home}/servers.json`;
  await world.write(servers, { mcpServers: { first: trap("good") } });
  await world.write(`${world.config}/settings.json`, {
    hooks: { discover: [shell(`cat "$HOME/servers.json"`)] },
  });
  assert.ok((await world.tools()).tools.some(({ server }) => server === "first"));
  assert.match((await world.mcp(["sources", "--found"])).stdout, /discover hook 1: sh/);
  await world.write(servers, { mcpServers: { second: trap("good", "second") } });
  const names = (await world.tools()).servers.map(({ name }) => name);
  assert.deepEqual(names, ["second"]);
});

e2e("a hook that calls mcp call itself comes to an end", async (world) => {
  await world.userServers({ it: trap("good") });
  const mcp = `'${Deno.execPath()}' run --quiet --allow-all --config '${
    fromRepository("deno.json")
  }' '${fromRepository("cli.ts")}'`;
  await world.write(`${world.config}/settings.json`, {
    hooks: {
      "before-call": [shell(`${mcp} call it echo text=inner >&2 || exit 3`, { timeout: 60_000 })],
    },
  });
  const run = await world.mcp(["call", "it", "echo", "text=x"]);
  assert.equal(run.code, 1);
  assert.match(run.stderr, /ended with status 3/);
});
