import { join } from "node:path";
import { canonicalJson } from "../definitions/canonical_json.ts";
import { sha256Hex } from "../definitions/digest.ts";
import { type BrokenHook, type HookSet, VETO_EVENTS } from "../model/hook_program.ts";
import type { JsonObject } from "../model/json.ts";
import type { SourceReport } from "../model/source.ts";
import { type ConfigDocument, readConfigDocument } from "../sources/config_document.ts";
import { sideReport } from "../sources/reporter.ts";
import type { SourceContext } from "../sources/source.ts";
import type { TrustMode } from "./approval.ts";
import {
  cannotAsk,
  type HookReading,
  mayHoldVeto,
  NO_HOOK_READING,
  readHooks,
} from "./hook_entries.ts";
import type { WorkspaceTrust } from "./trust_store.ts";

/** Grows when the meaning of a digest changes, so that old approvals no longer count. */
const DIGEST_VERSION = "hotplug-hooks-1";

/** Who approves, and what this user approved. */
export interface HookTrust {
  /** Who decides. A function is about definitions alone: it approves no hooks. */
  readonly mode: TrustMode;
  /** What this user approved in this workspace. */
  readonly trust: WorkspaceTrust;
}

/** The hooks of a repository. */
export interface ProjectHooks {
  /** Absolute path of the file. */
  readonly path: string;
  /** What it says, approved or not; nothing when it cannot be read or parsed. */
  readonly reading: HookReading;
  /** What an approval is bound to: all that the file says; `null` when it cannot be told. */
  readonly digest: string | null;
  /** Whether it is approved as it is. */
  readonly approved: boolean;
  /** Whether something else of it was approved before. */
  readonly changed: boolean;
}

/** The hooks of all files. */
export interface HookFiles {
  /** Those that count here: the user's, and the repository's when they are approved. */
  readonly set: HookSet;
  /** What to say of the settings, in which the user's hooks stand. */
  readonly settingsWarnings: readonly string[];
  /** The repository's; `null` when it has none, or they are left out. */
  readonly project: ProjectHooks | null;
  /** What is to be said of the repository's file. */
  readonly report: SourceReport;
}

/** The file of a repository's hooks, for reports. */
const FORMAT = { id: "hooks", label: "Project hooks" };

/** What to do about hooks of a repository that wait, as the end of a warning. */
export const APPROVE_HOOKS = "Look at them and approve them: mcp trust --hooks";

/** Path of a repository's hooks, there or not. They stand at the root alone. */
export function projectHooksPath({ workspacePath }: Pick<SourceContext, "workspacePath">): string {
  return join(workspacePath, ".hotplug", "hooks.json");
}

/**
 * Reads the hooks of the user and of the repository. Nothing runs. A repository's count only when
 * they are approved, also those that stop things.
 *
 * The repository's are asked first, so that nothing changes what the user's have seen.
 *
 * @param settings The user's settings as they were read.
 * @param isProjectOn Whether anything of the repository counts.
 */
export async function readHookFiles(
  context: SourceContext,
  settings: ConfigDocument,
  trust: HookTrust,
  isProjectOn: boolean,
): Promise<HookFiles> {
  const users = await usersHooks(context, settings);
  const path = projectHooksPath(context);
  if (!isProjectOn) {
    const off: ConfigDocument = { state: "absent", path, error: null, warnings: [] };
    const report: SourceReport = { ...sideReport(FORMAT, off, "project"), state: "off" };
    return { set: users, settingsWarnings: users.warnings, project: null, report };
  }
  const document = await readConfigDocument(context, { path, project: true });
  const project = await projectHooks(context, document, trust);
  const theirs = project?.approved === true ? project.reading : NO_HOOK_READING;
  return {
    set: {
      programs: [...theirs.programs, ...users.programs],
      broken: [...theirs.broken, ...users.broken],
    },
    settingsWarnings: users.warnings,
    project,
    report: sideReport(FORMAT, document, "project", {
      warnings: project === null ? [] : projectWarnings(project),
      until: "none of its hooks runs",
    }),
  };
}

/** The hooks in the settings. When these cannot be used, what they may hold stops things. */
async function usersHooks(
  context: SourceContext,
  settings: ConfigDocument,
): Promise<HookReading> {
  const { path } = settings;
  switch (settings.state) {
    case "absent":
    case "empty":
      return NO_HOOK_READING;
    case "unreadable":
      return broken(`"${path}" cannot be read, and may hold hooks`);
    case "malformed": {
      const file = await context.readFile(path);
      return file.state === "loaded" && !mayHoldVeto(file.text)
        ? NO_HOOK_READING
        : broken(`"${path}" cannot be understood, and speaks of hooks`);
    }
    case "loaded":
      return await readHooks(settings.root["hooks"], {
        path,
        scope: "user",
        keyPath: ["hooks"],
        document: settings.document,
        // Never the workspace, whose files programs of the user's might pick up.
        folder: context.machine.home,
        home: context.machine.home,
      });
  }
}

/** A file as a whole that stops everything. */
function broken(problem: string): HookReading {
  const hook: BrokenHook = {
    events: VETO_EVENTS,
    servers: null,
    tools: null,
    reason: cannotAsk(problem),
  };
  const warning = "It may hold hooks that have a say: until it can be used no server starts and " +
    "no tool is called";
  return { programs: [], broken: [hook], warnings: [warning] };
}

/** The hooks in the repository's file, and whether they are approved. */
async function projectHooks(
  context: SourceContext,
  document: ConfigDocument,
  { mode, trust }: HookTrust,
): Promise<ProjectHooks | null> {
  const { path, state } = document;
  if (state === "absent" || state === "empty") return null;
  const known = trust.hooks ?? [];
  if (document.state !== "loaded") {
    // Who approves everything approves what it may have to say, too.
    const isAll = mode === "all";
    const reading = isAll ? broken(`"${path}" cannot be understood`) : NO_HOOK_READING;
    return { path, reading, digest: null, approved: isAll, changed: known.length > 0 };
  }
  const reading = await readHooks(document.root, {
    path,
    scope: "project",
    keyPath: [],
    document: document.document,
    folder: context.workspacePath,
    home: context.machine.home,
  });
  const digest = await hooksDigest(document.root);
  const approved = mode === "all" || (mode === "store" && known.includes(digest));
  return { path, reading, digest, approved, changed: !approved && known.length > 0 };
}

/** What an approval of a repository's hooks is bound to, as 64 hex digits: all that they say. */
function hooksDigest(root: JsonObject): Promise<string> {
  return sha256Hex(canonicalJson([DIGEST_VERSION, root]));
}

function projectWarnings({ reading, approved, changed }: ProjectHooks): readonly string[] {
  const { programs, warnings } = reading;
  // What cannot be used is of no concern to anybody before it is approved, but to its author.
  if (approved || (programs.length === 0 && reading.broken.length === 0)) return warnings;
  const why = changed ? "They changed since you approved them" : "You did not approve them";
  const count = programs.length === 1 ? "its hook does not run" : "none of its hooks runs";
  return [`${why}: ${count}. ${APPROVE_HOOKS}`, ...warnings];
}
