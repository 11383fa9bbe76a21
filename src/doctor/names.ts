import type { Definition } from "../model/definition.ts";
import { type Finding, listed, placeOfDefinition } from "./finding.ts";
import { asSeen } from "./lookalike.ts";
import { isActive, type Subject } from "./subject.ts";

/** Names that an agent takes, and what it does with others. */
interface NameRule {
  /** What it takes. */
  readonly takes: RegExp;
  /** What happens to another, as the end of a sentence. */
  readonly otherwise: string;
}

const LETTERS = /^[A-Za-z0-9_-]+$/;

/** The rules of agents, by the ids of their sources. */
const NAME_RULES: Readonly<Record<string, NameRule>> = {
  "claude-code": { takes: LETTERS, otherwise: "Claude Code takes letters, digits, - and _ alone" },
  "mcp-json": { takes: LETTERS, otherwise: "Claude Code takes letters, digits, - and _ alone" },
  "codex": { takes: LETTERS, otherwise: "Codex takes letters, digits, - and _ alone" },
  "gemini-cli": {
    takes: /^[^_]+$/,
    otherwise: "Gemini CLI cannot tell a name with _ from the name of its tool",
  },
};

/**
 * Names of servers that are one to a model, that an eye cannot tell apart, or that their agent does
 * not take. Pure.
 * @param subjects Those that stand for their names, and others; clashes are looked for among all.
 */
export function nameFindings(subjects: readonly Subject[]): readonly Finding[] {
  const winners = subjects.filter((one) => one.wins && isActive(one))
    .map(({ definition }) => definition);
  const samePrefix = clashes(winners, ({ name }) => cleaned(name));
  const alike = clashes(winners, ({ name }) => asSeen(name));
  return [
    ...samePrefix.map(({ own, others }) =>
      finding(
        own,
        "warning",
        `Tools of "${own.name}" and of ${listed(others)} have names that begin with ` +
          `"mcp_${cleaned(own.name)}_"; where two are equal both get a suffix`,
        "Give one of the servers another name",
      )
    ),
    ...alike.filter(({ own, others }) =>
      !others.every((other) => cleaned(other) === cleaned(own.name))
    ).map(({ own, others }) =>
      finding(
        own,
        "warning",
        `The name is easily taken for that of ${listed(others)}: they differ by case or by ` +
          "letters that look alike",
        "Give one of the servers another name",
      )
    ),
    ...subjects.filter(isActive).flatMap(({ definition }) => refusedName(definition)),
  ];
}

function refusedName(definition: Definition): readonly Finding[] {
  const { name, source } = definition;
  const rule = Object.hasOwn(NAME_RULES, source.id) ? NAME_RULES[source.id] : undefined;
  if (rule === undefined || rule.takes.test(name)) return [];
  const better = source.id === "gemini-cli" ? name.replaceAll("_", "-") : cleaned(name);
  return [
    finding(
      definition,
      "warning",
      `The agent does not take this name: ${rule.otherwise}`,
      [
        "Rename it",
        rule.takes.test(better) ? `, for example to "${better}"` : "",
      ].join(""),
    ),
  ];
}

/** Definitions whose names come to the same, each with the names of the others. */
function clashes(
  definitions: readonly Definition[],
  keyOf: (definition: Definition) => string,
): readonly { readonly own: Definition; readonly others: readonly string[] }[] {
  return [...Map.groupBy(definitions, keyOf).values()].flatMap((same) =>
    same.length < 2 ? [] : same.map((own) => ({
      own,
      others: same.filter((one) => one !== own).map(({ name }) => name),
    }))
  );
}

/** The part of a public name that comes from the server's. */
function cleaned(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/gu, "_");
}

function finding(
  definition: Definition,
  severity: Finding["severity"],
  message: string,
  remedy: string,
): Finding {
  return { check: "names", severity, ...placeOfDefinition(definition), message, remedy };
}
