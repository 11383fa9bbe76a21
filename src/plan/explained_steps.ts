import type { ErrorInfo } from "../model/errors.ts";
import { approvalReason, needsApproval } from "./approval.ts";
import { enablementOf, recordReason } from "./enablement.ts";
import { exaFilter } from "./exa_filter.ts";
import { gatewayFilter } from "./gateway_filter.ts";
import { folderReason } from "./folder_trust.ts";
import type { JudgedDefinition } from "./judge.ts";
import { projectFilter } from "./project_filter.ts";
import type { Survey } from "./survey.ts";

/** One check of a definition. */
export interface ExplainedStep {
  /** What is checked. */
  readonly check:
    | "policy"
    | "switches"
    | "project filter"
    | "hook filter"
    | "exa filter"
    | "entry"
    | "approval"
    | "enabling"
    | "folder"
    | "placeholders";
  /** `passed`, `failed`, or `skipped` when an earlier check left nothing to look at. */
  readonly result: "passed" | "failed" | "skipped";
  /** Why it failed, or what was decided. */
  readonly detail: string | null;
}

/** Every check of a definition in the order of judgement, those behind a failed one included. */
export function explainedSteps(one: JudgedDefinition, { input }: Survey): readonly ExplainedStep[] {
  const { definition } = one;
  const { rules } = input;
  const facts = input.facts.get(definition);
  const launch = facts?.launch ?? null;
  const enablement = enablementOf(definition, rules.switches);
  const unrecorded = enablement.needsRecord && facts?.enabling === false;
  const exa = exaFilter(definition, rules);
  const gateway = gatewayFilter(definition);
  const steps: (ExplainedStep | null)[] = [
    step("policy", rules.blocked?.get(definition) ?? null),
    step("switches", enablement.reason),
    step("project filter", projectFilter(definition, rules)),
    gateway === null ? null : step("hook filter", gateway),
    step("exa filter", exa.reason, exa.warning),
    step("entry", definition.problems[0] ?? null),
  ];
  if (facts === undefined) {
    return [...steps, skipped("approval"), skipped("placeholders")].filter((one) => one !== null);
  }
  const approved = needsApproval(definition) ? facts.approval : "not needed for its scope";
  steps.push(
    step("approval", approvalReason(definition, facts.approval), approved),
    definition.source.store ? step("enabling", unrecorded ? recordReason(definition) : null) : null,
  );
  if (launch === null) steps.push(skipped("folder"), skipped("placeholders"));
  else {
    steps.push(
      step("folder", folderReason(launch.held), launch.cwdWarning),
      step("placeholders", launch.expansion.problems[0] ?? null),
    );
  }
  return steps.filter((one) => one !== null);
}

function step(
  check: ExplainedStep["check"],
  failure: ErrorInfo | null,
  passed: string | null = null,
): ExplainedStep {
  return failure === null
    ? { check, result: "passed", detail: passed }
    : { check, result: "failed", detail: failure.message };
}

function skipped(check: ExplainedStep["check"]): ExplainedStep {
  return { check, result: "skipped", detail: "not looked at: an earlier check failed" };
}
