import { fileToolCache } from "../cache/file_tool_cache.ts";
import { listAge } from "../cache/freshness.ts";
import { type LaunchFacts, launchFacts } from "../cache/launch_facts.ts";
import { serverEnvironment } from "../definitions/environment.ts";
import { toolOffered } from "../definitions/tool_filter.ts";
import type { Definition, ServerConfig } from "../model/definition.ts";
import type { PlannedServer, Verdict } from "../model/plan.ts";
import type { JudgedDefinition } from "../plan/judge.ts";
import type { LaunchDecision } from "../plan/plan_facts.ts";
import type { Survey } from "../plan/survey.ts";
import { foreignSystem } from "../platform/foreign_path.ts";
import { factsOf } from "../platform/local_files.ts";
import { SOURCES } from "../sources/registry.ts";
import { lookForProgram } from "./look_program.ts";
import type { FolderFacts, ProgramFacts, RememberedTools, Subject } from "./subject.ts";

/**
 * Finds out about every definition what can be found out without starting anything: where its
 * program is, what it would be started with, which tools it listed last. Of a definition that may
 * not be evaluated nothing but its text is looked at.
 * @param now The time, in milliseconds since 1970.
 */
export async function gatherSubjects(
  found: Survey,
  judged: readonly JudgedDefinition[],
  rows: readonly PlannedServer[],
  now: number,
): Promise<readonly Subject[]> {
  const winners = new Map(
    rows.flatMap((row) => row.definition === null ? [] : [[row.definition, row] as const]),
  );
  const formats = new Map(SOURCES.map(({ id, writer }) => [id, writer?.format]));
  return await Promise.all(judged.map(async ({ definition, verdict, launch, decision }) => {
    const row = winners.get(definition) ?? null;
    const launched = await launchOf(definition, launch, found);
    const known = launched ?? evaluated(definition, decision, found);
    return {
      definition,
      wins: row !== null,
      verdict: row?.verdict ?? verdict,
      literal: formats.get(definition.source.id)?.literal ?? false,
      decision,
      launch: launched,
      program: programOf(definition, known, found),
      folder: folderOf(definition, known, found),
      tools: launched === null || row === null || !runs(row.verdict)
        ? null
        : await rememberedTools(definition, launched, { found, now }),
    };
  }));
}

/** What a process would be started with, as far as a program is looked for with it. */
type Evaluated = Pick<LaunchFacts, "config" | "environment" | "cwd">;

/** The same of a definition that may be evaluated and cannot run yet; `null` of any other. */
function evaluated(
  { source }: Definition,
  decision: LaunchDecision | null,
  { machine }: Survey,
): Evaluated | null {
  if (decision === null || decision.cwd === null) return null;
  const { expansion: { config }, cwd } = decision;
  return { config, cwd, environment: serverEnvironment(source.environment, config, machine.env) };
}

function programOf(
  definition: Definition,
  known: Evaluated | null,
  { machine }: Survey,
): ProgramFacts | null {
  const command = known?.config.command?.trim() === "" ? undefined : known?.config.command;
  if (known === null || command === undefined) return null;
  const { environment, cwd } = known;
  return lookForProgram(definition, { command, environment, cwd, machine });
}

/** What is where a local server would start. */
function folderOf(
  { config }: Definition,
  known: Evaluated | null,
  { machine }: Survey,
): FolderFacts | null {
  if (known === null || known.config.command === undefined) return null;
  const { cwd: path } = known;
  const found = factsOf(path);
  return {
    path,
    kind: found === null ? "absent" : found.isDirectory() ? "folder" : "file",
    foreign: foreignSystem(config.cwd?.trim() ?? "", machine.platform === "win32"),
  };
}

function runs({ state }: Verdict): boolean {
  return state === "run";
}

/** What a definition would be started with; `null` for one that may not, or cannot. */
async function launchOf(
  { name, source }: Definition,
  launch: ServerConfig | null,
  { machine, folders, input }: Survey,
): Promise<LaunchFacts | null> {
  if (launch === null) return null;
  const { workspacePath } = input;
  const result = await launchFacts({
    name,
    config: launch,
    source,
    machine,
    folders,
    workspacePath,
  });
  return result.ok ? result.facts : null;
}

/** The last list of its tools that it let be offered; `null` when none is remembered. */
async function rememberedTools(
  { config }: Definition,
  { fingerprint }: LaunchFacts,
  { found, now }: { readonly found: Survey; readonly now: number },
): Promise<RememberedTools | null> {
  const entry = await fileToolCache(found.folders.cache).get(fingerprint);
  const ageMs = entry === null ? null : listAge(entry, now);
  if (entry?.tools === null || entry === null || ageMs === null) return null;
  return { tools: entry.tools.filter(({ name }) => toolOffered(config, name)), ageMs };
}
