import assert from "node:assert/strict";
import { askBeforeCall, askBeforeConnect } from "../../src/interceptors/ask_before.ts";
import type { BeforeCallEvent, BeforeConnectEvent } from "../../src/model/event_hooks.ts";
import { HotplugError } from "../../src/model/errors.ts";
import type { HookProgram } from "../../src/model/hook_program.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { recordsFolder } from "../../src/platform/run_record.ts";
import { isRunning } from "../platform/real_processes.ts";
import { until } from "../harness/until.ts";
import { type HookWorld, withHooks } from "./hook_programs.ts";

/** Whether nothing lies in a folder, there or not. */
async function isEmpty(folder: string): Promise<boolean> {
  const names = await Array.fromAsync(Deno.readDir(folder)).catch(() => []);
  return names.length === 0;
}

const CALL: BeforeCallEvent = {
  workspacePath: "/repo",
  server: "files",
  source: null,
  tool: "write_file",
  annotations: null,
  arguments: { path: "a.txt", text: "it's" },
};

const CONNECT: BeforeConnectEvent = {
  workspacePath: "/repo",
  server: "files",
  source: null,
  connection: {
    type: "stdio",
    command: "node",
    args: [],
    program: null,
    cwd: "/repo",
    url: null,
    envNames: [],
    headerNames: [],
  },
};

function ask(
  world: HookWorld,
  programs: readonly HookProgram[],
  event: BeforeCallEvent = CALL,
  signal: AbortSignal = new AbortController().signal,
): Promise<JsonObject> {
  return askBeforeCall(world.hooks(programs).current(), event, { signal });
}

async function failure(asked: Promise<unknown>): Promise<HotplugError> {
  const thrown = await asked.then(() => null, (error: unknown) => error);
  assert.ok(thrown instanceof HotplugError, `${thrown}`);
  return thrown;
}

withHooks(
  "a program gets the event as one JSON document and lets the call go on",
  async (world) => {
    const args = await ask(world, [world.shell(`cat > "$HOME/seen"`)]);
    assert.deepEqual(args, CALL.arguments);
    assert.deepEqual(await world.lines("seen"), [{ event: "before-call", ...CALL }]);
  },
);

withHooks("a veto stops the call with the program's reason, and names the hook", async (world) => {
  const error = await failure(ask(world, [world.shell(`echo '{"veto":"no writing"}'`)]));
  assert.equal(error.code, "blocked-by-hook");
  assert.equal(error.message, `Cannot call "write_file" of "files": no writing`);
  assert.match(error.hint ?? "", /^Stopped by the hook "sh" \(.*settings\.json:4\)$/);
});

withHooks("hooks run in order, each with the arguments of the one before", async (world) => {
  const first = world.shell(`echo '{"arguments":{"path":"b.txt"}}'`);
  const second = world.shell(`cat > "$HOME/second"; echo '{"arguments":{"path":"c.txt"}}'`);
  assert.deepEqual(await ask(world, [first, second]), { path: "c.txt" });
  const [seen] = await world.lines("second");
  assert.deepEqual(seen?.["arguments"], { path: "b.txt" });
});

withHooks("the first veto ends the asking", async (world) => {
  const after = world.shell(`: > "$HOME/asked"`);
  await failure(ask(world, [world.shell(`echo '{"veto":"no"}'`), after]));
  await assert.rejects(() => Deno.stat(`${world.home}/asked`), Deno.errors.NotFound);
});

