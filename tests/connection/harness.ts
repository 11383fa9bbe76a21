import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import type { MCPServerConnection, ServerNotification } from "../../src/model/connection.ts";
import type { ResolvedConfig } from "../../src/model/definition.ts";
import { HotplugError } from "../../src/model/errors.ts";
import type { Machine } from "../../src/model/machine.ts";
import { type ConnectOptions, connectToServer } from "../../src/connection/connect.ts";

const SERVERS = new URL("./servers/", import.meta.url).pathname;
const CONFIG = new URL("../../deno.json", import.meta.url).pathname;

/** One test's machine, temp folder and children. */
export interface Bench {
  /** Temp folder, removed at the end. */
  readonly folder: string;
  /** Notifications so far. */
  readonly notifications: ServerNotification[];
  /** Lines of stderr so far. */
  readonly stderr: string[];
  /** Environment of the children. */
  readonly environment: Record<string, string>;
  /** Connects with the bench's options; closed at the end. */
  connect(
    config: Partial<ResolvedConfig>,
    options?: Partial<ConnectOptions>,
  ): Promise<MCPServerConnection>;
  /** Connects and gives the error that it must end with. */
  failure(
    config: Partial<ResolvedConfig>,
    options?: Partial<ConnectOptions>,
  ): Promise<HotplugError>;
  /** The config of a server program of this folder. */
  program(file: string, ...args: string[]): { command: string; args: string[] };
  /** Ids of the children that run now. */
  children(): number[];
}

/** Runs a test in a bench and checks that nothing is left of it. */
export async function withBench(test: (bench: Bench) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const id = crypto.randomUUID();
  const environment: Record<string, string> = { BENCH: id, NO_COLOR: "1", HOME: folder };
  for (const key of ["PATH", "TMPDIR"]) {
    const value = process.env[key];
    if (value !== undefined) environment[key] = value;
  }
  environment["DENO_DIR"] = denoDir();
  const notifications: ServerNotification[] = [];
  const stderr: string[] = [];
  const open: MCPServerConnection[] = [];
  const machine: Machine = {
    platform: process.platform,
    env: environment,
    home: folder,
    tmp: folder,
    cwd: folder,
    uid: null,
  };
  const connect: Bench["connect"] = async (config, options) => {
    const connection = await connectToServer(
      "s",
      { env: {}, headers: {}, cwd: folder, ...config },
      {
        timeout: 30_000,
        callTimeout: 20_000,
        environment,
        machine,
        onNotification: (notification) => notifications.push(notification),
        onStderr: (line) => stderr.push(line),
        ...options,
      },
    );
    open.push(connection);
    return connection;
  };
  const bench: Bench = {
    folder,
    notifications,
    stderr,
    environment,
    connect,
    async failure(config, options): Promise<HotplugError> {
      const thrown = await connect(config, options).then(
        () => assert.fail("It connected"),
        (error: unknown) => error,
      );
      assert.ok(thrown instanceof HotplugError, `not ours: ${thrown}`);
      assert.deepEqual(bench.children(), [], "a failed connect left a process");
      return thrown;
    },
    program: (file, ...args) => ({
      command: Deno.execPath(),
      args: ["run", "-A", "--quiet", "--no-prompt", "--config", CONFIG, SERVERS + file, ...args],
    }),
    children: () => marked(id),
  };
  try {
    await test(bench);
  } finally {
    await Promise.all(open.map((connection) => connection.close()));
    const left = bench.children();
    for (const pid of left) process.kill(pid, "SIGKILL");
    await Deno.remove(folder, { recursive: true });
    assert.deepEqual(left, [], "processes were left");
  }
}

/** Gives the error that a promise rejects with. */
export async function rejection(work: Promise<unknown>): Promise<HotplugError> {
  const thrown = await work.then(() => assert.fail("It resolved"), (error: unknown) => error);
  assert.ok(thrown instanceof HotplugError, `not ours: ${thrown}`);
  return thrown;
}

/** Waits until something holds; looks again at short intervals, as no event tells of it. */
export async function until(holds: () => boolean, what: string, ms = 5_000): Promise<void> {
  const end = performance.now() + ms;
  while (!holds()) {
    assert.ok(performance.now() < end, `did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Processes whose environment carries the bench's id, those that have ended left out. */
function marked(id: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, "latin1").includes(`BENCH=${id}`)) return false;
      return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "latin1"));
    } catch {
      return false;
    }
  });
}

function denoDir(): string {
  const home = process.env["HOME"] ?? "";
  return process.env["DENO_DIR"] ?? `${process.env["XDG_CACHE_HOME"] ?? `${home}/.cache`}/deno`;
}
