import { dirname } from "node:path";
import type { Machine } from "../model/machine.ts";
import { type Finding, placeOfDefinition } from "./finding.ts";
import type { Subject } from "./subject.ts";

/**
 * Agents with a window of their own, which are mostly started from the desktop, by the ids of their
 * sources. `session`: they start servers with the `PATH` of the desktop's session. `shell`: they
 * ask the login shell for its variables first, which fails with a slow or unusual shell start-up.
 */
const DESKTOP_AGENTS: Readonly<Record<string, "session" | "shell">> = {
  "antigravity": "shell",
  "claude-desktop": "session",
  "cline": "shell",
  "continue": "shell",
  "copilot-editors": "shell",
  "cursor": "shell",
  "jetbrains-ai": "shell",
  "junie": "shell",
  "kiro": "shell",
  "lm-studio": "session",
  "roo-code": "shell",
  "trae": "shell",
  "vscode": "shell",
  "vscode-insiders": "shell",
  "vscodium": "shell",
  "windsurf": "shell",
  "zed": "shell",
};

/** Whether a source belongs to an agent that is mostly started from the desktop. */
export function isDesktopAgent(sourceId: string): boolean {
  return Object.hasOwn(DESKTOP_AGENTS, sourceId);
}

/**
 * The `PATH` that programs have which are started from the desktop, without anything that the
 * start-up files of a shell add; `null` on Windows, where it is the user's own. Pure.
 */
export function desktopPath({ platform, home }: Machine): string | null {
  switch (platform) {
    case "win32":
      return null;
    case "darwin":
      return "/usr/bin:/bin:/usr/sbin:/sbin";
    default:
      return [
        "/usr/local/sbin",
        "/usr/local/bin",
        "/usr/sbin",
        "/usr/bin",
        "/sbin",
        "/bin",
        "/usr/games",
        "/snap/bin",
        "/var/lib/flatpak/exports/bin",
        // NixOS and Guix set these for every session.
        `${home}/.nix-profile/bin`,
        "/nix/var/nix/profiles/default/bin",
        "/run/current-system/sw/bin",
        "/run/current-system/profile/bin",
      ].join(":");
  }
}

/**
 * Whether an agent that is started from the desktop finds what the terminal finds. Tools such as
 * nvm, asdf and Homebrew put their folders on the `PATH` of shells alone. Pure.
 */
export function desktopPathFindings({ definition, program }: Subject): readonly Finding[] {
  const { source } = definition;
  const kind = DESKTOP_AGENTS[source.id];
  const path = program?.path ?? null;
  const desktop = program?.desktop ?? null;
  if (kind === undefined || program === null || path === null || desktop === null) return [];
  if (desktop.program && desktop.interpreter) return [];
  const { written, interpreter } = program;
  const missing = desktop.program ? interpreter?.name ?? written : written;
  const unless = kind === "shell" ? ` and cannot read the start-up files of your shell` : "";
  return [{
    check: "desktop-path",
    severity: kind === "session" ? "warning" : "info",
    ...placeOfDefinition(definition),
    message: `${source.label} does not find "${missing}" when it is started from the desktop` +
      `${unless}: only the PATH of the terminal has it`,
    remedy: source.scope === "project"
      ? `Start ${source.label} from a terminal; a path of this machine does not belong in a file ` +
        "of the project"
      : remedyForUser(path, interpreter?.path ?? null, desktop.interpreter),
  }];
}

/** The absolute path; a script needs the folder of its interpreter as well. */
function remedyForUser(path: string, interpreter: string | null, isFound: boolean): string {
  const command = `Write the absolute path as the command: "${path}"`;
  if (interpreter === null || isFound) return command;
  return `${command}, and "${dirname(interpreter)}:/usr/bin:/bin" as "PATH" in "env"`;
}
