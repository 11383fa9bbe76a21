import { programName } from "../definitions/program_name.ts";
import { launchedBy, withoutVersion } from "./policy_launchers.ts";
import { looselyMatches, pathMatches, wildcardMatches } from "./policy_wildcard.ts";

/** What the disk says about programs. */
export interface ProgramLooks {
  /** Whether paths have drives and backslashes, and upper and lower case are one. */
  readonly windows: boolean;
  /** Absolute path of what a bare name means on the user's own `PATH`; `null` when nothing is. */
  onPath(name: string): string | null;
  /** A path without links. */
  realPath(path: string): string;
}

/** A command line that a rule is held against. */
export interface CommandLine {
  /** Program and arguments, placeholders replaced. */
  readonly argv: readonly string[];
  /** Absolute path of the program that would start; `null` when none was found or looked for. */
  readonly program: string | null;
}

/**
 * Whether a rule denies a command line. The rule's words are a prefix of it, each with wildcards,
 * in whatever case. A bare first word means every program of that name, wherever it lies and
 * whatever link leads to it; the versions of packages do not count unless the rule names one. What
 * launchers and shells would run counts too, as far as {@linkcode launchedBy} sees it.
 */
export function commandDenied(
  rule: readonly string[],
  line: CommandLine,
  looks: ProgramLooks | null,
): boolean {
  const { argv, program } = line;
  const [head = ""] = argv;
  const real = program === null || looks === null ? null : looks.realPath(program);
  const programs = [...new Set([head, program, real])].filter((path) => path !== null);
  return lineDenied(rule, argv, programs, looks) ||
    programs.some((launcher) =>
      launchedBy([launcher, ...argv.slice(1)], rule.length).some((words) => {
        const [first = ""] = words;
        return lineDenied(rule, words, [first, withoutVersion(first)], looks);
      })
    );
}

function lineDenied(
  rule: readonly string[],
  argv: readonly string[],
  programs: readonly string[],
  looks: ProgramLooks | null,
): boolean {
  const [first = "", ...rest] = rule;
  const words = rest.at(-1) === "*" ? rest.slice(0, -1) : rest;
  return programs.some((program) => programDenied(first, program, looks)) &&
    words.every((word, index) => {
      const argument = argv[index + 1];
      return argument !== undefined &&
        (looselyMatches(word, argument) || looselyMatches(word, withoutVersion(argument)));
    });
}

function programDenied(word: string, program: string, looks: ProgramLooks | null): boolean {
  if (!isPath(word)) return looselyMatches(programName(word), programName(program));
  const isOne = /^(?:[a-z]:)?[/\\]/i.test(word) && !word.includes("*");
  const real = looks === null || !isOne ? word : looks.realPath(word);
  return [word, real].some((path) => looselyMatches(slashed(path), slashed(program)));
}

/**
 * Whether a rule allows a command line: its words must fit the whole of it, one by one; a final
 * word `*` stands for any further ones, and alone for every command. A bare first word means the
 * program of that name on the user's own `PATH` and no other, a path the program at that path.
 *
 * A rule says nothing of variables and folders: whoever may write a definition can often make an
 * allowed program do something else by them (`NODE_OPTIONS`, a `PATH` that the program itself
 * uses, a package in the working folder).
 *
 * @param looks `null` when the program has not been looked for yet: its name is enough then.
 */
export function commandAllowed(
  rule: readonly string[],
  line: CommandLine,
  looks: ProgramLooks | null,
): boolean {
  const [first = "", ...words] = rule;
  if (first === "*" && words.length === 0) return true;
  const args = line.argv.slice(1);
  const isOpen = words.at(-1) === "*";
  const named = isOpen ? words.slice(0, -1) : words;
  if (isOpen ? args.length < named.length : args.length !== named.length) return false;
  if (!named.every((word, index) => wildcardMatches(word, args[index] ?? ""))) return false;
  return programAllowed(first, line, looks);
}

function programAllowed(word: string, line: CommandLine, looks: ProgramLooks | null): boolean {
  const { argv: [head = ""], program } = line;
  if (isPath(word)) {
    if (looks === null) return true;
    if (program === null) return false;
    return looks.windows
      ? pathMatches(slashed(word).toLowerCase(), slashed(program).toLowerCase())
      : pathMatches(word, program);
  }
  const windows = looks?.windows ?? true;
  const name = windows ? slashed(head).split("/").at(-1) ?? "" : head.split("/").at(-1) ?? "";
  const fits = windows
    ? looselyMatches(programName(word), programName(name))
    : wildcardMatches(word, name);
  if (!fits || looks === null) return fits;
  const usual = looks.onPath(name);
  // What is not there cannot start; whoever starts it says so better than a rule.
  if (program === null || usual === null) return program === usual && !isPath(head);
  return placeOf(program, looks) === placeOf(usual, looks);
}

/**
 * Where a program lies. Links of its folder are followed and its own are not: a link to an
 * interpreter in another folder makes it read that folder's settings.
 */
function placeOf(path: string, looks: ProgramLooks): string {
  const text = slashed(path);
  const end = text.lastIndexOf("/") + 1;
  const place = `${slashed(looks.realPath(path.slice(0, end)))}/${text.slice(end)}`;
  return looks.windows ? place.toLowerCase() : place;
}

/** Whether a word names a place and not just a program. */
function isPath(word: string): boolean {
  return /[/\\]/.test(word);
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
