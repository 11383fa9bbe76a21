import { kindOf } from "../definitions/entry_reader.ts";
import { normaliseConfig } from "../definitions/normalise.ts";
import { transportType } from "../definitions/transport_type.ts";
import type { Definition } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { SourceInfo } from "../model/source.ts";
import { reporter } from "./reporter.ts";
import type { Source, SourceReading } from "./source.ts";

/** Name and label of the source. */
const CLIENT = { id: "acp", label: "ACP client" } as const;

/** Where the servers of an ACP client stand: in no file. Their texts are literal. */
const SOURCE: SourceInfo = {
  ...CLIENT,
  scope: "session",
  path: null,
  line: null,
  rank: 30,
  dialect: "literal",
  environment: "base",
  store: false,
};

/**
 * A source of the servers that a client of the Agent Client Protocol sends when it opens or resumes
 * a session. Each is validated alone; the last one of a name counts.
 *
 * @param servers The `mcpServers` of `session/new`, `session/load` or `session/resume`, as received.
 */
export function acpSource(servers: unknown): Source {
  return {
    ...CLIENT,
    read: (context) => Promise.resolve(readServers(servers, context.workspacePath)),
  };
}

/** The servers; a value that is no array is the only thing that there is a report about. */
function readServers(servers: unknown, workspacePath: string): SourceReading {
  if (servers === undefined || servers === null) return reading([]);
  if (Array.isArray(servers)) return reading(definitionsOf(servers as readonly unknown[]));
  const error: ErrorInfo = {
    code: "config-invalid",
    message: `Cannot use the servers of the ACP client: expected an array, found ${
      kindOf(servers)
    }`,
    hint: "The client must send them as an array of objects",
  };
  // There is no file that the report could name.
  const report = reporter(CLIENT, workspacePath, "session");
  return { ...reading([]), reports: [report({ state: "malformed", error })] };
}

function reading(definitions: readonly Definition[]): SourceReading {
  return { definitions, reports: [], switches: [] };
}

/** One definition of each name, in the order of the array. */
function definitionsOf(servers: readonly unknown[]): readonly Definition[] {
  const byName = new Map<string, Definition>();
  for (const [index, item] of servers.entries()) {
    const definition = acpDefinition(item, index);
    const { name, warnings } = definition;
    const repeated = `The client sent more than one server named "${name}"; the last one counts`;
    const isRepeated = byName.has(name);
    byName.set(
      name,
      isRepeated ? { ...definition, warnings: [...warnings, repeated] } : definition,
    );
  }
  return [...byName.values()];
}

/** One item of the array; without a name it is called by its position. */
export function acpDefinition(item: unknown, index: number): Definition {
  const entry: JsonObject | null = isJsonObject(item) ? item : null;
  const given = entry?.["name"];
  const isNamed = typeof given === "string" && given.trim() !== "";
  const name = isNamed ? given.trim() : `mcp-${index}`;
  const warnings = isNamed || entry === null
    ? []
    : [`The client gave this server no name; it is called "${name}"`];
  if (entry === null) {
    const { config, problems } = normaliseConfig(name, item);
    return { name, config, source: SOURCE, problems, warnings };
  }
  const unreachable = transportProblem(entry["type"]);
  if (unreachable !== null) {
    return { name, config: {}, source: SOURCE, problems: [unreachable], warnings };
  }
  const { name: _name, _meta, env, headers, enabled, disabled, ...rest } = entry;
  for (const [key, value] of Object.entries({ enabled, disabled })) {
    if (value === undefined) continue;
    warnings.push(`"${key}" has no effect: every server that the client sends is on`);
  }
  const lists = new NamedValues();
  const raw: JsonObject = {
    ...rest,
    ...(env === undefined ? {} : { env: lists.read("env", env) }),
    ...(headers === undefined ? {} : { headers: lists.read("headers", headers) }),
  };
  const normal = normaliseConfig(name, raw);
  return {
    name,
    config: normal.config,
    source: SOURCE,
    problems: [...lists.problems, ...normal.problems],
    warnings: [...warnings, ...lists.warnings, ...normal.warnings],
  };
}

/** Reads the protocol's lists of `{ name, value }`, and collects what is wrong with them. */
class NamedValues {
  readonly problems: ErrorInfo[] = [];
  readonly warnings: string[] = [];

  /** The list as an object of names and values; an object is taken as it is. */
  read(key: string, list: JsonValue): JsonValue {
    if (!Array.isArray(list)) {
      if (isJsonObject(list)) {
        this.warnings.push(`"${key}" should be an array of names and values, not an object`);
      }
      return list;
    }
    const values = new Map<string, readonly [name: string, value: JsonValue]>();
    for (const [index, item] of (list as readonly JsonValue[]).entries()) {
      const { name, value } = isJsonObject(item) ? item : {};
      if (typeof name !== "string" || name.trim() === "" || value === undefined) {
        this.problems.push(incomplete(`${key}[${index}]`));
        continue;
      }
      // The names of headers are the same in any case.
      const one = key === "headers" ? name.toLowerCase() : name;
      if (values.has(one)) {
        this.warnings.push(`"${key}" holds "${name}" more than once; the last one counts`);
      }
      values.set(one, [name, value]);
    }
    return Object.fromEntries(values.values());
  }
}

function incomplete(field: string): ErrorInfo {
  return {
    code: "config-invalid",
    message: `Cannot use "${field}": it must be an object with "name" and "value"`,
    hint: null,
  };
}

/** Why nobody but the client itself can reach a server of this type, or `null`. */
function transportProblem(type: JsonValue | undefined): ErrorInfo | null {
  if (typeof type !== "string" || type.trim() === "" || transportType(type) !== null) return null;
  const reason = type === "acp"
    ? "the client offers it over its own ACP connection alone"
    : `its transport ${JSON.stringify(type)} is not known`;
  return {
    code: "config-invalid",
    message: `Cannot reach this server: ${reason}`,
    hint: `Have the client send it as a "stdio" or "http" server`,
  };
}
