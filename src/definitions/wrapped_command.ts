import { programName } from "./program_name.ts";
import { scriptCommands } from "./script_commands.ts";

/** How deep wrappers may stand in each other. */
const MAX_DEPTH = 8;

/** A program that runs what follows its options. */
interface Prefix {
  /** Its options that a value follows. */
  readonly valued: ReadonlySet<string>;
  /** How many words of its own come after them. */
  readonly operands: number;
}

function prefix(valued = "", operands = 0): Prefix {
  return { valued: new Set(valued.split(" ")), operands };
}

const PREFIXES: ReadonlyMap<string, Prefix> = new Map(Object.entries({
  arch: prefix("-arch -e -d"),
  busybox: prefix(),
  call: prefix(),
  caffeinate: prefix("-t -w"),
  chronic: prefix(),
  command: prefix(),
  doas: prefix("-u -C -a"),
  env: prefix("-u --unset -C --chdir"),
  exec: prefix("-a"),
  ionice: prefix("-c --class -n --classdata"),
  nice: prefix("-n --adjustment"),
  nohup: prefix(),
  setsid: prefix(),
  stdbuf: prefix("-i --input -o --output -e --error"),
  sudo: prefix(
    "-u --user -g --group -h --host -p --prompt -C --close-from -D --chdir -R --chroot -r --role " +
      "-t --type -T --command-timeout -U --other-user",
  ),
  time: prefix("-f --format -o --output"),
  timeout: prefix("-s --signal -k --kill-after", 1),
  unbuffer: prefix(),
  winpty: prefix(),
}));

/** Programs that run what follows `--`, on this machine and with its usual programs. */
const RUNNERS: ReadonlySet<string> = new Set(
  ("asdf aws-vault chamber dbus-run-session devbox direnv doppler dotenv dotenvx envchain firejail " +
    "fnm infisical mise nix op pixi rtx sops systemd-run teller varlock volta").split(" "),
);

const UNIX_SHELLS: ReadonlySet<string> = new Set("sh bash dash zsh ksh ash fish".split(" "));

/** Options of such a shell that a value follows. */
const SHELL_VALUES: ReadonlySet<string> = new Set(
  "-o +o -O +O --rcfile --init-file".split(" "),
);

/** Words of a shell's language before a command. */
const KEYWORDS: ReadonlySet<string> = new Set("{ ! if then else do while until".split(" "));

/**
 * The command lines that a command line comes down to, without what only wraps them: shells with a
 * script in their arguments, `env`, `nohup`, `sudo` and the like, runners with `--`. One that wraps
 * nothing is given as it is. Pure.
 *
 * Not seen through are scripts in files, variables, encoded scripts, containers and other machines.
 */
export function unwrapped(
  words: readonly string[],
  depth = 0,
): readonly (readonly string[])[] {
  const [program = "", ...args] = words;
  const inner = depth < MAX_DEPTH ? wrappedIn(programName(program).toLowerCase(), args) : null;
  return inner === null ? [words] : inner.flatMap((line) => unwrapped(line, depth + 1));
}

/** The place of the first word that is no option; that of no word when there is none. */
export function operandAt(words: readonly string[], valued: ReadonlySet<string>): number {
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? "";
    if (word === "--") return at + 1;
    if (!/^-./.test(word)) return at;
    at += valued.has(word) ? 2 : 1;
  }
  return at;
}

/** What a program runs that its arguments name; `null` for a program that is no wrapper. */
function wrappedIn(
  program: string,
  args: readonly string[],
): readonly (readonly string[])[] | null {
  if (UNIX_SHELLS.has(program)) return ofUnixShell(args);
  if (program === "cmd") return ofCmd(args);
  if (program === "powershell" || program === "pwsh") return ofPowerShell(args);
  if (program === "start") return [args.slice(args.findIndex((word) => !/^\/[a-z]+$/i.test(word)))];
  if (RUNNERS.has(program)) {
    const at = args.indexOf("--");
    return at < 0 ? null : [args.slice(at + 1)];
  }
  const found = PREFIXES.get(program);
  if (found === undefined) return null;
  const split = program === "env" ? splitByEnv(args) : null;
  return split ?? [withoutAssignments(args.slice(operandAt(args, found.valued) + found.operands))];
}

/** `env -S 'A=b program argument'`, which splits a text into words. */
function splitByEnv(args: readonly string[]): readonly (readonly string[])[] | null {
  for (const [index, word] of args.entries()) {
    if (!word.startsWith("-")) return null;
    const [, short] = /^-[iv0]*S(.*)$/s.exec(word) ?? [];
    const [, long] = /^--split-string=(.*)$/s.exec(word) ?? [];
    const isNext = short === "" || word === "--split-string";
    const text = isNext ? args[index + 1] : short ?? long;
    if (text === undefined) continue;
    const [line = []] = scriptCommands(text);
    return [withoutAssignments([...line, ...args.slice(index + (isNext ? 2 : 1))])];
  }
  return null;
}

function ofUnixShell(args: readonly string[]): readonly (readonly string[])[] | null {
  let at = 0;
  let takesScript = false;
  while (/^[-+]./.test(args[at] ?? "")) {
    const word = args[at] ?? "";
    if (/^-[a-z]*c[a-z]*$/i.test(word) || word === "--command") takesScript = true;
    at += SHELL_VALUES.has(word) ? 2 : 1;
  }
  const script = args[at];
  return takesScript && script !== undefined ? commandsOf(script, "\\") : null;
}

function ofCmd(args: readonly string[]): readonly (readonly string[])[] | null {
  const at = args.findIndex((word) => /^\/[ckr]$/i.test(word));
  if (at < 0 || args.slice(0, at).some((word) => !word.startsWith("/"))) return null;
  const [only = "", ...more] = args.slice(at + 1);
  return more.length === 0 ? commandsOf(only, "^") : ofWords([only, ...more]);
}

/** What a shell makes of words that it has been given one by one. */
function ofWords(words: readonly string[]): readonly (readonly string[])[] {
  const end = words.findIndex((word) => /^(?:&&?|\|\|?)$/.test(word));
  if (end < 0) return [words];
  return [words.slice(0, end), ...ofWords(words.slice(end + 1))];
}

/** Options of PowerShell that a value follows, by their beginnings. */
const POWERSHELL_VALUES = /^-(?:ex|ep|wo|wd|w|in|ou|o|v|co[nm]figurationname|settings)/i;

function ofPowerShell(args: readonly string[]): readonly (readonly string[])[] | null {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (/^-(?:c|com\w*)$/i.test(word)) return commandsOf(args.slice(at + 1).join(" "), "`");
    if (/^-(?:f|file|e|ec|enc\w*)$/i.test(word)) return null;
    if (!word.startsWith("-")) return commandsOf(args.slice(at).join(" "), "`");
    if (POWERSHELL_VALUES.test(word)) at++;
  }
  return null;
}

function commandsOf(script: string, escape: string): readonly (readonly string[])[] {
  return scriptCommands(script, escape).map((words) => {
    const at = words.findIndex((word) => !KEYWORDS.has(word));
    return withoutAssignments(at < 0 ? [] : words.slice(at));
  });
}

/** A command without the variables that are set for it. */
function withoutAssignments(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  return at < 0 ? [] : words.slice(at);
}
