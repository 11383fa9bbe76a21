import assert from "node:assert/strict";
import { join } from "node:path";
import type { LogLine } from "../../src/model/server_log.ts";
import { appendLog } from "../../src/platform/log_file.ts";
import { lineText } from "../../src/platform/log_line.ts";
import { logFileName, logFiles, MAX_LOG_BYTES } from "../../src/platform/log_place.ts";
import { LogReader } from "../../src/platform/log_reader.ts";
import { fileServerLogs } from "../../src/platform/server_logs.ts";
import { DENO_CACHE, fromRepository } from "../harness/repository.ts";

const ORIGIN = { server: "a", workspace: "/w" } as const;

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "hotplug-logs-" });
  try {
    await test(join(root, "logs"));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

function line(message: string): string {
  const time = new Date().toISOString();
  return lineText({ time, level: "info", stream: "stderr", pid: 1, ...ORIGIN, message });
}

async function read(folder: string): Promise<readonly LogLine[]> {
  return await new LogReader(folder, "/w").next();
}

function messages(lines: readonly LogLine[]): readonly string[] {
  return lines.map(({ message }) => message);
}

Deno.test("a closed log is on disk, private, in order", async () => {
  await inFolder(async (folder) => {
    const log = fileServerLogs(folder).open(ORIGIN);
    log.write("info", "hotplug", "Starting");
    log.write("error", "stderr", "boom");
    await Promise.all([log.close(), log.close()]);
    log.write("info", "stderr", "too late");
    await log.close();
    const [first, second, ...more] = await read(folder);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [first?.message, first?.stream, first?.pid, first?.server, first?.workspace],
      ["Starting", "hotplug", Deno.pid, "a", "/w"],
    );
    assert.deepEqual([second?.message, second?.level], ["boom", "error"]);
    const path = join(folder, logFileName(ORIGIN));
    assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
    assert.equal(((await Deno.stat(folder)).mode ?? 0) & 0o777, 0o700);
  });
});

Deno.test("lines are written in the background without being asked for", async () => {
  await inFolder(async (folder) => {
    const log = fileServerLogs(folder).open(ORIGIN);
    log.write("info", "stderr", "soon there");
    const until = performance.now() + 5_000;
    while ((await read(folder)).length === 0) {
      assert.ok(performance.now() < until, "nothing was written");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await log.close();
    assert.deepEqual(messages(await read(folder)), ["soon there"]);
  });
});

Deno.test("a flood keeps its newest lines, says how many are missing, in bounded files", async () => {
  await inFolder(async (folder) => {
    const log = fileServerLogs(folder).open(ORIGIN);
    const count = 50_000;
    for (let number = 0; number < count; number++) {
      log.write("info", "stderr", `${number} ${"x".repeat(990)}`);
    }
    await log.close();
    const lines = await read(folder);
    const missing = Number(/^Left out (\d+) lines/.exec(lines[0]?.message ?? "")?.[1]);
    assert.equal(lines.length - 1 + missing, count);
    assert.match(lines.at(-1)?.message ?? "", new RegExp(`^${count - 1} x`));
    assert.ok((await Deno.stat(join(folder, logFileName(ORIGIN)))).size <= MAX_LOG_BYTES);
  });
});

Deno.test("a log that cannot be written costs one warning", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(folder, "no folder");
    const told: string[] = [];
    const logs = fileServerLogs(folder, { onFailure: (reason) => told.push(reason) });
    for (const server of ["a", "b"]) {
      const log = logs.open({ server, workspace: "/w" });
      log.write("info", "stderr", "text");
      await log.close();
    }
    assert.equal(told.length, 1);
    assert.match(told[0] ?? "", /\((ENOTDIR|EEXIST)\)/);
  });
});

Deno.test("a line that the full disk cut off costs none of those after it", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(folder, "no folder");
    let failed = false;
    const log = fileServerLogs(folder, { onFailure: () => failed = true }).open(ORIGIN);
    log.write("info", "stderr", "first");
    const end = performance.now() + 5_000;
    while (!failed) {
      assert.ok(performance.now() < end, "the first batch was tried");
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await Deno.remove(folder);
    await Deno.mkdir(folder);
    await Deno.writeTextFile(join(folder, logFileName(ORIGIN)), line("first").slice(0, 30));
    log.write("info", "stderr", "second");
    await log.close();
    assert.deepEqual(messages(await read(folder)), [
      "Left out 1 line that could not be kept",
      "second",
    ]);
  });
});

Deno.test("a link among the logs hides no other log", async () => {
  await inFolder(async (folder) => {
    const other = { server: "b", workspace: "/w" } as const;
    await appendLog(join(folder, logFileName(ORIGIN)), line("here"), Date.now());
    await Deno.symlink("/etc/passwd", join(folder, logFileName(other)));
    assert.deepEqual(messages(await read(folder)), ["here"]);
  });
});

