// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- JSDoc has them
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, resolve } from "node:path";
import process from "node:process";
import { Child } from "./child.mjs";
import { PROGRAM } from "./installation.mjs";
import { unlessAborted, within } from "./waiting.mjs";

/** Longest time that a program may take to tell its version, in milliseconds. */
const VERSION_MS = 10_000;

/** Most characters of such an answer that are read. */
const LONGEST_VERSION = 65_536;

/**
 * Where a program is started, and with which environment.
 *
 * @typedef {object} Surroundings
 * @property {string} cwd
 * @property {Readonly<Record<string, string | undefined>>} env
 */

/**
 * The command line that starts Hotplug: the one that is asked for, else the one that wrote this
 * file, else `hotplug` or `mcp` on PATH. Another program of that name is never taken.
 *
 * @param {readonly string[] | undefined} program The only one that may be taken.
 * @param {Surroundings} surroundings
 * @param {AbortSignal} signal
 * @returns {Promise<readonly [string, ...string[]]>}
 */
export async function findProgram(program, surroundings, signal) {
  const candidates = program === undefined ? [PROGRAM, ["hotplug"], ["mcp"]] : [program];
  /** @type {string[]} */
  const refused = [];
  for (const [name, ...args] of candidates) {
    if (name === undefined) continue;
    const files = filesOf(name, surroundings);
    if (files.length === 0) refused.push(`"${name}" is not there`);
    for (const file of files) {
      const reason = await whyNotHotplug([file, ...args], surroundings, signal);
      if (reason === null) return [file, ...args];
      refused.push(`"${file}" ${reason}`);
    }
  }
  const hint = program === undefined
    ? `install Hotplug, or write this file anew with "mcp hooks install"`
    : `check the option "program"`;
  throw Object.assign(new Error(`Cannot find Hotplug: ${refused.join("; ")} (${hint})`), {
    code: "program-not-found",
  });
}

/**
 * The files that a program's name may mean. A bare name is looked for in the absolute folders of
 * PATH alone, so that the current folder cannot slip in a program of its own.
 *
 * @param {string} name
 * @param {Surroundings} surroundings
 * @returns {readonly string[]}
 */
function filesOf(name, { cwd, env }) {
  const endings = process.platform === "win32" ? ["", ".exe", ".cmd", ".bat"] : [""];
  const path = env["PATH"] ?? env["Path"] ?? "";
  const folders = /[\\/]/.test(name) ? [cwd] : path.split(delimiter).filter((at) => isAbsolute(at));
  const files = folders.flatMap((folder) =>
    endings.map((ending) => resolve(folder, `${name}${ending}`))
  );
  return [...new Set(files)].filter((file) => isProgram(file));
}

/**
 * @param {string} file
 * @returns {boolean}
 */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Why a program cannot be taken; `null` when it says that it is Hotplug.
 *
 * @param {readonly [string, ...string[]]} command
 * @param {Surroundings} surroundings
 * @param {AbortSignal} signal
 * @returns {Promise<string | null>}
 */
async function whyNotHotplug(command, surroundings, signal) {
  let text = "";
  const child = new Child([...command, "--version", "--json"], {
    ...surroundings,
    onLine(line) {
      if (text.length < LONGEST_VERSION) text += `${line}\n`;
    },
  });
  try {
    child.endInput();
    const end = await unlessAborted(within(child.ended, VERSION_MS), signal);
    if (end === null) return `does not answer to "--version --json"`;
    return isHotplug(text) ? null : `is another program (it ${end})`;
  } finally {
    child.kill("was ended");
  }
}

/**
 * @param {string} text
 * @returns {boolean}
 */
function isHotplug(text) {
  try {
    return JSON.parse(text)?.name === "hotplug";
  } catch {
    return false;
  }
}
