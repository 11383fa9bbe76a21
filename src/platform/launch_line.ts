import { win32 } from "node:path";

import { HotplugError } from "../model/errors.ts";

/** What the system is given to start a program. */
export interface LaunchLine {
  /** The program to start. */
  readonly file: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** `true`: the arguments are joined with spaces as they are, without quoting them (Windows). */
  readonly verbatim: boolean;
}

/** What {@linkcode launchLine} goes by. */
export interface LaunchLineOptions {
  /** Operating system, in Node's names. */
  readonly platform: string;
  /** Absolute path of Windows' command interpreter; used for batch files alone. */
  readonly interpreter: string;
}

/**
 * How a program is started with arguments. Only Windows needs more than the two: batch files, such
 * as `npx.cmd`, are run by the command interpreter, whose rules of quoting are its own.
 *
 * @param program Absolute path of the program.
 * @throws {HotplugError} `config-invalid` when an argument of a batch file holds a line break or a
 * zero character, which the interpreter cannot be given.
 */
export function launchLine(
  program: string,
  args: readonly string[],
  options: LaunchLineOptions,
): LaunchLine {
  const plain = { file: program, args, verbatim: false };
  if (options.platform !== "win32") return plain;
  if (/\.(?:bat|cmd)$/i.test(program)) {
    const line = [program, ...args].map((word) => batchWord(word, program)).join(" ");
    // /d: no start-up commands from the registry; /e:on /v:off: the rules that the quoting below
    // counts on; /s: take off the outer pair of quotes and nothing else.
    return {
      file: options.interpreter,
      args: ["/d", "/e:on", "/v:off", "/s", "/c", `"${line}"`],
      verbatim: true,
    };
  }
  return interpreterLine(program, args) ?? plain;
}

/** The end of a process and all that it started, on Windows, which knows no process groups. */
export function taskKillLine(pid: number, systemRoot: string | undefined): LaunchLine {
  const root = systemRoot !== undefined && win32.isAbsolute(systemRoot)
    ? systemRoot
    : "C:\\Windows";
  const file = win32.join(root, "System32", "taskkill.exe");
  return { file, args: ["/PID", String(pid), "/T", "/F"], verbatim: false };
}

/** Windows' command interpreter, as its environment names it. */
export function commandInterpreter(env: Readonly<Record<string, string | undefined>>): string {
  const key = Object.keys(env).find((key) => key.toUpperCase() === "COMSPEC");
  const named = key === undefined ? undefined : env[key];
  return named !== undefined && win32.isAbsolute(named) ? named : "C:\\Windows\\System32\\cmd.exe";
}

/**
 * One word of a batch file's command line. Quotes are always put, so that `& | < > ^ ( )` and
 * spaces stand for themselves, also when the batch file passes its arguments on. A quote inside is
 * doubled, which keeps the interpreter inside the quotes and is one quote to the program. A percent
 * sign is followed by a variable that is cut to nothing, so that no name stands between two of them.
 */
function batchWord(word: string, program: string): string {
  if (/[\r\n\0]/.test(word)) {
    throw new HotplugError(
      "config-invalid",
      `Cannot start "${program}": an argument of a batch file holds a line break`,
      { hint: "Name the program behind the batch file as the command" },
    );
  }
  const inside = word
    .replace(/(\\*)"/g, '$1$1""')
    .replace(/(\\+)$/, "$1$1")
    .replaceAll("%", "%%cd:~,%");
  return `"${inside}"`;
}

/**
 * The command interpreter named as the program itself, with a command in several words. It takes
 * off the first and the last quote of them all, so they get a pair around them. Words without
 * spaces stay bare: here `&&` and `%PATH%` are meant. `null` when there is nothing to mend.
 */
function interpreterLine(program: string, args: readonly string[]): LaunchLine | null {
  if (!/^cmd(?:\.exe)?$/i.test(win32.basename(program))) return null;
  const at = args.findIndex((arg) => /^\/[ck]$/i.test(arg));
  const command = args.slice(at + 1);
  const flags = args.slice(0, at + 1);
  const strips = flags.some((flag) => /^\/s$/i.test(flag));
  if (at < 0 || command.length === 0 || (command.length === 1 && !strips)) return null;
  const line = command.length === 1 ? command[0] ?? "" : command.map(interpreterWord).join(" ");
  const allFlags = strips ? flags : [...flags.slice(0, -1), "/s", ...flags.slice(-1)];
  return { file: program, args: [...allFlags, `"${line}"`], verbatim: true };
}

/** A word of such a command: quoted where it holds spaces, as programs read it back. */
function interpreterWord(word: string): string {
  if (word !== "" && !/[\s"]/.test(word)) return word;
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}
