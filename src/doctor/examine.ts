import { liesIn } from "../plan/inside.ts";
import { makePlan } from "../plan/make_plan.ts";
import { type LoadOptions, type Survey, survey } from "../plan/survey.ts";
import { clockFindings } from "./clock.ts";
import { desktopPathFindings } from "./desktop_path.ts";
import { dockerFindings } from "./docker.ts";
import { duplicateFindings } from "./duplicates.ts";
import { entryFindings, rowFindings } from "./entries.ts";
import { fileRightsFindings } from "./file_rights.ts";
import { CHECKS, type Finding, SEVERITIES } from "./finding.ts";
import { gatherSubjects } from "./gather.ts";
import { gitTracking } from "./git_tracking.ts";
import { literalSecrets } from "./literal_secrets.ts";
import { hookProgramFindings } from "./hook_programs.ts";
import { lookAtClock } from "./look_clock.ts";
import { lookForDocker } from "./look_docker.ts";
import { lookAtRights } from "./look_rights.ts";
import { nameFindings } from "./names.ts";
import { placeholderFindings } from "./placeholders.ts";
import { policyFindings } from "./policy.ts";
import { programFindings } from "./program.ts";
import { proxyFindings } from "./proxy.ts";
import { schemaFindings } from "./schemas.ts";
import { sourceFileFindings } from "./source_files.ts";
import type { Subject } from "./subject.ts";
import { toolNameFindings } from "./tool_names.ts";
import { trackedSecretFindings } from "./tracked_secrets.ts";
import { unpinnedFindings } from "./unpinned.ts";
import { whiteSpaceFindings } from "./white_space.ts";
import { workingFolderFindings } from "./working_folder.ts";

/** What was examined, and what was found. */
export interface Examination {
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** All names, in plan order. */
  readonly names: readonly string[];
  /** What was found, the gravest first, then by server in plan order. */
  readonly findings: readonly Finding[];
}

/** What is looked at. */
export interface ExamineOptions extends LoadOptions {
  /**
   * Servers whose findings are wanted: their own, those about a file that defines them, and those
   * about the machine. Default: all servers, and all files.
   */
  readonly servers?: readonly string[] | undefined;
  /** The time, in milliseconds since 1970. */
  readonly now: number;
}

/**
 * Looks for what keeps the servers of this machine and workspace from working, or may. Starts no
 * program but `discover` hooks that count here, asks nobody over the network, and evaluates nothing
 * that is not approved.
 */
export async function examine(options: ExamineOptions): Promise<Examination> {
  const { servers = [], now } = options;
  const found = await survey({ ...options, lines: true });
  const { plan, judged } = makePlan(found.input);
  const all = await gatherSubjects(found, judged, plan.servers, now);
  const subjects = servers.length === 0
    ? all
    : all.filter(({ definition }) => servers.includes(definition.name));
  const { machine, folders } = found;
  const daemons = await lookForDocker(subjects, machine);
  const findings: readonly Finding[] = [
    ...sourceFileFindings(plan.sources),
    ...hookProgramFindings(found.hooks.set.programs, machine),
    ...policyFindings(plan.servers, plan.sources),
    ...subjects.flatMap(entryFindings),
    ...rowFindings(plan.servers),
    ...subjects.flatMap(programFindings),
    ...subjects.flatMap(workingFolderFindings),
    ...subjects.flatMap(desktopPathFindings),
    ...daemons.flatMap(dockerFindings),
    ...subjects.flatMap(placeholderFindings),
    ...subjects.flatMap((subject) => whiteSpaceFindings(subject, machine.env)),
    ...secretAndRightsFindings(all, found),
    ...subjects.flatMap(unpinnedFindings),
    ...nameFindings(all),
    ...duplicateFindings(all),
    ...schemaFindings(subjects),
    ...toolNameFindings(all),
    ...clockFindings(lookAtClock(folders, now)),
    ...proxyFindings(subjects, machine.env),
  ];
  const names = plan.servers.map(({ name }) => name);
  const paths = new Set(subjects.map(({ definition }) => definition.source.path));
  const isWanted = ({ check, server, path }: Finding): boolean =>
    servers.length === 0 || (server !== null
      ? servers.includes(server)
      // What is said of the policy itself is about every server.
      : path === null || check === "policy" || paths.has(path));
  return {
    workspacePath: plan.workspacePath,
    names,
    findings: inOrder(findings.filter(isWanted), names),
  };
}

/** Secrets in tracked files, and files that others may read or change. */
function secretAndRightsFindings(
  subjects: readonly Subject[],
  { machine, input }: Survey,
): readonly Finding[] {
  const holders = subjects.map(({ definition }) => ({
    definition,
    fields: literalSecrets(definition),
  }));
  const withSecret = new Set(
    holders.flatMap(({ definition, fields }) =>
      fields.length === 0 ? [] : [definition.source.path]
    ),
  );
  const tracking = gitTracking([...withSecret].filter((path) => path !== null));
  const files = new Map(
    subjects.flatMap(({ definition: { source } }) =>
      source.path === null ? [] : [[source.path, source] as const]
    ),
  );
  // From the home folder, or above it, everything of the user's lies in the workspace.
  const isCheckout = !liesIn(machine.home, input.workspacePath);
  const rights = machine.platform === "win32"
    ? []
    : [...files].map(([path, { scope }]) =>
      lookAtRights(path, {
        project: scope === "project" || (isCheckout && liesIn(path, input.workspacePath)),
        secret: withSecret.has(path),
      })
    );
  return [
    ...holders.flatMap((holder) =>
      trackedSecretFindings({
        ...holder,
        tracking: tracking.get(holder.definition.source.path ?? "") ?? "no-repository",
      })
    ),
    ...rights.filter((facts) => facts !== null).flatMap(fileRightsFindings),
  ];
}

/** The gravest first, then by server, then by check; equal ones once. */
function inOrder(findings: readonly Finding[], names: readonly string[]): readonly Finding[] {
  const rank = ({ server }: Finding): number => server === null ? -1 : names.indexOf(server);
  const once = new Map(findings.map((one) => [JSON.stringify(one), one])).values();
  return [...once].sort((one, other) =>
    SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
    rank(one) - rank(other) ||
    CHECKS.indexOf(one.check) - CHECKS.indexOf(other.check)
  );
}