withHooks("what is no answer stops the call, and onError allow lets it go on", async (world) => {
  const wrong: Readonly<Record<string, RegExp>> = {
    "exit 3": /ended with status 3/,
    "kill -9 $$": /ended by SIGKILL/,
    "echo fine": /not one JSON document/,
    "echo '{} {}'": /not one JSON document/,
    "echo '[]'": /not an object/,
    [`echo '{"vote":"no"}'`]: /"vote"/,
    [`echo '{"arguments":[1]}'`]: /"arguments"/,
    "printf '\\377'": /not UTF-8/,
  };
  for (const [script, reason] of Object.entries(wrong)) {
    const error = await failure(ask(world, [world.shell(script)]));
    assert.equal(error.code, "hook-failed", script);
    assert.match(error.message, /^Cannot ask the hook "sh" \(.*settings\.json:4\): /);
    assert.match(error.message, reason);
    assert.match(error.hint ?? "", /"onError": "allow"/);
    const allowed = await ask(world, [world.shell(script, { onError: "allow" })]);
    assert.deepEqual(allowed, CALL.arguments, script);
  }
});

withHooks("a program that is not there stops the call", async (world) => {
  const missing = world.shell("", { command: "no-such-program" });
  assert.match((await failure(ask(world, [missing]))).message, /its program was not found/);
  const homeless = world.shell("", { cwd: `${world.home}/nowhere` });
  assert.match(
    (await failure(ask(world, [homeless]))).message,
    /folder ".*nowhere" does not exist/,
  );
});

withHooks("a program that takes too long is ended with all that it started", async (world) => {
  const slow = world.shell(
    `trap '' TERM; sleep 60 & echo $! > "$HOME/pid"; setsid sleep 61 & sleep 60`,
    { timeoutMs: 300 },
  );
  const error = await failure(ask(world, [slow]));
  assert.match(error.message, /it did not end within 0\.3 s/);
  const pid = Number(await Deno.readTextFile(`${world.home}/pid`));
  assert.equal(isRunning(pid), false);
});

withHooks("what a program leaves in the background ends with it", async (world) => {
  await ask(world, [world.shell(`sleep 60 & echo $! > "$HOME/pid"`)]);
  assert.equal(isRunning(Number(await Deno.readTextFile(`${world.home}/pid`))), false);
});

withHooks("a program that prints without end is stopped", async (world) => {
  const error = await failure(ask(world, [world.shell("yes")]));
  assert.match(error.message, /it printed more than 4 MiB/);
});

withHooks("a program that reads nothing of a long event is no failure", async (world) => {
  const event = { ...CALL, arguments: { text: "x".repeat(3_000_000) } };
  assert.deepEqual(await ask(world, [world.shell("exec 0<&-; exit 0")], event), event.arguments);
});

withHooks(
  "the end of stderr is in the error, the hook's own secrets are not [H08]",
  async (world) => {
    const hook = world.shell(`echo "cannot reach with $TOKEN" >&2; exit 1`, {
      env: { TOKEN: "sk-very-secret-value" },
    });
    const error = await failure(ask(world, [hook]));
    assert.equal(error.stderr, "cannot reach with ***");
    assert.equal(error.processExitCode, 1);
    assert.doesNotMatch(JSON.stringify(error.toInfo()), /very-secret/);
  },
);

withHooks("what no program can be given stops the call and is not quoted [H08]", async (world) => {
  for (
    const more of [{ env: { TOKEN: "sk-very-secret\0value" } }, { args: ["sk-very-secret\0"] }]
  ) {
    const error = await failure(ask(world, [world.shell("true", more)]));
    assert.equal(error.code, "hook-failed");
    assert.match(error.message, /a variable holds what no program can be given$/);
    assert.doesNotMatch(JSON.stringify(error.toInfo()), /very-secret/);
  }
});

withHooks("a caller that gives up does not wait, and the program ends", async (world) => {
  const caller = new AbortController();
  const slow = world.shell(`echo $$ > "$HOME/pid"; sleep 60`);
  const asked = failure(ask(world, [slow], CALL, caller.signal));
  const pid = async (): Promise<number> =>
    Number(await Deno.readTextFile(`${world.home}/pid`).catch(() => "0"));
  await until(async () => await pid() > 0);
  caller.abort();
  assert.equal((await asked).code, "aborted");
  const started = await pid();
  await until(() => !isRunning(started));
  // It is written down as running until all of its end is done.
  await until(async () => await isEmpty(recordsFolder(world.folders)));
});

