import { variablesOf } from "../definitions/placeholders.ts";
import { secretValues, shownCommandLine, shownUrl, textMasker } from "../definitions/secrets.ts";
import type { JudgedDefinition } from "./judge.ts";

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
export function explainedLaunch({ definition, decision }: JudgedDefinition): ExplainedLaunch {
  const { config, source } = definition;
  const { inheritEnv } = config;
  const isLocal = config.command !== undefined;
  const complete = decision !== null && decision.expansion.problems.length === 0;
  return {
    written: isLocal ? shownCommandLine(config) : shownUrl(config.url ?? ""),
    expanded: complete ? expandedLine(decision.expansion.config) : null,
    cwd: decision?.cwd ?? null,
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

function expandedLine(config: Parameters<typeof secretValues>[0]): string {
  const line = config.command === undefined ? shownUrl(config.url ?? "") : shownCommandLine(config);
  return textMasker(secretValues(config))(line);
}
