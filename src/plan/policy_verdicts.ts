import { serverEnvironment } from "../definitions/environment.ts";
import { parseTemplate } from "../definitions/placeholder_syntax.ts";
import type { Definition, ServerConfig } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { Machine } from "../model/machine.ts";
import { transportKind } from "../model/run_candidate.ts";
import type { PlaceholderDialect } from "../model/source.ts";
import { realPathOf } from "../platform/local_files.ts";
import { resolveProgram } from "../platform/program.ts";
import type { DefinitionFacts } from "./plan_facts.ts";
import { policyReason, type PolicySubject } from "./policy_check.ts";
import type { ProgramLooks } from "./policy_command.ts";
import type { Policy } from "./policy_rules.ts";

/** Definitions that a policy blocks, and the rules that do. */
export type Blocked = ReadonlyMap<Definition, ErrorInfo>;

/**
 * What a policy blocks by the text of the definitions alone, before anything about them is looked
 * up or evaluated. Where placeholders could change the answer it is left to
 * {@linkcode blockedAsLaunched}.
 */
export function blockedAsWritten(policy: Policy, definitions: readonly Definition[]): Blocked {
  return new Map(definitions.flatMap((definition) => {
    const reason = policyReason(policy, writtenSubject(definition), null);
    return reason === null ? [] : [[definition, reason] as const];
  }));
}

/**
 * What a policy blocks of the definitions that were looked into: by what they expand to and the
 * program that they would start. One that may not be evaluated yet, or cannot be, does not run
 * anyway: it is blocked when a rule denies it as it is written, and else waits as it would without
 * a policy, to be judged again when it is expanded.
 */
export function blockedAsLaunched(
  policy: Policy,
  facts: ReadonlyMap<Definition, DefinitionFacts>,
  machine: Machine,
): Blocked {
  const looks = programLooks(machine);
  const denials: Policy = policy.state === "usable" ? { ...policy, allowed: null } : policy;
  return new Map([...facts].flatMap(([definition, { launch }]) => {
    const { name, config, source } = definition;
    const evaluated = launch !== null && launch.expansion.problems.length === 0 ? launch : null;
    let reason: ErrorInfo | null;
    if (evaluated === null) {
      const subject = subjectOf(name, config, null);
      reason = policyReason(denials, subject, null);
    } else {
      const expanded = evaluated.expansion.config;
      const env = serverEnvironment(source.environment, expanded, machine.env);
      const program = expanded.command === undefined
        ? null
        : resolveProgram(expanded.command, { machine, env, cwd: evaluated.cwd ?? machine.home });
      reason = policyReason(policy, subjectOf(name, expanded, program?.path ?? null), looks);
    }
    return reason === null ? [] : [[definition, reason] as const];
  }));
}

/** A server with a config, its placeholders replaced or left as they are. */
export function subjectOf(
  name: string,
  config: ServerConfig,
  program: string | null,
): PolicySubject {
  const { command, url, args = [] } = config;
  return {
    name,
    transport: transportKind(config),
    url: url ?? null,
    argv: command === undefined ? null : [command, ...args],
    program,
    isOpen: false,
  };
}

/** What a machine's disk says about programs. */
export function programLooks(machine: Machine): ProgramLooks {
  const { env, home } = machine;
  return {
    windows: machine.platform === "win32",
    onPath: (name) => resolveProgram(name, { machine, env, cwd: home }).path,
    realPath: realPathOf,
  };
}

/** A server by the text of its definition; escaped placeholders are what they stand for. */
function writtenSubject({ name, config, source }: Definition): PolicySubject {
  const { command, url, args } = config;
  const texts = [command ?? "", url ?? "", ...args ?? []];
  const isOpen = texts.some((text) => plainText(text, source.dialect) === null);
  if (isOpen) return { ...subjectOf(name, config, null), isOpen };
  const plain = (text: string): string => plainText(text, source.dialect) ?? text;
  return subjectOf(name, {
    ...config,
    ...(command === undefined ? {} : { command: plain(command) }),
    ...(url === undefined ? {} : { url: plain(url) }),
    ...(args === undefined ? {} : { args: args.map(plain) }),
  }, null);
}

/** A text without placeholders as it is used; `null` when it has some. */
function plainText(text: string, dialect: PlaceholderDialect): string | null {
  const parts = parseTemplate(text, dialect).map((part) => part.kind === "text" ? part.text : null);
  return parts.includes(null) ? null : parts.join("");
}