Deno.test("a log is never written through a link, nor to a pipe", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(folder);
    const path = join(folder, logFileName(ORIGIN));
    const target = join(folder, "target");
    await Deno.symlink(target, path);
    await assert.rejects(appendLog(path, line("x"), 0), { code: "ELOOP" });
    await assert.rejects(Deno.stat(target));
    await Deno.remove(path);
    await new Deno.Command("mkfifo", { args: [path] }).output();
    await assert.rejects(appendLog(path, line("x"), 0), { code: "ENXIO" });
  });
});

Deno.test("several processes at one log rotate it and tear no line", async () => {
  await inFolder(async (folder) => {
    const writers = ["one", "two", "three"];
    const count = 1_500;
    const runs = await Promise.all(writers.map((writer) =>
      new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "--quiet",
          "--allow-all",
          fromRepository("tests/platform/programs/many_log_lines.ts"),
          folder,
          writer,
          String(count),
        ],
        env: { DENO_DIR: DENO_CACHE },
      }).output()
    ));
    for (const { code, stderr } of runs) assert.equal(code, 0, new TextDecoder().decode(stderr));
    const lines = await read(folder);
    // 2.9 MB in all: nothing had to go yet.
    assert.equal(lines.length, writers.length * count);
    for (const writer of writers) {
      const numbers = lines.map(({ message }) => message.split(" "))
        .filter(([name]) => name === writer).map(([, number]) => Number(number));
      assert.deepEqual(numbers.toSorted((a, b) => a - b), [...Array(count).keys()]);
    }
    const names: string[] = [];
    for await (const { name } of Deno.readDir(folder)) names.push(name);
    const files = logFiles(logFileName(ORIGIN));
    assert.deepEqual(names.sort(), [...files, "last-sweep"].sort(), "no lock is left");
    for (const name of files) {
      const { size } = await Deno.stat(join(folder, name));
      assert.ok(size < MAX_LOG_BYTES + 64 * 1024, `${name} has ${size} bytes`);
    }
  });
});

Deno.test("a log takes three files at most, the newest lines in them", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, logFileName(ORIGIN));
    const batch = (number: number): string => line(`${number} ${"x".repeat(1_000)}`).repeat(300);
    for (let number = 0; number < 20; number++) await appendLog(path, batch(number), Date.now());
    const numbers = messages(await read(folder)).map((message) => Number(message.split(" ")[0]));
    assert.equal(numbers.at(-1), 19);
    assert.ok((numbers[0] ?? 0) > 5, "old lines are gone");
    assert.deepEqual(numbers, numbers.toSorted((a, b) => a - b));
    await assert.rejects(Deno.stat(`${path}.3`));
  });
});

Deno.test("a reader is given what was added, over rotation, torn lines when they are whole", async () => {
  await inFolder(async (folder) => {
    const reader = new LogReader(folder, "/w");
    assert.deepEqual(await reader.next(), [], "no folder yet");
    const path = join(folder, logFileName(ORIGIN));
    await appendLog(path, line("first"), Date.now());
    assert.deepEqual(messages(await reader.next()), ["first"]);
    assert.deepEqual(await reader.next(), []);
    const torn = line("second");
    await appendLog(path, torn.slice(0, 30), Date.now());
    assert.deepEqual(await reader.next(), []);
    await appendLog(path, torn.slice(30), Date.now());
    assert.deepEqual(messages(await reader.next()), ["second"]);
    // Twice a new file between two looks.
    const before = line("before");
    const big = line("y".repeat(8_000)).repeat(100);
    await appendLog(path, before, Date.now());
    await appendLog(path, big, Date.now());
    await appendLog(path, big, Date.now());
    await appendLog(path, line("last"), Date.now());
    const added = messages(await reader.next());
    assert.deepEqual([added[0], added.at(-1), added.length], ["before", "last", 202]);
    assert.deepEqual(await reader.next(), []);
  });
});

Deno.test("a reader gives the lines of its workspace alone, merged by time", async () => {
  await inFolder(async (folder) => {
    let now = 0;
    const logs = fileServerLogs(folder, { now: () => now });
    const opened = [["b", "/w"], ["a", "/w"], ["a", "/other"]].map((
      [server = "", workspace = ""],
    ) => logs.open({ server, workspace }));
    for (now = 0; now < 6; now++) opened[now % 3]?.write("info", "stderr", String(now));
    await Promise.all(opened.map((log) => log.close()));
    const lines = await new LogReader(folder, "/w").next();
    assert.deepEqual(lines.map(({ server, message }) => `${server}${message}`), [
      "b0",
      "a1",
      "b3",
      "a4",
    ]);
  });
});

Deno.test("a timer of a log keeps no process alive", async () => {
  await inFolder(async (folder) => {
    const module = fromRepository("src/platform/server_logs.ts");
    const program = `
      import { fileServerLogs } from ${JSON.stringify(`file://${module}`)};
      const log = fileServerLogs(${JSON.stringify(folder)}).open({ server: "a", workspace: "/w" });
      const start = performance.now();
      log.write("info", "stderr", "x");
      globalThis.addEventListener("unload", () => console.log(performance.now() - start < 150));
    `;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", program],
      env: { DENO_DIR: DENO_CACHE },
    }).output();
    assert.equal(new TextDecoder().decode(stdout).trim(), "true");
  });
});
