import { closest } from "../definitions/suggestion.ts";
import { HotplugError } from "../model/errors.ts";
import { shownName } from "../model/remedies.ts";
import type { LoadedConfigs, Plan, PlannedServer, PlanState } from "../model/plan.ts";

/**
 * The rows that the user named, in plan order; all of them without names.
 * @throws {HotplugError} `unknown-server` for a name that stands nowhere, with a suggestion.
 */
export function chooseServers(plan: Plan, names: readonly string[]): readonly PlannedServer[] {
  if (names.length === 0) return plan.servers;
  const known = plan.servers.map(({ name }) => name);
  for (const name of names) {
    if (!known.includes(name)) throw unknownName("server", name, known);
  }
  return plan.servers.filter(({ name }) => names.includes(name));
}

/** The error for a server or tool that is not there, with what there is instead. */
export function unknownName(
  kind: "server" | "tool",
  name: string,
  known: readonly string[],
  where = "it is defined nowhere",
): HotplugError {
  const suggestion = closest(name, known);
  const some = known.slice(0, 10).join(", ") + (known.length > 10 ? ", …" : "");
  const hint = suggestion !== null
    ? `Did you mean "${suggestion}"?`
    : known.length === 0
    ? `There is no ${kind} at all`
    : `Known: ${some}`;
  return new HotplugError(
    kind === "server" ? "unknown-server" : "unknown-tool",
    `Cannot find ${kind} "${name}": ${where}`,
    { hint, details: { name, suggestion } },
  );
}

/** What a loaded configuration says of some of its rows only. */
export function restricted(
  loaded: LoadedConfigs,
  servers: readonly PlannedServer[],
): LoadedConfigs {
  const names = new Set(servers.map(({ name }) => name));
  const chosen = <Value>(record: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)));
  return {
    configs: chosen(loaded.configs),
    sources: chosen(loaded.sources),
    exaApiKeys: loaded.exaApiKeys,
    plan: { ...loaded.plan, servers },
    ...(loaded.hooks === undefined ? {} : { hooks: loaded.hooks }),
  };
}

/** The error for a row that may not run here; its hint is the remedy. */
export function notRunnable(planned: PlannedServer, plan: Plan): HotplugError {
  const { verdict, name } = planned;
  const reason = verdict.state === "run" ? null : verdict.reason;
  const state = verdict.state === "run" ? "error" : verdict.state;
  const why = reason === null ? "" : `: ${reason.message}`;
  return new HotplugError(
    "server-not-runnable",
    `Cannot start server "${name}": it is ${STATE_WORDS[state]}${why}`,
    {
      hint: reason?.hint ?? remedy(state, planned, plan),
      details: { server: name, state, ...(reason === null ? {} : { reason: reason.code }) },
    },
  );
}

/** Each state as part of a sentence. */
const STATE_WORDS: Readonly<Record<PlanState, string>> = {
  "missing": "defined nowhere",
  "duplicate": "a duplicate",
  "blocked": "blocked by a policy",
  "disabled": "disabled",
  "filtered": "filtered out",
  "error": "invalid",
  "untrusted": "not approved",
  "needs-input": "missing a value",
};

/** What the user can do about a row that does not run and whose reason says nothing. */
function remedy(state: PlanState, planned: PlannedServer, plan: Plan): string | null {
  const source = planned.definition?.source;
  const path = source?.path ?? null;
  switch (state) {
    case "untrusted":
      return `Look at it and approve it: mcp trust ${shownName(planned.name)}`;
    case "disabled":
      return source?.store === true
        ? `Name it in "enabledMcpServers" of ${plan.workspaceConfig}`
        : path === null
        ? null
        : `Enable it in ${path}`;
    case "filtered":
      return `Run again without --no-project, or with --exa`;
    case "missing":
      return `Define it in ${plan.store}, or take its name out of ${plan.workspaceConfig}`;
    case "duplicate":
      return "Use the server that it repeats";
    default:
      return path === null ? null : `Correct it in ${path}`;
  }
}
