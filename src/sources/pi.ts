import { join } from "node:path";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inHome, movedTo } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { fromPiValue, toPiValue } from "./pi_values.ts";
import { withSingleTimeout } from "./single_timeout.ts";
import { unsayable } from "./written_entry.ts";

/** pi's files. Variables and commands stand in the values of `env` and `headers` alone. */
const FORMAT: HostFormat = {
  id: "pi",
  label: "pi",
  rank: 30,
  dialect: "hotplug",
  literal: ["command", "args", "cwd", "url"],
  environment: "all",
  key: ["mcpServers"],
  layered: true,
  timeoutUnit: "s",
  ignore: ["exposure", "toolExposure"],
  translate,
  spelling: {
    types: { stdio: null, streamable_http: null },
    keys: ["cwd", "startupTimeout", "callTimeout", "oauth", "description"],
    off: { kind: "key", key: "enabled", off: false },
    finish: asPiEntry,
  },
};

/** pi: `mcp.json` of its agent folder and of the project. */
export const pi: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    join(
      movedTo(machine, "PI_CODING_AGENT_DIR") ?? inHome(machine, ".pi", "agent"),
      "mcp.json",
    ),
  ],
  projectFiles: [{ path: join(".pi", "mcp.json"), format: { translate: projectEntry } }],
  nearMisses: ({ machine, workspacePath }) => {
    const path = inHome(machine, ".pi", "mcp.json");
    // In the home folder itself it is the project's file.
    if (workspacePath === machine.home) return [];
    return [{ path, scope: "user", belongs: "~/.pi/agent/mcp.json" }];
  },
});

/** Names that pi takes. */
const NAME = /^[A-Za-z0-9_-]+$/;

/** Keys that an entry of a project may change of the user's entry of its name. */
const CHANGEABLE: ReadonlySet<string> = new Set(["enabled", "exposure", "toolExposure"]);

/** Reads pi's values, and `~/` where pi takes it for the home folder. */
function translate(raw: JsonObject): TranslatedEntry {
  const problems: ErrorInfo[] = [];
  const warnings: string[] = [];
  const { auth, command, args, env, headers, ...rest } = raw;
  if (auth !== undefined) {
    warnings.push(`"auth" names a login of pi's, which is not used here`);
  }
  const values = (key: string, map: JsonValue | undefined): JsonValue | undefined => {
    if (!isJsonObject(map)) return map;
    return Object.fromEntries(
      Object.entries(map).map(([name, value]) => {
        if (typeof value !== "string") return [name, value];
        const read = fromPiValue(value);
        if (read === null) problems.push(misleading(`${key}.${name}`));
        return [name, read ?? ""];
      }),
    );
  };
  const entry: JsonObject = {
    ...rest,
    ...(command === undefined ? {} : { command: fromHome(command) }),
    ...(args === undefined
      ? {}
      : { args: Array.isArray(args) ? (args as readonly JsonValue[]).map(fromHome) : args }),
    ...(env === undefined ? {} : { env: values("env", env) }),
    ...(headers === undefined ? {} : { headers: values("headers", headers) }),
  };
  return { raw: entry, problems, warnings };
}

/** An entry of a project, which changes the user's when it has nothing to start or reach. */
function projectEntry(raw: JsonObject): TranslatedEntry {
  const translated = translate(raw);
  const isChange = ["command", "url", "type"].every((key) => raw[key] === undefined);
  const foreign = isChange ? Object.keys(raw).filter((key) => !CHANGEABLE.has(key)) : [];
  const problems = foreign.map((key): ErrorInfo => ({
    code: "config-invalid",
    message: `Cannot change "${key}" of a server: pi lets a project change "enabled" alone`,
    hint: `Write the whole server with its "command" or "url"`,
  }));
  return { ...translated, problems: [...translated.problems ?? [], ...problems] };
}

function fromHome(word: JsonValue): JsonValue {
  return typeof word === "string" && word.startsWith("~/") ? `\${userHome}${word.slice(1)}` : word;
}

function misleading(field: string): ErrorInfo {
  return {
    code: "config-invalid",
    message: `Cannot use "${field}": it holds a plain sign where a command or variable would begin`,
    hint: "Put the whole value into a variable and name the variable",
  };
}

/** An entry in pi's values, with the one limit that pi has. */
function asPiEntry(
  raw: JsonObject,
  _config: unknown,
  name: string,
): { readonly raw: JsonObject; readonly problems: readonly ErrorInfo[] } {
  const problems: ErrorInfo[] = [];
  if (!NAME.test(name)) problems.push(unsayable("pi takes letters, digits, _ and - in names"));
  const values = (key: string): JsonObject => {
    const map = raw[key];
    if (!isJsonObject(map)) return {};
    const written = Object.entries(map).map(([field, value]) => {
      const text = typeof value === "string" ? toPiValue(value) : null;
      if (text === null) problems.push(unsayable(`pi has no way to say "${key}.${field}"`));
      return [field, text ?? ""];
    });
    return { [key]: Object.fromEntries(written) };
  };
  const { command, args: written, ...rest } = raw;
  const args = Array.isArray(written) ? written as readonly JsonValue[] : [];
  if (args.some((arg) => typeof arg === "string" && arg.startsWith("~/"))) {
    problems.push(unsayable('pi takes "~/" at the begin of an argument for the home folder'));
  }
  const entry: JsonObject = {
    ...(command === undefined ? {} : { command: toHome(command) }),
    ...(args.length === 0 ? {} : { args: args.map(toHome) }),
    ...rest,
    ...values("env"),
    ...values("headers"),
  };
  return { raw: withSingleTimeout(entry), problems };
}

function toHome(word: JsonValue): JsonValue {
  const home = "${userHome}/";
  return typeof word === "string" && word.startsWith(home) ? `~/${word.slice(home.length)}` : word;
}
