import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Behaviour, RawServer, SILENCE, textResult, tool } from "./raw_server.ts";

const TRAP = fileURLToPath(new URL("../trap.ts", import.meta.url));

/** Starts this program again with another behaviour. */
function again(
  behaviour: string,
  options: SpawnOptions,
  ...args: readonly string[]
): ChildProcess {
  const flags = ["run", "--quiet", "--allow-all", "--no-config", "--no-lock"];
  return spawn(process.execPath, [...flags, TRAP, behaviour, ...args], options);
}

/** Neither the end of stdin nor a polite signal ends this process from here on. */
function ignoreEverything(): void {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  setInterval(() => {}, 1_000);
}

/** Behaviours that show at the end of the process, by name. */
export const processes: Readonly<Record<string, Behaviour>> = {
  /** Ignores the end of stdin and SIGTERM; so does its child, which holds the same pipes. */
  stubborn(): void {
    ignoreEverything();
    again("stubborn-child", { stdio: ["ignore", "inherit", "inherit"] });
    const server = new RawServer("stubborn");
    server.onEnd = () => {};
    server.start();
  },

  /**
   * Ignores the end of stdin and SIGTERM. A call of its tool `go` starts a stubborn child, and is
   * answered with so many bytes; without a number never.
   */
  "stubborn-call"(bytes = "0"): void {
    ignoreEverything();
    const server = new RawServer("stubborn-call");
    server.onEnd = () => {};
    const answer = textResult("x".repeat(Number(bytes)));
    server.tools.push(tool("go", () => {
      again("stubborn-child", { stdio: ["ignore", "inherit", "inherit"] });
      return bytes === "0" ? SILENCE : answer;
    }));
    server.start();
  },

  /**
   * A container engine's client, as by `docker run -i`: passes its stdin and SIGTERM on to what
   * runs elsewhere, and ends when that has ended. Its argument is what the contained server obeys.
   */
  "container-client"(obeys = ""): void {
    const { HOTPLUG_SERVER: _, ...env } = process.env;
    const stdio = ["pipe", "inherit", "inherit"] as const;
    const container = again("contained", { stdio: [...stdio], detached: true, env }, obeys);
    if (container.stdin !== null) process.stdin.pipe(container.stdin);
    process.on("SIGTERM", () => process.kill(container.pid ?? 0, "SIGTERM"));
    container.once("exit", (code) => process.exit(code ?? 1));
  },

  /** Obeys either the end of `stdin`, or the signal `SIGTERM`, as the first process elsewhere. */
  contained(obeys = ""): void {
    ignoreEverything();
    const server = new RawServer("contained");
    if (obeys !== "stdin") server.onEnd = () => {};
    if (obeys === "SIGTERM") process.on("SIGTERM", () => process.exit(0));
    server.start();
  },

  /** Child of others: does nothing and does not end. */
  "stubborn-child": () => ignoreEverything(),

  /** A launcher: ends at SIGTERM and leaves its stubborn child behind. */
  wrapper(): void {
    again("stubborn", { stdio: "inherit" });
    process.on("SIGTERM", () => process.exit(0));
    setInterval(() => {}, 1_000);
  },

  /** Means well, but its child leaves the process group and ignores SIGTERM. */
  escapee(): void {
    again("stubborn-child", { stdio: "ignore", detached: true }).unref();
    new RawServer("escapee").start();
  },

  /** Writes the file that is its argument when stdin ends; SIGTERM before that loses it. */
  flush(path = ""): void {
    const server = new RawServer("flush");
    process.on("SIGTERM", () => process.exit(1));
    server.onEnd = () => {
      writeFileSync(path, "flushed\n");
      process.exit(0);
    };
    server.start();
  },

  /**
   * Holds the file that is its argument while it lives; a second one at the same time dies. Its tool
   * `go` answers after `ms` milliseconds.
   */
  lock(path = ""): void {
    try {
      writeFileSync(path, `${process.pid}\n`, { flag: "wx" });
    } catch {
      process.stderr.write(`Cannot start: "${path}" is held by another server\n`);
      process.exit(4);
    }
    process.on("exit", () => rmSync(path, { force: true }));
    process.on("SIGTERM", () => process.exit(0));
    const server = new RawServer("lock");
    server.tools.push(tool("go", async ({ ms }) => {
      await sleep(Number(ms ?? 0));
      return textResult(`by ${process.pid}`);
    }));
    server.start();
  },

  /** Exits with 0 as soon as the client says that it is initialized. */
  "exit-after-start"(): void {
    const server = new RawServer("exit-after-start");
    server.handlers.set("notifications/initialized", () => process.exit(0));
    server.start();
  },

  /** Exits with 3 as soon as it has listed its tools. */
  "crash-after-list"(): void {
    const server = new RawServer("crash-after-list");
    const send = server.send.bind(server);
    server.send = (message) => {
      send(message);
      const result = message["result"] as { readonly tools?: unknown } | undefined;
      if (result?.tools !== undefined) setImmediate(() => process.exit(3));
    };
    server.start();
  },

  /** Tells its process id by the tool `pid`. */
  pid(): void {
    const server = new RawServer("pid");
    server.tools.push(tool("pid", () => textResult(String(process.pid))));
    server.start();
  },
};
