import { translateConfig } from "../definitions/placeholder_translation.ts";
import type { Definition } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { acpDefinition } from "../sources/acp.ts";
import { CONTINUE_LIST } from "../sources/continue_dev.ts";
import type { HostFormat } from "../sources/host_format.ts";
import { toDefinition } from "../sources/server_entry.ts";
import { foreignFields, withoutForeign } from "./foreign_placeholders.ts";
import type { NewServer } from "./new_server.ts";
import type { PastedEntry } from "./pasted_entries.ts";
import { hostNamed } from "./target.ts";
import { speakersOf } from "./telling_keys.ts";

/** What a problem's message says of where the entry stands. */
const PASTED = "the pasted text";

/** Below it a limit that nobody says the unit of is one of seconds. */
const FEWEST_MILLISECONDS = 1000;

/** An entry in the words of one agent. */
interface Reading {
  readonly format: Pick<HostFormat, "label" | "dialect">;
  readonly server: NewServer;
  /** Whether it is written as the agent has it, its placeholders included. */
  readonly fits: boolean;
  /** Fields with what looks like another agent's placeholder. */
  readonly foreign: readonly string[];
}

/**
 * An entry in canonical form, with what is wrong with it. It is read in the words of the agent that
 * its keys tell; when several fit, of the one that finds nothing odd about it; when none does, in
 * the store's. Which agent's they are is said in a warning.
 */
export async function readPasted(entry: PastedEntry): Promise<NewServer> {
  const { name, raw, isItem, family } = entry;
  if (!isJsonObject(raw)) return (await generic(entry)).server;
  if (isItem && (Array.isArray(raw["env"]) || Array.isArray(raw["headers"]))) {
    return fromDefinition(acpDefinition({ name, ...raw }, 0));
  }
  const { ids, isSure } = speakersOf(raw, entry);
  const [first, ...others] = ids;
  if (first === undefined) return (await generic(entry)).server;
  const readings = await Promise.all([first, ...others].map((id) => inWordsOf(id, entry, isSure)));
  const fitting = readings.filter(({ fits }) => fits)
    .toSorted((a, b) => warningsOf(a) - warningsOf(b));
  const plain = isSure || fitting.length > 0 ? null : await generic(entry);
  const [likeliest] = readings;
  const best = fitting[0] ?? (plain?.fits === true ? plain : null) ??
    readings.find(({ server }) => server.problems?.length === 0) ?? likeliest;
  if (best === undefined) return (await generic(entry)).server;
  if (best === plain) {
    const { label } = likeliest?.format ?? best.format;
    return warned(best.server, `Read in no agent's words, as it cannot be one of ${label}'s`);
  }
  const isNews = family === "any" || family === "mcp" || best !== likeliest;
  const server = withForeign(best, isSure);
  return isNews ? warned(server, `Read in the words of ${best.format.label}`) : server;
}

/**
 * A server whose texts hold placeholders of another agent's. Keys alone are no proof whose words
 * they are, and nobody means to send the name of a variable.
 */
function withForeign({ format, server, foreign }: Reading, isSure: boolean): NewServer {
  if (foreign.length === 0) return server;
  const { warnings = [], problems = [] } = server;
  if (isSure) {
    const sent = foreign.map((field) =>
      `"${field}" looks like a variable of another agent's: ${format.label} sends it as it is`
    );
    return { ...server, warnings: [...warnings, ...sent] };
  }
  const own = translateConfig(server.config, server.dialect, "hotplug");
  if (own.problems.length > 0) return server;
  const { config, problems: lost, warnings: read } = withoutForeign(own.config);
  return {
    ...server,
    config,
    dialect: "hotplug",
    problems: [...problems, ...lost],
    warnings: [...warnings, ...read],
  };
}

function warningsOf({ server }: Reading): number {
  return server.warnings?.length ?? 0;
}

function warned(server: NewServer, warning: string): NewServer {
  return { ...server, warnings: [warning, ...server.warnings ?? []] };
}

/** An entry in the words of the agent of an id. */
async function inWordsOf(id: string, entry: PastedEntry, isSure: boolean): Promise<Reading> {
  const format = formatNamed(id);
  const definition = await timed(entry, format, isSure);
  if (definition === null) {
    const why: ErrorInfo = {
      code: "config-invalid",
      message: `It is no MCP server, but something of ${format.label}'s own (${PASTED})`,
      hint: `Leave it to ${format.label}`,
    };
    const { name } = entry;
    const server = { name, config: {}, dialect: format.dialect, problems: [why], warnings: [] };
    return { format, server, fits: true, foreign: [] };
  }
  const { config, problems } = definition;
  const lost = translateConfig(config, format.dialect, "hotplug").problems;
  return {
    format,
    server: fromDefinition(definition),
    fits: problems.length === 0 && lost.length === 0,
    foreign: foreignFields(config, format.dialect),
  };
}

/** What an entry says; so few milliseconds that they must be seconds are read as such. */
async function timed(
  entry: PastedEntry,
  format: HostFormat,
  isSure: boolean,
): Promise<Definition | null> {
  const definition = await read(entry, format);
  if (definition === null || isSure || !isJsonObject(entry.raw)) return definition;
  const { startupTimeout, callTimeout } = definition.config;
  const limit = Number(entry.raw["timeout"]);
  if (startupTimeout !== limit && callTimeout !== limit) return definition;
  const { raw, warnings } = inMilliseconds(entry.raw);
  const again = await read({ ...entry, raw }, format);
  return again === null ? null : { ...again, warnings: [...again.warnings, ...warnings] };
}

/** An entry of an agent that nothing tells: in the store's words, with all that others may mean. */
async function generic(entry: PastedEntry): Promise<Reading> {
  const format = formatNamed("store");
  const definition = await timed(entry, format, false);
  if (definition === null) throw new Error("The store has nothing but servers");
  const { config, problems, warnings } = withoutForeign(definition.config);
  const server: NewServer = {
    ...fromDefinition(definition),
    config,
    problems: [...definition.problems, ...problems],
    warnings: [...definition.warnings, ...warnings],
  };
  return { format, server, fits: (server.problems ?? []).length === 0, foreign: [] };
}

/** Half of all agents have seconds; 60 ms are no limit for anything. */
function inMilliseconds(
  raw: JsonObject,
): { readonly raw: JsonObject; readonly warnings: readonly string[] } {
  const { timeout } = raw;
  const limit = typeof timeout === "string" && timeout.trim() !== "" ? Number(timeout) : timeout;
  if (typeof limit !== "number" || !(limit > 0 && limit < FEWEST_MILLISECONDS)) {
    return { raw, warnings: [] };
  }
  const warning = `"timeout" is read as ${limit} seconds: nothing tells its unit, ` +
    `and so few milliseconds are no limit`;
  return { raw: { ...raw, timeout: limit * 1000 }, warnings: [warning] };
}

async function read({ name, raw }: PastedEntry, format: HostFormat): Promise<Definition | null> {
  const entry = { name, raw: raw as JsonValue, path: PASTED, scope: "user", warnings: [] } as const;
  return await toDefinition(entry, format, () => Promise.resolve(null), false);
}

function fromDefinition({ name, config, source, problems, warnings }: Definition): NewServer {
  return { name, config, dialect: source.dialect, problems, warnings };
}

function formatNamed(agent: string): HostFormat {
  const format = hostNamed(agent).writer?.format;
  if (format === undefined) throw new Error(`No format of "${agent}"`);
  return agent === "continue" ? { ...format, ...CONTINUE_LIST } : format;
}