withHooks("globs say which servers and tools a hook is about", async (world) => {
  const no = `echo '{"veto":"no"}'`;
  const passing = [
    world.shell(no, { servers: ["git*", "other"] }),
    world.shell(no, { tools: ["read_*"] }),
    world.shell(no, { servers: ["files"], tools: ["read_?"] }),
  ];
  assert.deepEqual(await ask(world, passing), CALL.arguments);
  for (const scope of [{ servers: ["f*s"] }, { tools: ["write_*"] }]) {
    assert.equal((await failure(ask(world, [world.shell(no, scope)]))).code, "blocked-by-hook");
  }
});

withHooks("a hook before a connection may veto and not rewrite", async (world) => {
  const connect = (script: string): Promise<void> =>
    askBeforeConnect(
      world.hooks([world.shell(script, { event: "before-connect" })]).current(),
      CONNECT,
      { signal: new AbortController().signal },
    );
  await connect(`cat > "$HOME/seen"`);
  assert.deepEqual(await world.lines("seen"), [{ event: "before-connect", ...CONNECT }]);
  const veto = await failure(connect(`echo '{"veto":"not on this machine"}'`));
  assert.equal(veto.message, `Cannot start "files": not on this machine`);
  assert.equal((await failure(connect(`echo '{"arguments":{}}'`))).code, "hook-failed");
});

withHooks(
  "a user's program sees the user's environment, a repository's the safe part [H01]",
  async (world) => {
    const env = { ...world.env, MY_SECRET: "x", HOTPLUG_TRUST: "all", SSH_AUTH_SOCK: "/s" };
    const machine = { ...world.machine, env };
    const names = async (scope: HookProgram["scope"]): Promise<readonly string[]> => {
      const shared = { ...world, machine };
      const { ProgramHooks } = await import("../../src/interceptors/program_hooks.ts");
      const program = world.shell(`env > "$HOME/env"`, { scope, env: { OWN: "1" } });
      const hooks = new ProgramHooks({ ...shared, log: { log(): void {} } }, {
        programs: [program],
        broken: [],
      });
      await askBeforeCall(hooks.current(), CALL, { signal: new AbortController().signal });
      const text = await Deno.readTextFile(`${world.home}/env`);
      return text.split("\n").map((line) => line.split("=")[0] ?? "");
    };
    const users = await names("user");
    assert.ok(users.includes("MY_SECRET") && users.includes("OWN"));
    const projects = await names("project");
    assert.ok(projects.includes("OWN") && projects.includes("PATH"));
    for (const name of ["MY_SECRET", "SSH_AUTH_SOCK", "XDG_RUNTIME_DIR"]) {
      assert.ok(!projects.includes(name), name);
    }
    assert.ok(!users.includes("HOTPLUG_TRUST") && !projects.includes("HOTPLUG_TRUST"));
  },
);

withHooks(
  "a workspace in the search path puts no program in the place of a user's [H01]",
  async (world) => {
    const { project, home, root, folders } = world;
    const bin = { repository: `${project}/node_modules/.bin`, user: `${home}/bin` };
    for (const folder of Object.values(bin)) {
      await Deno.mkdir(folder, { recursive: true });
      await Deno.writeTextFile(`${folder}/guard`, `#!/bin/sh\necho "$0" "$PATH" > "$HOME/ran"\n`, {
        mode: 0o755,
      });
    }
    await Deno.symlink(`${project}/node_modules`, `${root}/linked`);
    const path = [bin.repository, `${root}/linked/.bin`, bin.user, "/usr/bin", "/bin"].join(":");
    const machine = { ...world.machine, env: { ...world.env, PATH: path } };
    const asked = async (more: Partial<HookProgram>): Promise<string> => {
      const program = world.shell("", { command: "guard", args: [], ...more });
      const { ProgramHooks } = await import("../../src/interceptors/program_hooks.ts");
      const hooks = new ProgramHooks({ machine, folders, log: { log(): void {} } }, {
        programs: [program],
        broken: [],
      });
      const event = { ...CALL, workspacePath: project };
      await askBeforeCall(hooks.current(), event, { signal: new AbortController().signal });
      return (await Deno.readTextFile(`${home}/ran`)).trim();
    };
    assert.equal(await asked({}), `${bin.user}/guard ${bin.user}:/usr/bin:/bin`);
    // A repository's own program, and a user who says so, may take it from there.
    assert.equal(await asked({ scope: "project" }), `${bin.repository}/guard ${path}`);
    assert.equal(await asked({ env: { PATH: path } }), `${bin.repository}/guard ${path}`);
  },
);

