import { shownUrl } from "../definitions/shown_url.ts";
import type { ResolvedConfig } from "../model/definition.ts";
import { HotplugError } from "../model/errors.ts";
import { foreignRemedy, foreignSystem } from "../platform/foreign_path.ts";
import type { ProcessExit } from "../platform/process_group.ts";
import type { ProgramSearch } from "../platform/program.ts";

/** What is said of a server's process in its errors. */
export interface ProcessFacts {
  /** Name of the server. */
  readonly name: string;
  /** What it was started with. */
  readonly config: ResolvedConfig;
  /** Replaces known secrets. */
  readonly mask: (text: string) => string;
}

/** The command line of a server as it may be shown. */
export function shownCommand({ config, mask }: ProcessFacts): string {
  const words = [config.command ?? "", ...config.args ?? []].map((word) =>
    word === "" || /[\s"'$`\\|&;<>()*?#~]/.test(word) ? JSON.stringify(word) : word
  );
  return mask(words.join(" "));
}

/** The program behind a command was not found. */
export function programNotFound(facts: ProcessFacts, search: ProgramSearch): HotplugError {
  const { name, config, mask } = facts;
  const command = config.command ?? "";
  if (search.unusable !== undefined) {
    return new HotplugError(
      "program-not-found",
      `Cannot start "${name}": "${mask(search.unusable)}" may not be executed`,
      { hint: "Make the file executable, or name another program as its command" },
    );
  }
  const words = command.trim().split(/\s+/);
  const { searched } = search;
  // A command with a separator was looked for at a path, which tells the system.
  const foreign = foreignSystem(command, searched.some((path) => /^(?:[a-z]:|\\)/i.test(path)));
  const isLine = foreign === null && words.length > 1 && (config.args ?? []).length === 0;
  // The whole list is for those who ask: `--verbose` and `--json` show causes.
  const cause = new Error(`It is not in: ${mask(searched.join(", "))}`);
  return new HotplugError(
    "program-not-found",
    `Cannot start "${name}": program "${mask(command)}" not found`,
    {
      hint: isLine
        ? mask(
          `Put the program alone into command and the rest into args: ` +
            `"command": ${JSON.stringify(words[0])}, "args": ${JSON.stringify(words.slice(1))}`,
        )
        : foreign === null
        ? mask(programHint(command, searched))
        : foreignRemedy(foreign),
      ...(searched.length > 0 ? { cause } : {}),
      details: { searched },
    },
  );
}

/** How many folders of `PATH` a hint names. */
const FOLDERS_NAMED = 3;

/** Folders of programs that every `PATH` of a Unix user has; a short one comes from a desktop. */
const USUAL_FOLDERS: readonly string[] = ["/usr/local/bin", "/usr/bin", "/bin"];

/** What to do about a program that is not where it was looked for. */
function programHint(command: string, searched: readonly string[]): string {
  if (/[\\/]/.test(command)) {
    return `Check the path: there is no program "${searched[0] ?? command}"`;
  }
  const install = "Install it, or give its absolute path as command";
  if (searched.length === 0) return `${install}; PATH names no folder to look in`;
  const named = searched.slice(0, FOLDERS_NAMED).join(", ");
  const more = searched.length - FOLDERS_NAMED;
  const folders = more === 1 ? "folder" : "folders";
  const places = more > 0 ? `${named} and ${more} more ${folders} of PATH` : named;
  const lacking = searched.some((folder) => folder.startsWith("/"))
    ? USUAL_FOLDERS.filter((folder) => !searched.includes(folder))
    : [];
  const short = lacking.length === 0 ? "" : `. PATH lacks ${lacking.join(", ")}, as it does for ` +
    "programs that a desktop or a service starts: a terminal may find it";
  return `${install}; looked in ${places}${short}`;
}

/** The working folder of a server is missing. */
export function missingFolder(name: string, cwd: string): HotplugError {
  return new HotplugError(
    "config-invalid",
    `Cannot start "${name}": its working folder "${cwd}" does not exist`,
    { hint: "Make the folder, or change cwd" },
  );
}

/** How a server's process ended, in words. */
export function exitWords(exit: ProcessExit): string {
  return exit.signal === null
    ? `exited with code ${exit.code ?? "unknown"}`
    : `was ended by ${exit.signal}`;
}

/** A server's process ended by itself, before or after the handshake. */
export function serverExited(
  facts: ProcessFacts,
  exit: ProcessExit,
  stderr: string,
  during: "handshake" | "run",
): HotplugError {
  const { name, config, mask } = facts;
  const shown = mask(stderr);
  const when = during === "handshake" ? `Cannot connect to "${name}"` : `Lost "${name}"`;
  const folder = config.cwd === undefined ? "" : ` in ${mask(config.cwd)}`;
  return new HotplugError(
    "server-exited",
    `${when}: its process ${exitWords(exit)}${reasonIn(shown)}`,
    {
      hint: exitHint(shown) ??
        (during === "handshake" ? `It was started as: ${shownCommand(facts)}${folder}` : null),
      processExitCode: exit.code,
      processSignal: exit.signal,
      stderr: shown,
      details: { command: shownCommand(facts), cwd: config.cwd ?? null, delivered: "unknown" },
    },
  );
}

/** A server did not finish its start in time. */
export function startTimeout(
  facts: ProcessFacts,
  timeout: number,
  stderr: string,
  noise: string | null,
): HotplugError {
  const { name, config, mask } = facts;
  const seconds = Math.round(timeout / 100) / 10;
  const how = config.command === undefined ? "" : `; it was started as: ${shownCommand(facts)}`;
  const from = config.url === undefined ? "" : ` from ${mask(shownUrl(config.url))}`;
  return new HotplugError(
    "start-timeout",
    `Cannot connect to "${name}": no answer to the handshake${from} within ${seconds} s${
      noise === null ? "" : `. ${mask(noise)}`
    }`,
    {
      hint: `A longer time can be set as startupTimeout (milliseconds)${how}`,
      stderr: mask(stderr),
    },
  );
}

/** The line of stderr that says the most, as `: text`; empty when there is none. */
function reasonIn(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const telling =
    lines.findLast((line) => /\b(error|fatal|cannot|missing|required|failed)\b/i.test(line)) ??
      lines.at(-1);
  if (telling === undefined) return "";
  return `: ${telling.length > 200 ? `${telling.slice(0, 200)}…` : telling}`;
}

const HINTS: readonly { readonly pattern: RegExp; readonly hint: string }[] = [
  {
    pattern: /EADDRINUSE|address already in use|AddrInUse/i,
    hint: "Its port is taken; is another copy of it running?",
  },
  {
    pattern:
      /Cannot find module|ERR_MODULE_NOT_FOUND|Module not found|ModuleNotFoundError|No module named/i,
    hint: "A module or file that it starts with is missing; check args and install its packages",
  },
  {
    pattern: /ERR_UNKNOWN_FILE_EXTENSION|Unknown file extension/i,
    hint:
      "This program cannot run the file as it is; for TypeScript take deno, or node 22.18 or newer",
  },
  {
    pattern: /npm (?:ERR!|error) code E404|404 Not Found.*registry|No matching version found/i,
    hint: "The package was not found in the registry; check its name and version",
  },
  {
    pattern: /ENOTFOUND|EAI_AGAIN|network is unreachable|getaddrinfo/i,
    hint: "It needs the network, which could not be reached",
  },
  {
    pattern: /command not found|not found$|No such file or directory/im,
    hint: "Something that it starts was not found; check command, args and PATH",
  },
  { pattern: /EACCES|permission denied/i, hint: "It was refused access to a file" },
];

/** What can be done about common causes that stderr names; `null` for others. */
export function exitHint(stderr: string): string | null {
  return HINTS.find(({ pattern }) => pattern.test(stderr))?.hint ?? null;
}
