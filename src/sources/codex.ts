import { join } from "node:path";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import { codexEntry } from "./codex_spelling.ts";
import { TOKEN_KEY, withHeaderVariables } from "./header_variables.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inHome, inProgramData, movedTo } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import type { NearMiss } from "./near_miss.ts";

/** Codex's settings, of which its servers are a part. */
const FORMAT: HostFormat = {
  id: "codex",
  label: "Codex",
  rank: 70,
  // Its texts are literal; variables come in by the keys that name them.
  dialect: "common",
  literal: true,
  environment: "codex",
  key: ["mcp_servers"],
  shared: true,
  layered: true,
  timeoutUnit: "s",
  rename: {
    http_headers: "headers",
    env_vars: "inheritEnv",
    startup_timeout_sec: "startupTimeout",
    tool_timeout_sec: "callTimeout",
    enabled_tools: "enabledTools",
    disabled_tools: "disabledTools",
  },
  ignore: [
    "default_tools_approval_mode",
    "environment_id",
    "experimental_environment",
    "name",
    "oauth_resource",
    "omit_tools_from",
    "required",
    "scopes",
    "startup_readiness",
    "supports_parallel_tool_calls",
    "tools",
  ],
  translate,
  spelling: {
    types: { stdio: null, streamable_http: null },
    keys: [
      "cwd",
      "inheritEnv",
      "startupTimeout",
      "callTimeout",
      "enabledTools",
      "disabledTools",
      "oauth",
    ],
    off: { kind: "key", key: "enabled", off: false },
    finish: codexEntry,
  },
};

/** Codex: `config.toml` of the user and of every folder of the project, and those of the system. */
export const codex: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    { path: managedFile(machine), scope: "managed" },
    join(folder(machine), "config.toml"),
  ],
  foundFiles: ({ machine }) => [{ path: systemFile(machine) }],
  projectFiles: [join(".codex", "config.toml")],
  nearMisses: ({ machine, workspacePath }) => [
    ...["mcp.json", "config.json"].map((name): NearMiss => ({
      path: join(folder(machine), name),
      scope: "user",
      belongs: join(folder(machine), "config.toml"),
    })),
    {
      path: join(workspacePath, ".codex", "mcp.json"),
      scope: "project",
      belongs: join(".codex", "config.toml"),
    },
  ],
});

/** The user's folder of Codex. */
function folder(machine: Machine): string {
  return movedTo(machine, "CODEX_HOME") ?? inHome(machine, ".codex");
}

/** What an administrator puts above all else. */
function managedFile(machine: Machine): string {
  const { platform } = machine;
  return platform === "win32"
    ? join(folder(machine), "managed_config.toml")
    : "/etc/codex/managed_config.toml";
}

/** What an administrator puts below all else. */
function systemFile(machine: Machine): string {
  const { platform } = machine;
  return platform === "win32"
    ? inProgramData(machine, "OpenAI", "Codex", "config.toml")
    : "/etc/codex/config.toml";
}

/** Keys that Codex refuses beside a command, and beside a url. */
const FOREIGN: Readonly<Record<"command" | "url", readonly string[]>> = {
  command: [
    "url",
    TOKEN_KEY,
    "http_headers",
    "env_http_headers",
    "http_headers_helper",
    "oauth",
    "oauth_resource",
  ],
  url: ["args", "env", "env_vars", "cwd"],
};

/** Gathers what Codex spreads over several keys, and tells what it would refuse. */
function translate(raw: JsonObject): TranslatedEntry {
  const problems: ErrorInfo[] = [];
  const warnings: string[] = [];
  const kind = raw["command"] !== undefined
    ? "command"
    : raw["url"] !== undefined
    ? "url"
    : undefined;
  const foreign = kind === undefined ? [] : FOREIGN[kind].filter((key) => raw[key] !== undefined);
  for (const key of foreign) problems.push(refused(`"${key}" stands beside "${kind}"`));
  if (raw["bearer_token"] !== undefined) {
    problems.push(refused(
      `"bearer_token" must not stand in the file`,
      `Set a variable to the token and write its name as "${TOKEN_KEY}"`,
    ));
  }
  if (raw["http_headers_helper"] !== undefined && kind !== "command") {
    warnings.push(`"http_headers_helper" is not run; put the headers into "http_headers"`);
  }
  const dropped = new Set([...foreign, "bearer_token", "http_headers_helper"]);
  const known = Object.fromEntries(Object.entries(raw).filter(([key]) => !dropped.has(key)));
  const timed = withStartSeconds(known);
  const entry = withHeaderVariables(withVariableNames(timed, warnings), "http_headers");
  return { raw: entry, problems, warnings };
}

/** The limit for the start in seconds, also where it is given in milliseconds; seconds win. */
function withStartSeconds({ startup_timeout_ms: ms, ...entry }: JsonObject): JsonObject {
  const isUsed = typeof ms === "number" && entry["startup_timeout_sec"] === undefined;
  return isUsed ? { ...entry, startup_timeout_sec: ms / 1000 } : entry;
}

/** The names of `env_vars`, which may also stand in objects that say whose variable is meant. */
function withVariableNames(entry: JsonObject, warnings: string[]): JsonObject {
  const listed = entry["env_vars"];
  if (!Array.isArray(listed)) return entry;
  const names = (listed as readonly JsonValue[]).flatMap((item): readonly JsonValue[] => {
    if (!isJsonObject(item)) return [item];
    const { name, source } = item;
    if (typeof name !== "string") return [item];
    if (source !== "remote") return [name];
    warnings.push(`"env_vars" names "${name}" of a remote machine, which is ignored here`);
    return [];
  });
  return { ...entry, env_vars: names };
}

/** What makes Codex refuse the entry, and all others with it. */
function refused(what: string, hint: string | null = null): ErrorInfo {
  return {
    code: "config-invalid",
    message: `Cannot use this entry: ${what}, for which Codex refuses the whole file`,
    hint,
  };
}