withHooks(
  "a hook that runs within itself is stopped and does not go on for ever",
  async (world) => {
    const deep = { ...world.machine, env: { ...world.env, HOTPLUG_HOOK_DEPTH: "3" } };
    const { ProgramHooks } = await import("../../src/interceptors/program_hooks.ts");
    const hooks = new ProgramHooks(
      { machine: deep, folders: world.folders, log: { log(): void {} } },
      { programs: [world.shell("true")], broken: [] },
    );
    const asked = askBeforeCall(hooks.current(), CALL, { signal: new AbortController().signal });
    assert.match((await failure(asked)).message, /it runs within itself/);
  },
);

withHooks(
  "an answer that may still be under way is no yes: who left the group holds the output open",
  async (world) => {
    // Without the environment's mark nothing knows that it belongs to the hook.
    const late = `echo $$ > "$1"; sleep 2; echo "{\\"veto\\":\\"no\\"}"`;
    const hook = world.shell(
      `env -i PATH="$PATH" setsid sh -c '${late}' sh "$HOME/pid" & ` +
        `while [ ! -s "$HOME/pid" ]; do sleep 0.01; done`,
    );
    const error = await failure(ask(world, [hook]));
    assert.equal(error.code, "hook-failed");
    assert.match(error.message, /something that it started still holds its output open/);
    const pid = Number(await Deno.readTextFile(`${world.home}/pid`));
    await until(() => !isRunning(pid));
  },
);

withHooks("many calls at once are asked about in turn, and none is lost", async (world) => {
  const hook = world.shell(`echo start >> "$HOME/log"; sleep 0.4; echo end >> "$HOME/log"`);
  const asked = Array.from({ length: 100 }, () => ask(world, [hook]));
  for (const args of await Promise.all(asked)) assert.deepEqual(args, CALL.arguments);
  let running = 0;
  let most = 0;
  for (const line of (await Deno.readTextFile(`${world.home}/log`)).trim().split("\n")) {
    running += line === "start" ? 1 : -1;
    most = Math.max(most, running);
  }
  assert.ok(most > 1 && most <= 32, `${most} at once`);
});

withHooks("a call that is given up while it waits for its turn runs nothing", async (world) => {
  const holding = world.shell(`echo x >> "$HOME/holding"; sleep 60`);
  const caller = new AbortController();
  const all = new AbortController();
  const held = Array.from(
    { length: 32 },
    () => failure(ask(world, [holding], CALL, all.signal)),
  );
  await until(async () => {
    const text = await Deno.readTextFile(`${world.home}/holding`).catch(() => "");
    return text.trim().split("\n").length === 32;
  });
  const waiting = failure(ask(world, [world.shell(`: > "$HOME/ran"`)], CALL, caller.signal));
  caller.abort();
  assert.equal((await waiting).code, "aborted");
  all.abort();
  for (const error of await Promise.all(held)) assert.equal(error.code, "aborted");
  assert.deepEqual(await ask(world, [world.shell("true")]), CALL.arguments);
  await assert.rejects(() => Deno.stat(`${world.home}/ran`), Deno.errors.NotFound);
});
