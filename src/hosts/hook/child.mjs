// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- JSDoc has them
import { Buffer } from "node:buffer";
import { spawn, spawnSync } from "node:child_process";
import process from "node:process";
import { messageOf, within } from "./waiting.mjs";

/** Longest line that is read, in bytes. */
const LONGEST_LINE = 72 * 1024 * 1024;

/** Characters of stderr that are kept for messages. */
const STDERR_TAIL = 1_000;

/** Milliseconds in which a program that has ended, or closed its output, may still say something. */
const LAST_WORDS_MS = 250;

/** Milliseconds after the end of its input, and after each signal, in which a program may end. */
const END_STEPS = /** @type {const} */ ([
  [null, 3_000],
  ["SIGTERM", 1_000],
  ["SIGKILL", 500],
]);

/** A running program that is read line by line. */
export class Child {
  /** Why no more lines will come; settles once and never rejects. */
  ended = /** @type {Promise<string>} */ (Promise.resolve(""));
  #child = /** @type {import("node:child_process").ChildProcessWithoutNullStreams | null} */ (null);
  /** @type {() => void} */
  #hasExited = () => {};
  #exited = new Promise((/** @type {(value: true) => void} */ resolve) => {
    this.#hasExited = () => resolve(true);
  });
  #runs = false;
  /** @type {(reason: string) => void} */
  #finish = () => {};
  /** @type {Promise<void> | null} */
  #ending = null;
  /** @type {Buffer[]} */
  #pieces = [];
  #size = 0;
  #onLine;
  #stderr = "";

  /**
   * Starts the program. A failing start is told by `ended`, not thrown.
   *
   * @param {readonly [string, ...string[]]} command Absolute path of the program, and arguments.
   * @param {object} options
   * @param {string} options.cwd
   * @param {Readonly<Record<string, string | undefined>>} options.env The whole environment.
   * @param {(line: string) => void} options.onLine
   */
  constructor(command, { cwd, env, onLine }) {
    this.#onLine = onLine;
    this.ended = new Promise((resolve) => this.#finish = resolve);
    const { file, args, verbatim } = launch(command);
    try {
      this.#child = spawn(file, args, {
        cwd,
        env,
        stdio: ["pipe", "pipe", "pipe"],
        // A group of its own: Ctrl+C reaches the host alone, and wrappers end together with it.
        detached: process.platform !== "win32",
        windowsHide: true,
        windowsVerbatimArguments: verbatim,
      });
    } catch (error) {
      this.#hasExited();
      this.#finish(`cannot be started: ${messageOf(error)}`);
      return;
    }
    this.#runs = this.#child.pid !== undefined;
    this.#listen(this.#child);
  }

  /** Process id; `null` when it does not run. */
  get pid() {
    return this.#runs ? this.#child?.pid ?? null : null;
  }

  /** The end of what it wrote to stderr. */
  get lastWords() {
    return this.#stderr.trim();
  }

  /**
   * @param {string} text
   */
  write(text) {
    const input = this.#child?.stdin;
    if (input?.writable) input.write(text);
  }

  /** Lets the program end by itself: it gets no more input. */
  endInput() {
    this.#child?.stdin.end();
  }

  /**
   * Ends the program at once, so that `ended` tells this reason.
   *
   * @param {string} reason
   */
  kill(reason) {
    this.#lost(reason);
  }

  /**
   * Ends the program: its input ends, then SIGTERM, then SIGKILL. Takes 4.5 s at most and never
   * rejects; later calls wait for the first.
   *
   * @returns {Promise<void>}
   */
  end() {
    this.#ending ??= (async () => {
      this.endInput();
      for (const [signal, ms] of END_STEPS) {
        if (signal !== null) this.#signal(signal);
        if (await within(this.#exited, ms) !== null) break;
      }
      this.#lost("was ended");
    })();
    return this.#ending;
  }

  /**
   * @param {import("node:child_process").ChildProcessWithoutNullStreams} child
   */
  #listen(child) {
    const { stdin, stdout, stderr } = child;
    // Failing pipes are seen by the end of the program.
    for (const stream of [stdin, stdout, stderr]) stream.on("error", () => {});
    stdout.on("data", (/** @type {Buffer} */ piece) => this.#read(piece));
    stderr.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL);
    });
    const outputEnded = new Promise((resolve) =>
      stdout.once("close", resolve).once("end", resolve)
    );
    child.once("error", (error) => {
      if (!this.#runs) this.#hasExited();
      this.#lost(`cannot be started: ${error.message}`);
    });
    child.once("exit", async (code, signal) => {
      this.#runs = false;
      this.#hasExited();
      // Its last lines may still be on their way, and what it started may hold the pipe for ever.
      await within(outputEnded, LAST_WORDS_MS);
      this.#lost(signal === null ? `ended with status ${code}` : `was ended by ${signal}`);
    });
    outputEnded.then(async () => {
      if (await within(this.#exited, LAST_WORDS_MS) === null) this.#lost("closed its output");
    });
  }

  /**
   * @param {Buffer} piece
   */
  #read(piece) {
    let start = 0;
    for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, start)) {
      this.#pieces.push(piece.subarray(start, end));
      const line = Buffer.concat(this.#pieces).toString("utf8");
      this.#pieces = [];
      this.#size = 0;
      start = end + 1;
      this.#onLine(line);
    }
    const rest = piece.subarray(start);
    this.#size += rest.length;
    if (this.#size > LONGEST_LINE) this.#lost("sent a line without an end");
    else this.#pieces.push(rest);
  }

  /**
   * No more lines will come, for this reason. Nothing of the program may live on.
   *
   * @param {string} reason
   */
  #lost(reason) {
    this.#finish(reason);
    this.#signal("SIGKILL");
    this.#onLine = () => {};
    this.#pieces = [];
    const child = this.#child;
    if (child === null) return;
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  }

  /**
   * By process id and not through the child object, which under Deno sends one signal only.
   *
   * @param {"SIGTERM" | "SIGKILL"} signal
   */
  #signal(signal) {
    const pid = this.pid;
    if (pid === null) return;
    try {
      if (process.platform !== "win32") process.kill(-pid, signal);
      else spawnSync("taskkill", ["/pid", `${pid}`, "/T", "/F"], { windowsHide: true });
    } catch {
      // It has just ended.
    }
  }
}

/**
 * How a program is started here: Windows runs batch files through its command interpreter only.
 *
 * @param {readonly [string, ...string[]]} command
 * @returns {{ file: string, args: readonly string[], verbatim: boolean }}
 */
function launch([file, ...args]) {
  if (process.platform !== "win32" || !/\.(?:cmd|bat)$/i.test(file)) {
    return { file, args, verbatim: false };
  }
  const line = [file, ...args].map((word) => `"${word}"`).join(" ");
  const interpreter = process.env["ComSpec"] ?? "cmd.exe";
  return { file: interpreter, args: ["/d", "/s", "/c", `"${line}"`], verbatim: true };
}
