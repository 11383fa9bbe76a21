import { dirname } from "node:path";
import { shownName } from "../model/remedies.ts";
import { foreignRemedy } from "../platform/foreign_path.ts";
import { type Finding, placeOfDefinition } from "./finding.ts";
import type { ProgramFacts, Subject } from "./subject.ts";

/** What brings each well-known program. */
const PACKAGES: Readonly<Record<string, string>> = {
  node: "Node.js (https://nodejs.org)",
  npx: "Node.js (https://nodejs.org), which brings npx",
  npm: "Node.js (https://nodejs.org), which brings npm",
  uv: "uv (https://docs.astral.sh/uv)",
  uvx: "uv (https://docs.astral.sh/uv), which brings uvx",
  python: "Python (https://python.org)",
  python3: "Python (https://python.org)",
  pipx: "pipx (https://pipx.pypa.io)",
  docker: "Docker (https://docs.docker.com/get-docker)",
  podman: "Podman (https://podman.io)",
  deno: "Deno (https://deno.com)",
  bun: "Bun (https://bun.sh)",
  bunx: "Bun (https://bun.sh), which brings bunx",
  pnpm: "pnpm (https://pnpm.io)",
  yarn: "Yarn (https://yarnpkg.com)",
  java: "a Java runtime",
  go: "Go (https://go.dev)",
  cargo: "Rust (https://rustup.rs)",
  dotnet: ".NET (https://dotnet.microsoft.com)",
  dnx: ".NET 10 or newer (https://dotnet.microsoft.com), which brings dnx",
};

/** Whether the program of a definition is there, may be run, and finds its interpreter. Pure. */
export function programFindings({ definition, wins, program }: Subject): readonly Finding[] {
  if (program === null) return [];
  const found = program.path === null ? missingProgram(program) : missingInterpreter(program);
  if (found === null) return [];
  // A definition that does not stand for its name is started by its own agent alone.
  const severity = wins ? "error" : "warning";
  return [{ check: "program", severity, ...placeOfDefinition(definition), ...found }];
}

type Told = Pick<Finding, "message" | "remedy">;

function missingProgram(program: ProgramFacts): Told {
  const { written, foreign, unusable, firstWord, onOwnPath, near, searched } = program;
  const shown = shownCommand(written);
  if (unusable !== null) {
    return {
      message: `Cannot run ${shown}: the file "${unusable}" is not executable`,
      remedy: `Make it executable: chmod +x ${shownName(unusable)}`,
    };
  }
  if (foreign !== null) {
    return {
      message: `Cannot find ${shown}: no program here has such a path`,
      remedy: foreignRemedy(foreign),
    };
  }
  if (firstWord !== null) {
    return {
      message: `Cannot find ${shown}: the command is a whole line, and no program has that name`,
      remedy: `Leave "${firstWord}" in "command" and put each of the other words into "args"`,
    };
  }
  if (onOwnPath !== null) {
    return {
      message: `Cannot find ${shown}: your PATH has it, the PATH that its definition sets has not`,
      remedy: `Write "${onOwnPath}" as the command, or add "${dirname(onOwnPath)}" to that PATH`,
    };
  }
  const isPath = /[/\\]/.test(written);
  const folders = searched === 1 ? "the one folder" : `any of the ${searched} folders`;
  return {
    message: isPath
      ? `Cannot find ${shown}: there is no such file`
      : `Cannot find ${shown} in ${folders} of PATH`,
    remedy: missingRemedy(written, near, isPath),
  };
}

function missingRemedy(written: string, near: string | null, isPath: boolean): string {
  const known = installed(written);
  if (known !== null && !isPath) return `${known}, or write its absolute path as the command`;
  if (near !== null) return `Did you mean "${near}"?`;
  return isPath
    ? "Correct the path, or install the program there"
    : "Install the program, or write its absolute path as the command";
}

function missingInterpreter({ written, interpreter }: ProgramFacts): Told | null {
  if (interpreter === null || interpreter.path !== null) return null;
  const { name } = interpreter;
  return {
    message: `${shownCommand(written)} is a script for "${name}", which its PATH has not`,
    remedy: `${installed(name) ?? `Install "${name}"`}, or add its folder to "PATH" in "env"`,
  };
}

/** How to get a program; `null` for one that is not known. */
function installed(name: string): string | null {
  const bare = name.replace(/\.(?:exe|cmd|bat)$/i, "").toLowerCase();
  return Object.hasOwn(PACKAGES, bare) ? `Install ${PACKAGES[bare]}` : null;
}

/** A command in a message. Of a whole line only the first word is shown: others may be secrets. */
function shownCommand(written: string): string {
  const [first = ""] = written.trim().split(/\s/);
  const isLine = first !== written.trim() && !/[/\\]/.test(first);
  return JSON.stringify(isLine ? `${first} …` : written);
}
