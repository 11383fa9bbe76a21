import { variableValue } from "../definitions/placeholder_context.ts";
import { parseTemplate } from "../definitions/placeholder_syntax.ts";
import { variablesOf } from "../definitions/placeholders.ts";
import { secretValues, shownCommandLine, shownUrl, textMasker } from "../definitions/secrets.ts";
import { isPlaceholder } from "../definitions/secret_words.ts";
import type { Definition, ServerConfig } from "../model/definition.ts";
import { isLiteral } from "../sources/literal_keys.ts";
import { SOURCES } from "../sources/registry.ts";
import { needsApproval } from "./approval.ts";
import { placeholderContext } from "./approval_digest.ts";
import type { JudgedDefinition } from "./judge.ts";
import type { LaunchDecision } from "./plan_facts.ts";
import type { Survey } from "./survey.ts";

/** What a definition starts or reaches. Holds no secret. */
export interface ExplainedLaunch {
  /** As its file says, placeholders unexpanded. */
  readonly written: string;
  /** With placeholders replaced; `null` when it may not be evaluated, or cannot. */
  readonly expanded: string | null;
  /** Working folder of a local server; `null` when not decided. */
  readonly cwd: string | null;
  /** Names of the variables that its process is given beyond what it inherits. */
  readonly env: readonly string[];
  /** Names of the headers that are sent. */
  readonly headers: readonly string[];
  /** What a local server inherits, see `EnvironmentPolicy`; `null` for a remote one. */
  readonly inherits: string | null;
  /** Names of the variables that its placeholders read. */
  readonly reads: readonly string[];
}

/** What a definition would start or reach, for a human; secrets are replaced. */
export function explainedLaunch(
  { definition, decision }: JudgedDefinition,
  found: Survey,
): ExplainedLaunch {
  const { config, source } = definition;
  const { inheritEnv } = config;
  const isLocal = config.command !== undefined;
  const complete = decision !== null && decision.expansion.problems.length === 0;
  const mask = decision === null ? null : expandedMask(definition, decision, found);
  return {
    written: writtenLine(definition),
    expanded: complete && mask !== null ? mask(line(decision.expansion.config)) : null,
    cwd: decision === null || decision.cwd === null || mask === null ? null : mask(decision.cwd),
    env: Object.keys(config.env ?? {}),
    headers: Object.keys(config.headers ?? {}),
    inherits: !isLocal
      ? null
      : inheritEnv === undefined
      ? source.environment
      : inherited(inheritEnv),
    reads: variablesOf(config, source.dialect),
  };
}

function inherited(inheritEnv: boolean | readonly string[]): string {
  if (typeof inheritEnv === "boolean") return inheritEnv ? "all" : "base";
  return inheritEnv.join(", ");
}

function line(config: ServerConfig): string {
  return config.command === undefined ? shownUrl(config.url ?? "") : shownCommandLine(config);
}

/**
 * As the file says. Of what a repository declares no more is replaced than before an approval: it
 * must not hide what it runs behind the name of a secret.
 */
function writtenLine(definition: Definition): string {
  const config = fileTexts(definition);
  if (needsApproval(definition)) return line(config);
  const given = <Value>(map: Readonly<Record<string, Value>> = {}): Record<string, Value> =>
    Object.fromEntries(
      Object.entries(map).filter(([, value]) => typeof value !== "string" || !isPlaceholder(value)),
    );
  const { env, headers } = config;
  return textMasker(secretValues({ ...config, env: given(env), headers: given(headers) }))(
    line(config),
  );
}

/**
 * The definition with the texts that its host takes as they are, without the signs that were put
 * in to keep them so. One that a placeholder was put into stays as it is read.
 */
function fileTexts({ config, source }: Definition): ServerConfig {
  const format = SOURCES.find(({ id }) => id === source.id)?.writer?.format;
  if (format?.literal === undefined) return config;
  const plain = <Text extends string | null>(key: string, text: Text): Text | string => {
    if (text === null || !isLiteral(key, format)) return text;
    const map = key === "env" || key === "headers" ? key : null;
    const parts = parseTemplate(text, source.dialect, map);
    return parts.every((part) => part.kind === "text")
      ? parts.map((part) => part.kind === "text" ? part.text : "").join("")
      : text;
  };
  const { command, args, url, env, headers } = config;
  const all = <Text extends string | null>(
    key: string,
    map: Readonly<Record<string, Text>>,
  ): Record<string, Text | string> =>
    Object.fromEntries(Object.entries(map).map(([name, text]) => [name, plain(key, text)]));
  return {
    ...config,
    ...(command === undefined ? {} : { command: plain("command", command) }),
    ...(args === undefined ? {} : { args: args.map((text) => plain("args", text)) }),
    ...(url === undefined ? {} : { url: plain("url", url) }),
    ...(env === undefined ? {} : { env: all("env", env) }),
    ...(headers === undefined ? {} : { headers: all("headers", headers) }),
  };
}

/** Replaces what the definition holds of secrets, and what its variables and files brought in. */
function expandedMask(
  definition: Definition,
  { expansion: { config, secrets, variables } }: LaunchDecision,
  { machine, input: { workspacePath } }: Survey,
): (text: string) => string {
  const context = placeholderContext(definition, machine, workspacePath);
  const read = variables.map((name) => [name, variableValue(name, context) ?? null] as const);
  return textMasker([
    ...secretValues(config, secrets),
    ...secretValues({ env: Object.fromEntries(read), headers: {} }),
  ]);
}
