import type { LaunchFacts } from "../../src/cache/launch_facts.ts";
import { serverEnvironment } from "../../src/definitions/environment.ts";
import { expandConfig } from "../../src/definitions/placeholders.ts";
import type { Finding } from "../../src/doctor/finding.ts";
import type { ProgramFacts, Subject } from "../../src/doctor/subject.ts";
import type { Definition, ServerConfig } from "../../src/model/definition.ts";
import type { ToolInfo } from "../../src/model/listing.ts";
import type { LaunchDecision } from "../../src/plan/plan_facts.ts";
import { made, USER } from "../plan/made.ts";

export { made, PROJECT, USER } from "../plan/made.ts";

/** A definition of the agent with this id and dialect. */
export function of(
  id: string,
  config: ServerConfig,
  more: Partial<Definition["source"]> = {},
  name = "one",
): Definition {
  return made(name, config, { ...USER, id, label: id, line: 7, ...more });
}

/** A definition that nothing more is known of: it may not be evaluated. */
export function subject(definition: Definition, more: Partial<Subject> = {}): Subject {
  return {
    definition,
    wins: true,
    verdict: { state: "run" },
    literal: false,
    decision: null,
    launch: null,
    program: null,
    folder: null,
    tools: null,
    ...more,
  };
}

/** A definition that may run, its placeholders replaced from these variables. */
export function running(
  definition: Definition,
  env: Readonly<Record<string, string>> = {},
  more: Partial<Subject> = {},
): Subject {
  const expansion = expandConfig(definition.config, {
    dialect: definition.source.dialect,
    env,
    home: "/home/me",
    workspacePath: "/repo",
    configFolder: "/repo",
    pathSeparator: "/",
  });
  const { config } = expansion;
  const isProcess = config.command !== undefined;
  const decision: LaunchDecision = {
    expansion,
    needsInput: expansion.needsInput,
    cwd: isProcess ? "/home/me" : null,
    cwdWarning: null,
    envFile: null,
    held: [],
  };
  const launch: LaunchFacts = {
    config,
    commands: [],
    environment: isProcess ? serverEnvironment(definition.source.environment, config, env) : {},
    cwd: "/home/me",
    program: null,
    fingerprint: "0".repeat(64),
    secrets: [],
  };
  return subject(definition, {
    decision,
    launch: expansion.problems.length === 0 ? launch : null,
    ...more,
  });
}

/** A program that is there. */
export function program(more: Partial<ProgramFacts> = {}): ProgramFacts {
  return {
    written: "npx",
    path: "/usr/bin/npx",
    searched: 2,
    foreign: null,
    unusable: null,
    onOwnPath: null,
    near: null,
    firstWord: null,
    interpreter: null,
    desktop: null,
    ...more,
  };
}

/** A tool with these arguments. */
export function tool(name: string, inputSchema: ToolInfo["inputSchema"] = {}): ToolInfo {
  return {
    name,
    title: null,
    description: "",
    inputSchema: { type: "object", properties: {}, ...inputSchema },
    outputSchema: null,
    annotations: null,
    raw: { name },
  };
}

/** What findings say, gravity first: `error: message → remedy`. */
export function told(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ severity, message, remedy }) => `${severity}: ${message} → ${remedy}`);
}

/** The messages alone. */
export function messages(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ message }) => message);
}
