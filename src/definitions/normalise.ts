import type { ServerConfig, TransportType } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonValue } from "../model/json.ts";
import { splitCommandLine } from "./command_line.ts";
import { canonicalFields, emptyKeys } from "./entry_keys.ts";
import { hasUserInfo } from "./http_fields.ts";
import { EntryReader, kindOf } from "./entry_reader.ts";
import { nameProblem } from "./server_name.ts";
import { maskArguments } from "./secret_arguments.ts";
import { transportType } from "./transport_type.ts";
import { textProblems, transportProblems, TYPE_HINT, unknownType } from "./validate.ts";

/** An entry in canonical form, and what was found on the way. */
export interface NormalisedConfig {
  /** What could be read; whole only when there are no problems. */
  readonly config: ServerConfig;
  /** Why the entry can never run as written; empty when it is valid. */
  readonly problems: readonly ErrorInfo[];
  /** What its author should know though it runs. */
  readonly warnings: readonly string[];
}

/** How one dialect differs from the canonical form. */
export interface NormaliseOptions {
  /** Unit of `timeout`, `startupTimeout` and `callTimeout`. Default `ms`. */
  readonly timeoutUnit?: "ms" | "s";
  /** The dialect's own keys, each with the canonical key that it stands for. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Keys of the dialect that mean nothing here and earn no warning. */
  readonly ignore?: readonly string[];
}

/** Levels that a free-form field such as `auth` may have; it is walked by recursion later. */
const MAX_DEPTH = 200;

type Fields = ReadonlyMap<string, JsonValue>;
type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/**
 * Reads one entry of a config file into canonical form and validates it. Never throws, whatever
 * the entry is; no message quotes a value that may be a secret.
 */
export function normaliseConfig(
  name: string,
  raw: unknown,
  options: NormaliseOptions = {},
): NormalisedConfig {
  const reader = new EntryReader();
  if (!isJsonObject(raw)) {
    reader.problem(`Cannot use this entry: it must be an object, not ${kindOf(raw)}`);
    return { config: {}, problems: reader.problems, warnings: [] };
  }
  const fields = canonicalFields(raw, options.rename ?? {}, options.ignore ?? [], reader);
  const config: Writable<ServerConfig> = {};
  readLaunch(fields, config, reader);
  // What could not be read is missing from the config; that it is missing is then no news.
  const launchIsKnown = reader.problems.length === 0;
  readSwitches(fields, config, reader);
  readTimes(fields, config, reader, options.timeoutUnit === "s" ? 1_000 : 1);
  readTools(fields, config, reader);
  readRest(fields, config, reader);
  const badName = nameProblem(name);
  const problems = [
    ...(badName === null ? [] : [badName]),
    ...reader.problems,
    ...(launchIsKnown ? transportProblems({ ...emptyKeys(fields), ...config }) : []),
    ...textProblems(config),
  ];
  return { config, problems, warnings: reader.warnings };
}

/** What a server is started or reached with. */
function readLaunch(fields: Fields, config: Writable<ServerConfig>, reader: EntryReader): void {
  const written = reader.text("type", fields.get("type"));
  const type = written === undefined ? undefined : transportType(written);
  if (type === null) reader.problem(unknownType(written ?? ""), TYPE_HINT);
  const { command, args } = readCommand(fields, reader);
  const url = reader.text("url", fields.get("url"));
  const env = reader.textMap("env", fields.get("env"), () => null);
  const headers = reader.textMap<never>("headers", fields.get("headers"), (header) => {
    reader.warn(`"headers.${header}" is null and is not sent`);
    return undefined;
  });
  const cwd = reader.text("cwd", fields.get("cwd"));
  const envFile = reader.text("envFile", fields.get("envFile"));
  const used = usedType(type ?? undefined, command, url, reader);
  if (used !== undefined) config.type = used;
  if (command !== undefined && used !== "sse" && used !== "streamable_http") {
    config.command = command;
  }
  if (args !== undefined) config.args = args;
  if (env !== undefined) config.env = env;
  if (envFile !== undefined) config.envFile = envFile;
  if (cwd !== undefined) config.cwd = cwd;
  if (url !== undefined && type !== "stdio") config.url = url;
  if (headers !== undefined) config.headers = headers;
  noteUseless(config, reader);
}

/** The transport, given or inferred; a command alone means stdio. */
function usedType(
  type: TransportType | undefined,
  command: string | undefined,
  url: string | undefined,
  reader: EntryReader,
): TransportType | undefined {
  if (type === undefined) return command !== undefined && url === undefined ? "stdio" : undefined;
  if (command === undefined || url === undefined) return type;
  const ignored = type === "stdio" ? "url" : "command";
  reader.warn(`"${ignored}" is ignored: the type is "${type}"`);
  return type;
}

/** Program and arguments, also when both stand in one array. */
function readCommand(
  fields: Fields,
  reader: EntryReader,
): { readonly command: string | undefined; readonly args: readonly string[] | undefined } {
  const args = readArgs(fields, reader);
  const written = fields.get("command");
  if (!Array.isArray(written)) return { command: reader.text("command", written), args };
  const words = reader.texts("command", written) ?? [];
  const program = reader.text("command", words[0]);
  reader.warn(`"command" should be a string with its arguments in "args"`);
  return { command: program, args: [...words.slice(1), ...(args ?? [])] };
}

