import { parseJsonc } from "../formats/jsonc.ts";
import { kindOf } from "../definitions/entry_reader.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject } from "../model/json.ts";
import type { SourceReport } from "../model/source.ts";
import type { TextFile } from "../platform/text_file.ts";
import { reporter } from "../sources/reporter.ts";
import { repairHint } from "./policy_file.ts";
import { type LineOf, type Policy, readRules } from "./policy_rules.ts";

/** A policy, and what is to be said of its file. */
export interface PolicyReading {
  /** The policy. */
  readonly policy: Policy;
  /** Its file. */
  readonly report: SourceReport;
}

/**
 * The policy in a file that is there. One that cannot be used, for whatever reason, also an empty
 * one, is a policy under which nothing runs. Never rejects.
 */
export async function policyOf(
  file: Exclude<TextFile, { readonly state: "absent" }>,
): Promise<PolicyReading> {
  const { path } = file;
  const reported = reporter({ id: "policy", label: "Policy" }, path, "managed");
  const unusable = (state: "unreadable" | "malformed", error: ErrorInfo): PolicyReading => ({
    policy: { state: "unusable", path, error },
    report: reported({ state, error }),
  });
  if (file.state === "unreadable") return unusable("unreadable", file.error);
  const parsed = await parseJsonc(file.text);
  if (!parsed.ok) {
    const { line, column } = parsed.place;
    const problem = `${parsed.message} at line ${line}, column ${column}`;
    return unusable("malformed", faulty("config-malformed", path, problem));
  }
  const { value, duplicates, placeOf } = parsed.document;
  const lineOf: LineOf = async (at) => (await placeOf(at))?.line ?? null;
  if (!isJsonObject(value)) {
    const problem = parsed.document.isEmpty ? "it is empty" : `it is ${kindOf(value)}, no object`;
    return unusable("malformed", faulty("config-invalid", path, problem));
  }
  // Only the last of two equal keys counts, so one of them would be passed over in silence.
  const [repeated] = duplicates;
  if (repeated !== undefined) {
    const key = JSON.stringify(repeated.path.at(-1));
    const problem = `${key} stands twice, again at line ${repeated.place.line}`;
    return unusable("malformed", faulty("config-invalid", path, problem));
  }
  const rules = await readRules(value, lineOf);
  if (!rules.ok) {
    const line = await lineOf(rules.at);
    const problem = line === null ? rules.problem : `${rules.problem} (line ${line})`;
    return unusable("malformed", faulty("config-invalid", path, problem));
  }
  const { allowed, denied, allowedKey, warnings } = rules;
  return {
    policy: { state: "usable", path, allowed, denied, allowedKey },
    report: reported({ state: "loaded", warnings: [...file.notes, ...warnings] }),
  };
}

function faulty(code: ErrorInfo["code"], path: string, problem: string): ErrorInfo {
  return {
    code,
    message: `Cannot use the policy "${path}": ${problem}`,
    hint: repairHint(path),
  };
}
