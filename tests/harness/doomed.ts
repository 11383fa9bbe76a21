import assert from "node:assert/strict";
import { processesOfHome } from "./living_processes.ts";
import { program } from "./run_cli.ts";
import { fromRepository } from "./repository.ts";
import type { TempHome } from "./temp_home.ts";

/** A program that a test starts to see how it dies and what it leaves. */
export interface Doomed {
  /** Everything that it has printed. */
  readonly output: () => string;
  /** How it ended. The code of one that a signal ended is 128 and the signal's number. */
  readonly ended: Promise<{ readonly code: number; readonly signal: Deno.Signal | null }>;
  /** Waits until a text is printed; fails when the program ends before, or after 20 s. */
  readonly says: (text: string) => Promise<void>;
  /** Sends it a signal; for a program in a terminal, to what holds the terminal. */
  readonly send: (signal: Deno.Signal) => void;
}

/** How {@linkcode startDoomed} starts. */
export interface DoomedOptions {
  /** Whether in a terminal of its own, as its first program: `script` holds the other end. */
  readonly terminal?: boolean;
}

/** Command of `mcp` and its arguments, for {@linkcode startDoomed}. */
export function mcpLine(...args: readonly string[]): readonly string[] {
  return [...program(), ...args];
}

/** Command of the host `tests/e2e/programs/dies.ts`, for {@linkcode startDoomed}. */
export function hostLine(ending: string, ...flags: readonly string[]): readonly string[] {
  const config = fromRepository("deno.json");
  const run = ["run", "--quiet", "--no-check", "--allow-all", "--config", config, ...flags];
  return [Deno.execPath(), ...run, fromRepository("tests/e2e/programs/dies.ts"), ending];
}

/** Starts a program in the project folder of a home. */
export function startDoomed(
  line: readonly string[],
  home: TempHome,
  { terminal = false }: DoomedOptions = {},
): Doomed {
  const words = line.map((word) => `'${word}'`).join(" ");
  const [command = "", ...args] = terminal
    ? ["script", "--quiet", "--return", "--flush", "--command", `exec ${words}`, "/dev/null"]
    : ["/bin/sh", "-c", `ulimit -c 0; exec ${words} 2>&1`];
  const child = new Deno.Command(command, {
    args,
    cwd: home.project,
    clearEnv: true,
    env: { ...home.env },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let text = "";
  let over = false;
  const waiting = new Set<() => void>();
  const tell = (): void => waiting.forEach((look) => look());
  const read = (async (): Promise<void> => {
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      text += piece;
      tell();
    }
  })();
  const ended = child.status.then(async ({ code, signal }) => {
    await read;
    over = true;
    tell();
    return { code, signal };
  });
  return {
    output: () => text,
    ended,
    says: (wanted) =>
      new Promise((resolve, reject) => {
        const finish = (settle: () => void): void => {
          clearTimeout(timer);
          waiting.delete(look);
          settle();
        };
        const failed = (why: string) => (): void =>
          reject(new Error(`${why} before it said "${wanted}":\n${text}`));
        const look = (): void => {
          if (text.includes(wanted)) finish(resolve);
          else if (over) finish(failed("It ended"));
        };
        const timer = setTimeout(() => finish(failed("20 s went by")), 20_000);
        waiting.add(look);
        look();
      }),
    send(signal): void {
      try {
        child.kill(signal);
      } catch {
        // It has ended.
      }
    },
  };
}

/** Waits until each of these words is in the command line of some process of a home; 20 s. */
export async function appear(home: TempHome, ...words: readonly string[]): Promise<void> {
  await until(home, (lines) => words.every((word) => lines.some((line) => line.includes(word))));
}

/**
 * Waits until every process of a home has one of these words in its command line, as its others
 * have ended; 20 s.
 */
export async function onlyRemain(home: TempHome, ...words: readonly string[]): Promise<void> {
  await until(home, (lines) => lines.every((line) => words.some((word) => line.includes(word))));
}

async function until(
  { home }: TempHome,
  holds: (lines: readonly string[]) => boolean,
): Promise<void> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const lines = (await processesOfHome(home)).map(({ commandLine }) => commandLine);
    if (holds(lines)) return;
    assert.ok(performance.now() < deadline, `these run:\n${lines.join("\n")}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