function readArgs(fields: Fields, reader: EntryReader): readonly string[] | undefined {
  const written = fields.get("args");
  if (typeof written !== "string") return reader.texts("args", written);
  const words = maskArguments(splitCommandLine(written));
  if (words.length === 0) return undefined;
  reader.problem(
    `Cannot use "args": it must be an array of strings, not a string`,
    `Did you mean "args": [${words.map((word) => JSON.stringify(word)).join(", ")}]`,
  );
  return undefined;
}

/** Warns about fields that the transport has no use for. */
function noteUseless(config: ServerConfig, reader: EntryReader): void {
  const { type, url, args, headers } = config;
  if (type === "stdio" && Object.keys(headers ?? {}).length > 0) {
    reader.warn(`"headers" has no effect on a stdio server`);
  }
  if (url === undefined || config.command !== undefined) return;
  if ((args ?? []).length > 0) reader.warn(`"args" has no effect on a remote server`);
  for (const key of ["cwd", "envFile"] as const) {
    if (config[key] !== undefined) reader.warn(`"${key}" has no effect on a remote server`);
  }
  if (hasUserInfo(url)) {
    reader.warn(`"url" holds a user name or password: put it into "headers"`);
  }
}

function readSwitches(fields: Fields, config: Writable<ServerConfig>, reader: EntryReader): void {
  const enabled = reader.flag("enabled", fields.get("enabled"));
  const disabled = reader.flag("disabled", fields.get("disabled"));
  if (enabled === false || disabled === true) config.enabled = false;
  else if (enabled !== undefined) config.enabled = enabled;
  const inherited = fields.get("inheritEnv");
  const inheritEnv = Array.isArray(inherited)
    ? inheritedVariables(inherited, reader)
    : reader.flag("inheritEnv", inherited);
  if (inheritEnv !== undefined) config.inheritEnv = inheritEnv;
  const share = reader.flag("share", fields.get("share"));
  if (share !== undefined) config.share = share;
}

/** Names of variables, each once; what cannot be one is ignored, as it only is one variable less. */
function inheritedVariables(
  written: readonly JsonValue[],
  reader: EntryReader,
): readonly string[] | undefined {
  const names = new Set<string>();
  for (const [index, item] of written.entries()) {
    const name = typeof item === "string" ? item.trim() : "";
    if (name !== "" && !/[=\0]/.test(name)) names.add(name);
    else reader.warn(`"inheritEnv[${index}]" is ignored: it must be the name of a variable`);
  }
  return names.size === 0 ? undefined : [...names];
}

/** `timeout` stands in for whichever of the two others is not given. */
function readTimes(
  fields: Fields,
  config: Writable<ServerConfig>,
  reader: EntryReader,
  factor: number,
): void {
  const read = (key: string): number | undefined =>
    reader.milliseconds(key, fields.get(key), factor);
  const both = read("timeout");
  const startup = read("startupTimeout") ?? both;
  const call = read("callTimeout") ?? both;
  if (startup !== undefined) config.startupTimeout = startup;
  if (call !== undefined) config.callTimeout = call;
}

function readTools(fields: Fields, config: Writable<ServerConfig>, reader: EntryReader): void {
  const enabled = reader.texts("enabledTools", fields.get("enabledTools"));
  const disabled = reader.texts("disabledTools", fields.get("disabledTools"));
  if (enabled !== undefined) config.enabledTools = enabled;
  if (disabled !== undefined) config.disabledTools = disabled;
  if (enabled?.length === 0) reader.warn(`"enabledTools" is empty: no tool is offered`);
  // A list that cannot be read only costs a question, so it stops nothing.
  const approved = fields.get("autoApprove");
  if (Array.isArray(approved) && approved.every((tool) => typeof tool === "string")) {
    config.autoApprove = approved as readonly string[];
  } else if (approved !== undefined && approved !== null) {
    reader.warn(`"autoApprove" is ignored: it must be an array of tool names`);
  }
}

function readRest(fields: Fields, config: Writable<ServerConfig>, reader: EntryReader): void {
  const protocol = reader.text("protocol", fields.get("protocol"))?.toLowerCase();
  if (protocol !== undefined) {
    if (/^(?:auto|legacy|\d{4}-\d{2}-\d{2})$/.test(protocol)) config.protocol = protocol;
    else {reader.warn(
        `"protocol" is ignored: it must be auto, legacy or a revision like 2026-07-28`,
      );}
  }
  for (const key of ["auth", "oauth"] as const) {
    const value = fields.get(key);
    if (value === undefined || value === null) continue;
    if (isDeep(value)) reader.problem(`Cannot use "${key}": it is nested too deeply`);
    else config[key] = value;
  }
  const description = fields.get("description");
  if (typeof description === "string" && description.trim() !== "") {
    config.description = description.trim();
  }
}

/** Whether a value has more than {@linkcode MAX_DEPTH} levels; walks level by level. */
function isDeep(value: JsonValue): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    level = level.flatMap((item) =>
      typeof item === "object" && item !== null ? Object.values(item) : []
    );
    if (level.length === 0) return false;
  }
  return true;
}
