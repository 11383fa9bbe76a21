import type { Definition, ServerConfig } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { Verdict } from "../model/plan.ts";
import type { WorkspaceSwitches } from "../model/source.ts";
import { approvalReason } from "./approval.ts";
import { enablementOf, recordReason } from "./enablement.ts";
import { exaFilter } from "./exa_filter.ts";
import { folderReason } from "./folder_trust.ts";
import type { DefinitionFacts, LaunchDecision } from "./plan_facts.ts";
import { gatewayFilter } from "./gateway_filter.ts";
import { projectFilter } from "./project_filter.ts";

/** The rules that hold for every definition. */
export interface Rules {
  /** The workspace's files of switches. */
  readonly switches: readonly WorkspaceSwitches[];
  /** Whether definitions of the repository count. */
  readonly enableProjectConfig: boolean;
  /** Whether servers of Exa are left to the host. */
  readonly filterExa: boolean;
  /** What the machine's policy blocks, and by which rule. Default: nothing. */
  readonly blocked?: ReadonlyMap<Definition, ErrorInfo>;
}

/** What can be said of a definition before anything about it is looked up. */
export interface Screening {
  /** The verdict that stands already; `null`: the facts decide. */
  readonly verdict: Verdict | null;
  /** `false`: whatever else holds, it leaves its name to weaker definitions. */
  readonly contends: boolean;
  /** Whether it is left out as a server of Exa. */
  readonly exa: boolean;
  /** The workspace's switch. */
  readonly workspace: "enabled" | "disabled";
  /** What to say though it may run. */
  readonly warnings: readonly string[];
}

/** A definition with its own verdict, as if no other had its name. */
export interface JudgedDefinition extends Screening {
  /** The definition. */
  readonly definition: Definition;
  /** Whether it would run, and why not. */
  readonly verdict: Verdict;
  /** Why it leaves its name to others; `null` when it contends. */
  readonly yields: Verdict | null;
  /** What it would start with; `null` unless it would run. */
  readonly launch: ServerConfig | null;
  /** Whether it waits for this user to want what a workspace file enables. */
  readonly needsRecord: boolean;
  /** The decision behind `launch`, placeholders replaced. Secret. */
  readonly decision: LaunchDecision | null;
}

/**
 * The first steps of the order of judgement, which need no look at the disk: blocked, disabled,
 * filtered. What is blocked yields like what is filtered.
 */
export function screen(definition: Definition, rules: Rules): Screening {
  const enablement = enablementOf(definition, rules.switches);
  const blocked = rules.blocked?.get(definition) ?? null;
  const project = projectFilter(definition, rules);
  const exa = exaFilter(definition, rules);
  const gateway = gatewayFilter(definition);
  const filtered = project ?? gateway ?? exa.reason;
  const verdict = firstVerdict([
    ["blocked", blocked],
    ["disabled", enablement.reason],
    ["filtered", filtered],
  ]);
  return {
    verdict,
    contends: blocked === null && filtered === null && !enablement.unclaimed,
    exa: verdict?.state === "filtered" && filtered === exa.reason,
    workspace: enablement.workspace,
    warnings: exa.warning === null ? [] : [exa.warning],
  };
}

/**
 * The whole judgement of one definition. `facts` may be absent for one that the screening decided.
 *
 * A switch that is off needs no approval to count, as `disabledMcpServers` needs none. Anything
 * else that is not approved, even when it is invalid too, leaves its name to others, so that a
 * repository cannot take the place of the user's own server.
 */
export function judge(
  definition: Definition,
  rules: Rules,
  facts: DefinitionFacts | undefined,
): JudgedDefinition {
  const screening = screen(definition, rules);
  const { needsRecord } = enablementOf(definition, rules.switches);
  const unrecorded = needsRecord && facts?.enabling === false;
  const held = facts === undefined ? null : untrusted(definition, facts, unrecorded);
  const verdict: Verdict = screening.verdict ?? firstVerdict([
    ["error", definition.problems[0] ?? null],
    ["untrusted", held],
    ...expansionSteps(facts?.launch ?? null),
  ]) ?? { state: "run" };
  const mayYield: Verdict | null = held === null ? null : { state: "untrusted", reason: held };
  const yields = screening.contends
    ? (screening.verdict === null ? mayYield : null)
    : screening.verdict;
  const decision = facts?.launch ?? null;
  const runs = verdict.state === "run" && decision !== null;
  return {
    ...screening,
    definition,
    verdict,
    yields,
    launch: runs ? launchConfig(definition, decision) : null,
    decision,
    needsRecord: unrecorded,
    warnings: runs ? [...screening.warnings, ...launchWarnings(definition, decision)] : [],
  };
}

/** Why a definition needs its user's word, in the order in which it can be given. */
function untrusted(
  definition: Definition,
  facts: DefinitionFacts,
  unrecorded: boolean,
): ErrorInfo | null {
  const approval = approvalReason(definition, facts.approval);
  if (approval !== null) return approval;
  if (unrecorded) return recordReason(definition);
  return folderReason(facts.launch?.held ?? []);
}

/** A state that may hold, and why; `null` when it does not. */
type Step = readonly [Exclude<Verdict["state"], "run">, ErrorInfo | null];

/** The first state that holds. */
function firstVerdict(steps: readonly Step[]): Verdict | null {
  for (const [state, reason] of steps) if (reason !== null) return { state, reason };
  return null;
}

/** What stands in the way of placeholders: a failure, or a value that the user must give. */
function expansionSteps(launch: LaunchDecision | null): readonly Step[] {
  const problem = launch?.expansion.problems[0] ?? null;
  return [[launch?.needsInput === true ? "needs-input" : "error", problem]];
}

/** The config to start with: folders decided, and nothing approved by the repository itself. */
function launchConfig(definition: Definition, decision: LaunchDecision): ServerConfig {
  const { cwd, envFile } = decision;
  const { autoApprove, ...config } = definition.config;
  return {
    ...config,
    ...(autoApprove === undefined || isProject(definition) ? {} : { autoApprove }),
    ...(cwd === null ? {} : { cwd }),
    ...(envFile === null ? {} : { envFile }),
  };
}

function launchWarnings(definition: Definition, decision: LaunchDecision): readonly string[] {
  const ignored = isProject(definition) && (definition.config.autoApprove ?? []).length > 0;
  return [
    ...decision.expansion.warnings,
    ...(decision.cwdWarning === null ? [] : [decision.cwdWarning]),
    ...(ignored ? ["autoApprove is ignored: a repository cannot approve its own tools"] : []),
  ];
}

function isProject(definition: Definition): boolean {
  return definition.source.scope === "project";
}
