import { freshUntil, listAge } from "../../cache/freshness.ts";
import { type HotplugError, toHotplugError } from "../../model/errors.ts";
import type { CacheEntry } from "../../model/cache.ts";
import type { PlannedServer } from "../../model/plan.ts";
import { plannedView } from "../../model/server_view.ts";
import { type LookRecord, recordLooks } from "../../platform/looks.ts";
import { LIST_WAIT_MS, type ListFlags } from "../flags.ts";
import { painter } from "../colour.ts";
import type { CliContext } from "../context.ts";
import { discover, type Discovered } from "../discovery.ts";
import { freshTools, remembered, rememberedTools } from "../remembered.ts";
import { reportFailure } from "../run_action.ts";
import type { Running } from "../running.ts";
import { waitingLine } from "../waiting_line.ts";
import { listExitCode, unavailableLines, viewError } from "../server_answers.ts";
import { chooseServers, restricted } from "../server_choice.ts";
import { noServerLines, sourceNotes } from "../source_notes.ts";
import { namedTools, type ServerTools, toolsDocument } from "../tools_answer.ts";
import { type PrintedLine, printToolsAnswer, type ToolsAnswer } from "../tools_print.ts";
import { toolsTable, tooManyLines } from "../tools_table.ts";

/** `mcp tools`: what is remembered, and what the servers say of which nothing fresh is. */
export async function tools(
  context: CliContext,
  flags: ListFlags,
  names: readonly string[],
): Promise<number> {
  const begunAt = Date.now();
  const { discovered, chosen, known, record } = await lookAround(context, flags, names);
  const now = Date.now();
  const fromCache = (planned: PlannedServer): ServerTools =>
    rememberedAnswer(planned, known.get(planned.name), now);
  const missing = chosen.filter((planned) =>
    planned.verdict.state === "run" &&
    (flags.refresh === true || freshTools(planned, known.get(planned.name), now) === null)
  );
  const answer = (answers: readonly ServerTools[], error: HotplugError | null): ToolsAnswer =>
    toolsAnswer(context, flags, { discovered, answers, known, names, chosen, error });
  if (missing.length === 0) {
    const printed = answer(chosen.map(fromCache), null);
    printToolsAnswer(context.output, printed);
    if (flags.refresh !== true && flags.verbose !== true) {
      const until = earliestEnd(chosen, known);
      context.given?.({ printed, record, begunAt, madeAt: now, freshUntil: until });
    }
    return printed.exitCode;
  }
  const { stillStarting, within, withServers } = await import("../running.ts");
  const loaded = restricted(discovered.loaded, missing);
  const wait = flags.wait ?? LIST_WAIT_MS;
  return await withServers(context, discovered, { loaded, furtherLists: [] }, async (running) => {
    let error: HotplugError | null = null;
    const quiet = waitingLine(context.output.stderr, {
      names: () => stillStarting(running.manager),
      verbose: flags.verbose === true,
    });
    try {
      await within(running.settled(), wait);
    } catch (thrown) {
      error = toHotplugError(thrown);
    } finally {
      quiet();
    }
    const answers = chosen.map((planned) =>
      missing.includes(planned) ? liveAnswer(running, fromCache(planned), wait) : fromCache(planned)
    );
    const printed = answer(answers, error);
    printToolsAnswer(context.output, printed);
    if (error !== null && flags.json !== true) reportFailure(context.output, error, false);
    return printed.exitCode;
  });
}

/** Reads the configuration and the cache, and keeps a record of what was looked at. */
async function lookAround(
  context: CliContext,
  flags: ListFlags,
  names: readonly string[],
): Promise<{
  readonly discovered: Discovered;
  readonly chosen: readonly PlannedServer[];
  readonly known: ReadonlyMap<string, CacheEntry>;
  readonly record: LookRecord;
}> {
  const endRecord = recordLooks();
  try {
    const discovered = await discover(context, flags);
    const { plan } = discovered.loaded;
    const chosen = chooseServers(plan, names);
    // Of servers that are not shown, too: their tools may hold a name that is then taken.
    const known = await remembered(discovered, plan.servers);
    return { discovered, chosen, known, record: endRecord() };
  } finally {
    endRecord();
  }
}

/** When the first list of the servers that may run is fresh no more; `null` without a list. */
function earliestEnd(
  chosen: readonly PlannedServer[],
  known: ReadonlyMap<string, CacheEntry>,
): number | null {
  const ends = chosen.flatMap(({ name, verdict }) => {
    const entry = known.get(name);
    return entry === undefined || verdict.state !== "run" ? [] : freshUntil(entry) ?? [];
  });
  return ends.length === 0 ? null : Math.min(...ends);
}

/** What is known of a server without starting it. */
function rememberedAnswer(
  planned: PlannedServer,
  entry: CacheEntry | undefined,
  now: number,
): ServerTools {
  const { name, state, error, warnings } = plannedView(planned);
  const tools = entry === undefined ? null : rememberedTools(planned, entry);
  return {
    planned,
    name,
    state,
    error,
    warnings,
    tools,
    cachedAgeMs: entry === undefined ? null : listAge(entry, now),
  };
}

/** What a started server says; what is remembered when it says nothing. */
function liveAnswer({ manager }: Running, fallback: ServerTools, waitMs: number): ServerTools {
  const { name } = fallback;
  const view = manager.getServers().find((row) => row.name === name);
  if (view === undefined) return fallback;
  const { state, warnings } = view;
  if (state !== "connected") {
    return { ...fallback, state, warnings, error: viewError(view, waitMs) };
  }
  const tools = manager.getTools().filter(({ server }) => server === name).map(({ info }) => info);
  return { ...fallback, state, warnings, error: null, tools, cachedAgeMs: null };
}

/** What is printed, and the exit code. */
function toolsAnswer(
  { output }: CliContext,
  flags: ListFlags,
  answer: {
    readonly discovered: Discovered;
    readonly answers: readonly ServerTools[];
    readonly known: ReadonlyMap<string, CacheEntry>;
    readonly names: readonly string[];
    readonly chosen: readonly PlannedServer[];
    readonly error: HotplugError | null;
  },
): ToolsAnswer {
  const { answers, known, names, chosen, error } = answer;
  const { machine, loaded: { plan } } = answer.discovered;
  const shown = new Set(answers.map(({ name }) => name));
  const others = [...known].filter(([name]) => !shown.has(name)).flatMap(([server, { tools }]) =>
    (tools ?? []).map(({ name }) => ({ server, tool: name }))
  );
  const named = namedTools(answers, others);
  const paint = painter(output.stderr.colour);
  const textLines = (): readonly PrintedLine[] =>
    plan.servers.length === 0
      ? noServerLines(plan, painter(output.stdout.colour))
      : toolsTable(answers, named, {
        paint: painter(output.stdout.colour),
        width: output.stdout.columns,
      });
  const remarks = [
    ...unavailableLines(answers, paint),
    ...sourceNotes(plan, { home: machine.home, paint }),
    ...tooManyLines(named.length, paint),
  ];
  return {
    answer: flags.json === true ? toolsDocument(answers, named, error) : textLines(),
    remarks,
    exitCode: error === null ? listExitCode(names, answers, chosen) : error.exitCode,
  };
}
