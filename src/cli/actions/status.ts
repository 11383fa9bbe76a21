import { type HotplugError, toHotplugError } from "../../model/errors.ts";
import type { LoadedConfigs, Plan } from "../../model/plan.ts";
import { connectionStatus } from "../../model/server_state.ts";
import { plannedView, type ServerView } from "../../model/server_view.ts";
import type { Tool } from "../../model/tool.ts";
import { painter } from "../colour.ts";
import type { CliContext } from "../context.ts";
import type { DiscoveryFlags } from "../flags.ts";
import { discover, type Discovered } from "../discovery.ts";
import type { SessionChoice } from "../find_sessions.ts";
import { jsonText } from "../json_output.ts";
import { LiveRegion } from "../live_region.ts";
import { reportFailure, usageError } from "../run_action.ts";
import { lateWords } from "../server_answers.ts";
import { chooseServers, restricted } from "../server_choice.ts";
import { noServerLines, sourceNotes } from "../source_notes.ts";
import type { ShownSession } from "../shown_session.ts";
import { sourceLines } from "../sources_table.ts";
import { statusDocument } from "../status_json.ts";
import { pathLines, statusPlain } from "../status_plain.ts";
import {
  lookAtSessions,
  sessionsPlain,
  sessionsTable,
  untilAborted,
  withPauses,
} from "../status_sessions.ts";
import { statusSummary, summaryLine } from "../status_summary.ts";
import { statusTable } from "../status_table.ts";
import type { TokenCosts, ToolsOf } from "../token_costs.ts";

/** Flags of `mcp status`. */
export interface StatusFlags extends DiscoveryFlags {
  /** Longest time to wait for servers, in milliseconds. Default 5,000. */
  readonly wait?: number | undefined;
  /** Start nothing. */
  readonly cached?: boolean | undefined;
  /** Exit with 1 when a server failed. */
  readonly strict?: boolean | undefined;
  /** One line of words per server. */
  readonly plain?: boolean | undefined;
  /** Show what the tools of each server cost a model's context. */
  readonly tokens?: boolean | undefined;
  /** Show what live sessions have instead: all of the workspace's when empty, or one by its id. */
  readonly session?: string | undefined;
}

/** How long `mcp status` waits for servers by default, in milliseconds. */
const DEFAULT_WAIT_MS = 5_000;

/** How often the times of starting servers are drawn anew on a terminal, in milliseconds. */
const TICK_MS = 500;

/** `mcp status`: starts every server that may run, shows every row, stops them again. */
export async function status(
  context: CliContext,
  flags: StatusFlags,
  names: readonly string[],
): Promise<number> {
  if (flags.json === true && flags.plain === true) {
    throw usageError("Cannot print --json and --plain at once", null);
  }
  if (flags.tokens === true && flags.session !== undefined) {
    throw usageError("Cannot count --tokens of a live session", "Leave --session out");
  }
  const discovered = await discover(context, flags, true);
  const choice: SessionChoice = {
    machine: discovered.machine,
    folders: discovered.folders,
    workspacePath: discovered.loaded.plan.workspacePath,
    id: flags.session === "" ? undefined : flags.session,
    signal: context.signal,
  };
  if (flags.session !== undefined) {
    const { printSessions } = await import("../sessions_print.ts");
    const sessions = await lookAtSessions(choice);
    return await printSessions(context, flags, { discovered, sessions, names });
  }
  const loaded = restricted(
    discovered.loaded,
    chooseServers(discovered.loaded.plan, names),
  );
  const sessions = untilAborted(lookAtSessions(choice));
  const answer = new Answer(context, flags, discovered, loaded.plan, sessions);
  if (flags.cached === true) {
    const { cachedView, remembered, rememberedTools } = await import("../remembered.ts");
    const known = await remembered(discovered, loaded.plan.servers);
    const now = Date.now();
    return await answer.print(
      loaded.plan.servers.map((planned) => cachedView(planned, known.get(planned.name), now)),
      null,
      (planned) => {
        const entry = known.get(planned.name);
        return entry === undefined ? null : rememberedTools(planned, entry);
      },
    );
  }
  if (loaded.plan.servers.every(({ verdict }) => verdict.state !== "run")) {
    return await answer.print(loaded.plan.servers.map(plannedView), null);
  }
  return await live(context, flags, { discovered, loaded, answer });
}

