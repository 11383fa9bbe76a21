import assert from "node:assert/strict";
import { join } from "node:path";
import type { ErrorDocument } from "../../src/cli/documents.ts";
import type { LogsDocument } from "../../src/cli/logs_document.ts";
import type { LogLine } from "../../src/model/server_log.ts";
import { logFileName } from "../../src/platform/log_place.ts";
import { fileServerLogs } from "../../src/platform/server_logs.ts";
import { e2e, succeeded, type World } from "../harness/e2e.ts";
import { npmServer, trap } from "../harness/servers.ts";

const SECRET = "s3cr3t-t0ken-of-this-test";

/** The log of a host that is still running, for a server of the world. */
function growing(world: World, server: string): {
  readonly write: (message: string) => Promise<void>;
} {
  const logs = fileServerLogs(join(world.state, "logs"));
  return {
    write: async (message) => {
      const log = logs.open({ server, workspace: world.project });
      log.write("info", "stderr", message);
      await log.close();
    },
  };
}

e2e(
  "mcp status keeps what servers write, and mcp logs shows it without secrets [B09]",
  async (world) => {
    const env = { API_KEY: SECRET };
    const dead = {
      command: "/bin/sh",
      args: ["-c", 'echo "error: key $API_KEY" >&2; exit 3'],
      env,
    };
    await world.userServers({ dead, files: npmServer("filesystem", world.home) });
    succeeded(await world.mcp(["status"]));
    const document = succeeded(await world.mcp(["logs", "--json"])).json<LogsDocument>();
    assert.equal(document.schemaVersion, 1);
    assert.equal(document.workspacePath, world.project);
    const of = (server: string): readonly LogLine[] =>
      document.lines.filter((line) => line.server === server);
    assert.deepEqual(
      of("dead").map(({ stream, level, message }) => `${stream} ${level} ${message}`),
      [
        "hotplug info Starting /bin/sh",
        "stderr error error: key ***",
        'hotplug error Cannot connect to "dead": its process exited with code 3: error: key *** ' +
        "(server-exited)",
      ],
    );
    const [starting, ...rest] = of("files").map(({ message }) => message);
    assert.match(starting ?? "", /^Starting /);
    assert.ok(of("files").some(({ stream }) => stream === "stderr"), "it greets on stderr");
    assert.ok(rest.some((message) => /^Connected to .* \(legacy .*, process \d+\)$/.test(message)));
    assert.equal(rest.at(-1), "Closed");
    const times = document.lines.map(({ time }) => time);
    assert.deepEqual(times, times.toSorted());

    const text = succeeded(await world.mcp(["logs", "dead", "--level", "error"]));
    assert.match(text.stdout, /^\S+Z error dead error: key \*\*\*\n\S+Z error dead \(hotplug\) /);
    for (const output of [text.stdout, JSON.stringify(document)]) {
      assert.ok(
        !output.includes(SECRET),
      );
    }
    for await (const { name } of Deno.readDir(join(world.state, "logs"))) {
      const path = join(world.state, "logs", name);
      assert.ok(!(await Deno.readTextFile(path)).includes(SECRET), name);
      assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600, name);
    }
  },
);

e2e("mcp logs names servers that it knows, also one that is defined no more", async (world) => {
  await world.userServers({ files: trap("good") });
  const none = succeeded(await world.mcp(["logs", "files"]));
  assert.equal(none.stdout, "");
  assert.match(none.stderr, /^No such lines of files in /);
  const unknown = await world.mcp(["logs", "--json", "filse"]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.json<ErrorDocument>().error.hint ?? "", /Did you mean "files"/);
  await growing(world, "gone").write("still there");
  assert.match(succeeded(await world.mcp(["logs", "gone"])).stdout, / gone still there\n$/);
  const bad = await world.mcp(["logs", "--since", "whenever"]);
  assert.equal(bad.code, 2);
});

e2e("mcp logs -f prints lines as they come, over rotation, until Ctrl-C", async (world) => {
  await world.userServers({ files: trap("good") });
  const { write } = growing(world, "files");
  const path = join(
    world.state,
    "logs",
    logFileName({ server: "files", workspace: world.project }),
  );
  let seen = "";
  const steps: (() => Promise<void>)[] = [
    async () => {
      await Deno.rename(path, `${path}.1`);
      await write("second");
    },
  ];
  const run = world.mcp(["logs", "-f", "files"], {
    onStdout: (text, send) => {
      seen += text;
      if (seen.includes("second\n")) send("SIGINT");
      else if (seen.includes("first\n")) void steps.pop()?.();
    },
  });
  // There is no log yet when it begins.
  await write("first");
  const { code, stdout, stderr } = await run;
  assert.equal(code, 130, stderr);
  assert.match(stdout, /^\S+ info {2}files first\n\S+ info {2}files second\n$/);
});

e2e("mcp logs -f --json prints one line of JSON each", async (world) => {
  await growing(world, "a").write("\x1b]0;title\x07 \u202e");
  const run = await world.mcp(["logs", "-f", "--json"], {
    onStdout: (text, send) => text.includes("\n") && send("SIGTERM"),
  });
  assert.equal(run.code, 143);
  const [line, ...more] = run.stdout.trimEnd().split("\n");
  assert.deepEqual(more, []);
  assert.equal((JSON.parse(line ?? "") as LogLine).message, "\x1b]0;title\x07 \u202e");
  assert.ok(!line?.includes("\u202e"), "hidden characters are escaped");
});
