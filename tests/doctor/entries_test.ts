import assert from "node:assert/strict";
import { entryFindings, rowFindings } from "../../src/doctor/entries.ts";
import { listed } from "../../src/doctor/finding.ts";
import { APPROVE_HOOKS } from "../../src/plan/hook_files.ts";
import { sourceFileFindings } from "../../src/doctor/source_files.ts";
import type { PlannedServer } from "../../src/model/plan.ts";
import type { SourceReport } from "../../src/model/source.ts";
import { of, subject, told } from "./made.ts";

const REPORT: SourceReport = {
  id: "a",
  label: "A",
  scope: "user",
  path: "/home/me/a.json",
  state: "loaded",
  servers: 1,
  error: null,
  warnings: [],
};

Deno.test("files that cannot be used are errors, those that nobody reads are not [A45]", () => {
  const error = {
    code: "config-malformed",
    message: "Bad at line 3, column 1",
    hint: null,
  } as const;
  const cases: readonly (readonly [Partial<SourceReport>, readonly string[]])[] = [
    [{}, []],
    [{ state: "absent" }, []],
    [{ state: "malformed", error }, ["error: Bad at line 3, column 1 → Correct the file"]],
    [{ state: "near-miss", warnings: ["Not read"] }, [
      "warning: Not read → Move its servers there, or remove the file",
    ]],
    [{ state: "near-miss" }, [
      "warning: Servers in this file are not read → Move them, or remove the file",
    ]],
    [{ path: "CONFIG_CONTENT", state: "near-miss", warnings: ["Not read"] }, [
      "warning: Not read → Move its servers there, or unset the variable",
    ]],
    [{ path: "CONFIG_CONTENT", state: "near-miss" }, [
      'warning: Servers in the variable "CONFIG_CONTENT" are not read → Move them, or unset the ' +
      "variable",
    ]],
    [{ warnings: [`You did not approve them: none of its hooks runs. ${APPROVE_HOOKS}`] }, [
      "warning: Hooks of the project: You did not approve them: none of its hooks runs → " +
      "Look at them and approve them: mcp trust --hooks",
    ]],
    [{ warnings: ["Twice"] }, ["info: Twice → Correct it in that file"]],
  ];
  for (const [report, expected] of cases) {
    assert.deepEqual(told(sourceFileFindings([{ ...REPORT, ...report }])), expected);
  }
  const [finding] = sourceFileFindings([{ ...REPORT, state: "malformed", error }]);
  assert.deepEqual([finding?.path, finding?.line], ["/home/me/a.json", 3]);
  const [variable] = sourceFileFindings([{ ...REPORT, path: "CONFIG", state: "near-miss" }]);
  assert.equal(variable?.path, null, "a variable is no file to look at");
});

Deno.test("an entry's problems are errors where it stands for its name", () => {
  const problem = { code: "config-invalid", message: "Bad entry", hint: "Mend it" } as const;
  const definition = { ...of("cursor", {}), problems: [problem], warnings: ["Odd key"] };
  assert.deepEqual(told(entryFindings(subject(definition))), [
    "error: Bad entry → Mend it",
    "info: Odd key → Correct the entry in its file",
  ]);
  assert.match(told(entryFindings(subject(definition, { wins: false })))[0] ?? "", /^warning/);
});

Deno.test("names that nothing defines and those that wait are told; what runs or is off is not", () => {
  const row = (verdict: PlannedServer["verdict"], name = "one"): PlannedServer => ({
    name,
    definition: verdict.state === "missing" ? null : of("cursor", {}, {}, name),
    launch: null,
    verdict,
    workspace: "enabled",
    others: [],
    warnings: [],
  });
  assert.deepEqual(
    told(rowFindings([
      row({ state: "run" }),
      row({ state: "disabled", reason: null }),
      row({ state: "blocked", reason: null }),
      row({ state: "missing", reason: null }, "gone"),
      row({ state: "untrusted", reason: null }),
    ])),
    [
      "warning: Nothing defines this name → Define it: mcp add gone -- <command>; or take it out: " +
      "mcp disable gone",
      "info: Only its text was checked, as it waits for your approval → Look at it and approve it: " +
      "mcp trust one",
    ],
  );
});

Deno.test("names in a sentence are joined, and many are counted", () => {
  assert.equal(listed([]), "");
  assert.equal(listed(["a"]), '"a"');
  assert.equal(listed(["a", "b", "c"]), '"a", "b" and "c"');
  assert.equal(listed(["a", "b", "c"], 1), '"a" and 2 more');
});