/** Starts the servers and shows their rows as they settle. */
async function live(
  context: CliContext,
  flags: StatusFlags,
  run: {
    readonly discovered: Discovered;
    readonly loaded: LoadedConfigs;
    readonly answer: Answer;
  },
): Promise<number> {
  const { discovered, loaded, answer } = run;
  const { withServers, within } = await import("../running.ts");
  const wait = flags.wait ?? DEFAULT_WAIT_MS;
  let views = (): readonly ServerView[] => loaded.plan.servers.map(plannedView);
  const { stdout } = context.output;
  // A log on stderr and a region that is drawn anew would write over each other.
  const isLive = stdout.isTerminal && !(flags.json || flags.plain || flags.verbose);
  const region = isLive
    ? new LiveRegion({
      write: (text) => stdout.write(text),
      size: () => ({ columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 }),
      lines: () => answer.table(views()),
    })
    : null;
  const ticking = setInterval(() => region?.changed(), TICK_MS);
  try {
    return await withServers(
      context,
      discovered,
      { loaded, onServer: () => region?.changed() },
      async ({ manager, settled }) => {
        views = () => inOrder(loaded.plan, manager.getServers());
        // A signal ends the servers; what is shown is what there was when it came.
        let last: readonly ServerView[] | null = null;
        context.signal.addEventListener("abort", () => last = views(), { once: true });
        let error: HotplugError | null = null;
        try {
          await within(settled(), wait);
        } catch (thrown) {
          error = toHotplugError(thrown);
        }
        region?.clear();
        const rows = last ?? views();
        return await answer.print(
          error === null ? rows.map((view) => saidLate(view, wait)) : rows,
          error,
          offeredTools(rows, manager.getTools()),
        );
      },
    );
  } finally {
    clearInterval(ticking);
    region?.clear();
  }
}

/** The tools of each server as a manager offers them; not known where the row has no number. */
function offeredTools(rows: readonly ServerView[], tools: readonly Tool[]): ToolsOf {
  const unknown = new Set(rows.filter((row) => row.tools === null).map(({ name }) => name));
  const byServer = Map.groupBy(tools, ({ server }) => server);
  return ({ name }) =>
    unknown.has(name) ? null : (byServer.get(name) ?? []).map(({ info }) => info);
}

/** A row that has not settled within `--wait`, with what is said of it; any other as it is. */
function saidLate(view: ServerView, waitMs: number): ServerView {
  if (connectionStatus(view.state) !== "connecting") return view;
  const { message, hint } = lateWords(waitMs);
  return { ...view, warnings: [...view.warnings, `${message}. ${hint}`] };
}

/** The rows in plan order, each as the manager has it, or as planned. */
function inOrder(plan: Plan, live: readonly ServerView[]): readonly ServerView[] {
  const byName = new Map(live.map((view) => [view.name, view]));
  return plan.servers.map((planned) => byName.get(planned.name) ?? plannedView(planned));
}

/** What the command prints, in the form that was asked for. */
class Answer {
  readonly #context: CliContext;
  readonly #flags: StatusFlags;
  readonly #discovered: Discovered;
  readonly #plan: Plan;
  readonly #sessions: Promise<readonly ShownSession[]>;

  constructor(
    context: CliContext,
    flags: StatusFlags,
    discovered: Discovered,
    plan: Plan,
    sessions: Promise<readonly ShownSession[]>,
  ) {
    this.#context = context;
    this.#flags = flags;
    this.#discovered = discovered;
    this.#plan = plan;
    this.#sessions = sessions;
  }

  /** The table alone. */
  table(views: readonly ServerView[], costs: TokenCosts | null = null): readonly string[] {
    const { stdout } = this.#context.output;
    return statusTable(views, {
      workspacePath: this.#plan.workspacePath,
      home: this.#discovered.machine.home,
      paint: painter(stdout.colour),
      verbose: this.#flags.verbose === true,
      costs,
      ...(stdout.columns === null ? {} : { width: stdout.columns }),
    });
  }

  /** Prints everything and gives the exit code. */
  async print(
    probed: readonly ServerView[],
    error: HotplugError | null,
    toolsOf: ToolsOf = () => null,
  ): Promise<number> {
    const { output } = this.#context;
    const sessions = await this.#sessions;
    const views = withPauses(probed, sessions);
    const costs = this.#flags.tokens === true
      ? (await import("../token_costs.ts")).tokenCosts(this.#plan.servers, toolsOf)
      : null;
    if (this.#flags.json === true) {
      output.stdout.write(jsonText(statusDocument(this.#plan, views, error, sessions, costs)));
    } else {
      const lines = this.#flags.plain === true
        ? [...statusPlain(views, this.#plan, costs), ...sessionsPlain(sessions)]
        : this.#textLines(views, sessions, costs);
      output.stdout.write(`${lines.join("\n")}\n`);
      if (error !== null) reportFailure(output, error, false);
    }
    if (error !== null) return error.exitCode;
    return this.#flags.strict === true && statusSummary(views).failed > 0 ? 1 : 0;
  }

  /** The answer for humans: table, what is odd about files, counts, paths. */
  #textLines(
    views: readonly ServerView[],
    sessions: readonly ShownSession[],
    costs: TokenCosts | null,
  ): readonly string[] {
    const { colour, columns: width } = this.#context.output.stdout;
    const paint = painter(colour);
    const { home } = this.#discovered.machine;
    const notes = sourceNotes(this.#plan, { home, paint });
    const head = views.length === 0 ? noServerLines(this.#plan, paint) : this.table(views, costs);
    const counts = views.length === 0 ? [] : [summaryLine(views, costs)];
    const paths = this.#flags.verbose === true
      ? [...sourceLines(this.#plan, { home, paint, all: true, width }), ""]
      : [];
    const live = sessionsTable(sessions, { paint, width, now: Date.now() });
    const gap = live.length === 0 ? [] : [""];
    return [
      ...head,
      "",
      ...notes,
      ...paths,
      ...counts,
      ...gap,
      ...live,
      ...gap,
      ...pathLines(this.#plan),
    ];
  }
}
