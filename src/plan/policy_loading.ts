import type { Definition } from "../model/definition.ts";
import type { Machine } from "../model/machine.ts";
import type { SourceReport } from "../model/source.ts";
import { reporter } from "../sources/reporter.ts";
import type { ReadFile } from "../sources/source.ts";
import type { DefinitionFacts } from "./plan_facts.ts";
import { type PolicyPlace, readPolicyFile } from "./policy_file.ts";
import type { Blocked } from "./policy_verdicts.ts";

/** A machine's policy, as discovery asks it. */
export interface LoadedPolicy {
  /** What is to be said of its file. */
  readonly report: SourceReport;
  /** What it blocks before anything about a definition is looked up. */
  asWritten(definitions: readonly Definition[]): Blocked;
  /** What it blocks of definitions that were looked into. */
  asLaunched(facts: ReadonlyMap<Definition, DefinitionFacts>, machine: Machine): Blocked;
}

/** Reads a machine's policy; `null` when it has none. Never rejects. */
export async function loadPolicy(
  place: PolicyPlace,
  readFile: ReadFile,
): Promise<LoadedPolicy | null> {
  const file = await readPolicyFile(place, readFile);
  if (file.state === "absent") return null;
  // Loaded here, since most machines have no policy.
  const [{ policyOf }, { blockedAsLaunched, blockedAsWritten }] = await Promise.all([
    import("./policy_reading.ts"),
    import("./policy_verdicts.ts"),
  ]);
  const { policy, report } = await policyOf(file);
  return {
    report,
    asWritten: (definitions) => blockedAsWritten(policy, definitions),
    asLaunched: (facts, machine) => blockedAsLaunched(policy, facts, machine),
  };
}

/** The report about the policy that a machine does not have. */
export function absentPolicy({ path }: PolicyPlace): SourceReport {
  return reporter({ id: "policy", label: "Policy" }, path, "managed")({ state: "absent" });
}
