import type { ServerConfig } from "../model/definition.ts";
import { programName } from "./program_name.ts";
import { scriptCommands } from "./script_commands.ts";
import { operandAt, unwrapped } from "./wrapped_command.ts";

/** How the running program was started. */
export interface OwnProgram {
  /** The executable: the program itself, or what runs its script. */
  readonly executable: string;
  /** The script; `null` when there is none. */
  readonly script: string | null;
}

/** Names that the program is installed under. */
const OWN_NAMES: ReadonlySet<string> = new Set(["mcp", "hotplug"]);

/** The package's name, as launchers such as `npx` are told it. */
const OWN_PACKAGE = "@hotplug/mcp";

/** Folders in which a program called `mcp` is Python's. */
const PYTHON_FOLDER =
  /[\\/](?:\.?venv|\.?virtualenvs?|site-packages|pipx|uv[\\/]tools|(?:ana|mini)?conda\d?)[\\/]/i;

/** A program that runs a script or a package. */
interface Runner {
  /** Words of which one comes before it; an empty one stands for none. */
  readonly words: readonly string[];
  /** Options that a value follows. */
  readonly valued: ReadonlySet<string>;
  /** Options whose value is the package, so that its program comes as a word of its own. */
  readonly named: ReadonlySet<string>;
}

function runner(words: readonly string[], valued = "", named = ""): Runner {
  const list = (text: string): readonly string[] => text.split(" ");
  return {
    words,
    valued: new Set([...list(valued), ...list(named)]),
    named: new Set(list(named)),
  };
}

const NPM_VALUES =
  "-c --call -w --workspace --registry --cache --prefix --userconfig --loglevel -C --dir";
const NPM_NAMED = "-p --package";

const RUNNERS: ReadonlyMap<string, Runner> = new Map(Object.entries({
  deno: runner(
    ["run", "x", ""],
    "-c --config --import-map --lock --cert --location --seed -L --log-level --preload --ext",
  ),
  node: runner(
    [""],
    "--import -r --require --loader --experimental-loader --env-file -C --conditions --title",
  ),
  bun: runner(["run", "x", ""], "--cwd --env-file -r --preload -c --config", NPM_NAMED),
  tsx: runner([""], "--tsconfig --import -r --require --env-file"),
  npx: runner([""], NPM_VALUES, NPM_NAMED),
  bunx: runner([""], "", NPM_NAMED),
  pnpx: runner([""], NPM_VALUES, NPM_NAMED),
  npm: runner(["exec", "x"], NPM_VALUES, NPM_NAMED),
  pnpm: runner(["dlx", "exec"], NPM_VALUES, NPM_NAMED),
  yarn: runner(["dlx", "exec"], "", NPM_NAMED),
}));

/**
 * Whether a definition starts this program's gateway, through whatever wraps it: by the program's
 * name, its package, or the script and the executable that run here. What is not sure is not told:
 * a loop that starts is found while it runs. Pure.
 *
 * @param own How this program was started; `null` when it is not known.
 */
export function startsOwnGateway(
  { command, args = [] }: Pick<ServerConfig, "command" | "args">,
  own: OwnProgram | null,
): boolean {
  if (command === undefined) return false;
  return unwrapped([command, ...args]).some((line) => isGateway(line, own));
}

function isGateway(line: readonly string[], own: OwnProgram | null): boolean {
  const [command = "", ...args] = line;
  const name = programName(command).toLowerCase();
  if (isOwnName(command)) return serves(args);
  const found = RUNNERS.get(name);
  if (found === undefined) return command === own?.executable && serves(args);
  const first = operandAt(args, found.valued);
  const isWord = first < args.length && found.words.includes(args[first] ?? "");
  if (!isWord && !found.words.includes("")) return false;
  const words = args.slice(isWord ? first + 1 : 0);
  const at = operandAt(words, found.valued);
  const options = [...(isWord ? args.slice(0, first) : []), ...words.slice(0, at)];
  const script = callScript(name, options);
  if (script !== null) return scriptCommands(script).some((inner) => isGateway(inner, own));
  const target = words[at] ?? "";
  const rest = words.slice(at + 1);
  if (isOwnPackage(target) || isOwnScript(target, own)) return serves(rest);
  if (namesOwnPackage(options, found.named)) return isOwnName(target) && serves(rest);
  // A launcher may run a runtime, as in `npx deno run …`.
  return RUNNERS.has(target) && isGateway([target, ...rest], own);
}

/** The script of `npx -c`, which a shell runs; `null` for other ways to run something. */
function callScript(name: string, options: readonly string[]): string | null {
  if (name !== "npx" && name !== "npm") return null;
  const at = options.findIndex((word) => word === "-c" || word === "--call");
  return at < 0 ? null : options[at + 1] ?? null;
}

/** Whether options name the package whose program is to run. */
function namesOwnPackage(options: readonly string[], named: ReadonlySet<string>): boolean {
  return options.some((word, index) => {
    const [option = "", ...value] = word.split("=");
    if (!named.has(option)) return false;
    return isOwnPackage(value.length > 0 ? value.join("=") : options[index + 1] ?? "");
  });
}

/** Whether the first word that is no option is `serve`. */
function serves(args: readonly string[]): boolean {
  return args.find((word) => !word.startsWith("-")) === "serve";
}

function isOwnName(command: string): boolean {
  return OWN_NAMES.has(programName(command).toLowerCase()) && !PYTHON_FOLDER.test(command);
}

function isOwnScript(word: string, own: OwnProgram | null): boolean {
  const script = own?.script ?? null;
  return script !== null && (word === script || word === `file://${script}`);
}

/** Whether a word names the package, with or without registry, version and entry. */
function isOwnPackage(word: string): boolean {
  const at = word.indexOf(OWN_PACKAGE);
  return (at === 0 || /^(?:jsr|npm):\/?$/.test(word.slice(0, Math.max(at, 0)))) &&
    /^(?:[@/]|$)/.test(word.slice(at + OWN_PACKAGE.length));
}
