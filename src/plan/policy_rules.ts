import { kindOf } from "../definitions/entry_reader.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { parseUrlPattern, type UrlPattern } from "./policy_url.ts";

/** One rule of a policy. All that it names must fit. */
export interface PolicyRule {
  /** Where it stands, as in `deniedServers[2] (line 7)`. */
  readonly place: string;
  /** Name of the server, with wildcards. */
  readonly name: string | null;
  /** Address of a remote server. Never beside `command`. */
  readonly url: UrlPattern | null;
  /** Command line of a local one, word by word, each with wildcards. */
  readonly command: readonly string[] | null;
}

/** What whoever manages a machine lets run on it. */
export type Policy =
  | {
    readonly state: "usable";
    /** Absolute path of its file. */
    readonly path: string;
    /** What may run; `null`: all that is not denied. */
    readonly allowed: readonly PolicyRule[] | null;
    /** What may not run, whatever `allowed` says. */
    readonly denied: readonly PolicyRule[];
  }
  | {
    /** There is a file and it cannot be used: nothing may run. */
    readonly state: "unusable";
    /** Absolute path of its file. */
    readonly path: string;
    /** Why. */
    readonly error: ErrorInfo;
  };

/** A policy's content that was read, or what is wrong with it. */
export type RulesReading =
  | {
    readonly ok: true;
    readonly allowed: readonly PolicyRule[] | null;
    readonly denied: readonly PolicyRule[];
    /** What its author should know though it holds. */
    readonly warnings: readonly string[];
  }
  | {
    readonly ok: false;
    /** A clause, such as `"allowed" is no key of a policy`. */
    readonly problem: string;
    /** What is meant, from the root. */
    readonly at: readonly (string | number)[];
  };

/** Tells the line of a value, from 1; `null` when there is none. */
export type LineOf = (path: readonly (string | number)[]) => Promise<number | null>;

/** Both lists. */
const LISTS = ["allowedServers", "deniedServers"] as const;

/** What a rule may hold. */
const RULE_KEYS = ["name", "url", "command"];

/** What is wrong with a value; thrown within this file alone. */
class Fault extends Error {
  readonly at: readonly (string | number)[];

  constructor(problem: string, at: readonly (string | number)[]) {
    super(problem);
    this.at = at;
  }
}

/**
 * Reads the content of a policy. Whatever is not understood is a fault of the whole: a rule that
 * its author believes to hold must not be passed over in silence.
 */
export async function readRules(root: JsonObject, lineOf: LineOf): Promise<RulesReading> {
  try {
    for (const key of Object.keys(root)) {
      const known = [...LISTS, "$schema"].includes(key);
      if (!known) throw new Fault(`${JSON.stringify(key)} is no key of a policy`, [key]);
    }
    const allowed = await listOf("allowedServers", root, lineOf);
    const denied = await listOf("deniedServers", root, lineOf);
    const warnings = (allowed ?? [])
      .filter(({ url, command }) => url === null && command === null)
      .map(({ place }) =>
        `${place} has only a name, which anybody can give: it allows nothing; ` +
        'add "url" or "command"'
      );
    return { ok: true, allowed, denied: denied ?? [], warnings };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return { ok: false, problem: thrown.message, at: thrown.at };
  }
}

async function listOf(
  key: (typeof LISTS)[number],
  root: JsonObject,
  lineOf: LineOf,
): Promise<readonly PolicyRule[] | null> {
  if (!Object.hasOwn(root, key)) return null;
  const list = root[key];
  if (!Array.isArray(list)) {
    throw new Fault(`"${key}" must be an array, found ${kindOf(list)}`, [key]);
  }
  return await Promise.all(list.map(async (value, index) => {
    const at = [key, index];
    const line = await lineOf(at);
    const place = `${key}[${index}]`;
    const rule = ruleOf(value, place, at);
    return { ...rule, place: line === null ? place : `${place} (line ${line})` };
  }));
}

function ruleOf(
  value: JsonValue,
  place: string,
  at: readonly (string | number)[],
): Omit<PolicyRule, "place"> {
  if (!isJsonObject(value)) {
    throw new Fault(`${place} must be an object, found ${kindOf(value)}`, at);
  }
  for (const key of Object.keys(value)) {
    if (RULE_KEYS.includes(key)) continue;
    throw new Fault(`${JSON.stringify(key)} in ${place} is no key of a rule`, [...at, key]);
  }
  const { name, url, command } = value;
  if (url !== undefined && command !== undefined) {
    throw new Fault(`${place} has both "url" and "command", which no server fits`, at);
  }
  if (name === undefined && url === undefined && command === undefined) {
    throw new Fault(`${place} has neither "name" nor "url" nor "command"`, at);
  }
  return {
    name: name === undefined ? null : text(name, `"name" in ${place}`, [...at, "name"]),
    url: url === undefined ? null : pattern(url, place, [...at, "url"]),
    command: command === undefined ? null : words(command, place, [...at, "command"]),
  };
}

function pattern(
  value: JsonValue,
  place: string,
  at: readonly (string | number)[],
): UrlPattern {
  const what = `"url" in ${place}`;
  const read = parseUrlPattern(text(value, what, at));
  if (typeof read === "string") throw new Fault(`${what} is no pattern: ${read}`, at);
  return read;
}

function words(
  value: JsonValue,
  place: string,
  at: readonly (string | number)[],
): readonly string[] {
  const what = `"command" in ${place}`;
  if (!Array.isArray(value) || value.length === 0) {
    const found = Array.isArray(value) ? "an empty one" : kindOf(value);
    throw new Fault(`${what} must be an array of words, found ${found}`, at);
  }
  const read = value.map((word, index) => {
    if (typeof word === "string" && (word !== "" || index > 0)) return word;
    const found = word === "" ? "an empty text" : kindOf(word);
    throw new Fault(`${what} must hold words, found ${found}`, [...at, index]);
  });
  return read;
}

function text(value: JsonValue, what: string, at: readonly (string | number)[]): string {
  if (typeof value === "string" && value !== "") return value;
  const found = value === "" ? "an empty one" : kindOf(value);
  throw new Fault(`${what} must be a text, found ${found}`, at);
}
