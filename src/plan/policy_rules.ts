import { kindOf } from "../definitions/entry_reader.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import {
  IDLE_KEY,
  knownKeys,
  LIST_KEYS,
  RULE_KEYS,
  type Spellings,
  spellingsIn,
  unknownKeys,
} from "./policy_keys.ts";
import { shownRule } from "./policy_shown.ts";
import { parseUrlPattern, type UrlPattern } from "./policy_url.ts";

/** One rule of a policy. All that it names must fit. */
export interface PolicyRule {
  /** Where it stands, as in `deniedServers[2] (line 7)`. */
  readonly place: string;
  /** What it says, for humans: `command npx *`. */
  readonly says: string;
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
    /** What the file calls the list of what is allowed. */
    readonly allowedKey: string;
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
    /** What the file calls the list of what is allowed. */
    readonly allowedKey: string;
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
    const [unknown] = unknownKeys(root, LIST_KEYS, ["$schema", IDLE_KEY]);
    if (unknown !== undefined) {
      const problem = `${JSON.stringify(unknown)} is no key of a policy; ${knownKeys(LIST_KEYS)}`;
      throw new Fault(problem, [unknown]);
    }
    const allowed = await listOf(LIST_KEYS.allowed, root, lineOf);
    const denied = await listOf(LIST_KEYS.denied, root, lineOf);
    const idle = await idleWarnings(root, lineOf);
    const nameOnly = (allowed?.rules ?? [])
      .filter(({ url, command }) => url === null && command === null)
      .map(({ place }) =>
        `${place} has only a name, which anybody can give: it allows nothing; ` +
        'add "url" or "command"'
      );
    return {
      ok: true,
      allowed: allowed?.rules ?? null,
      denied: denied?.rules ?? [],
      allowedKey: allowed?.key ?? LIST_KEYS.allowed[0],
      warnings: [...idle, ...nameOnly],
    };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return { ok: false, problem: thrown.message, at: thrown.at };
  }
}

/** That a key says nothing here; whoever copies Claude Code's settings has it. */
async function idleWarnings(root: JsonObject, lineOf: LineOf): Promise<readonly string[]> {
  if (!Object.hasOwn(root, IDLE_KEY)) return [];
  const value = root[IDLE_KEY];
  if (typeof value !== "boolean") {
    throw new Fault(`"${IDLE_KEY}" must be true or false, found ${kindOf(value)}`, [IDLE_KEY]);
  }
  const line = await lineOf([IDLE_KEY]);
  const place = line === null ? "" : ` (line ${line})`;
  return [`"${IDLE_KEY}"${place} is ignored: no file but this one says what may run`];
}

/** A list of rules, and what the file calls it. */
interface RuleList {
  readonly key: string;
  readonly rules: readonly PolicyRule[];
}

async function listOf(
  spellings: Spellings,
  root: JsonObject,
  lineOf: LineOf,
): Promise<RuleList | null> {
  const key = spellingOf(root, spellings, "it", []);
  if (key === null) return null;
  const list = root[key];
  if (!Array.isArray(list)) {
    throw new Fault(`"${key}" must be an array, found ${kindOf(list)}`, [key]);
  }
  const rules = await Promise.all(list.map(async (value, index) => {
    const at = [key, index];
    const line = await lineOf(at);
    const place = `${key}[${index}]`;
    const rule = ruleOf(value, place, at);
    return { ...rule, place: line === null ? place : `${place} (line ${line})` };
  }));
  return { key, rules };
}

/** The spelling of a key that an object has; `null` when it has neither. */
function spellingOf(
  object: JsonObject,
  spellings: Spellings,
  what: string,
  at: readonly (string | number)[],
): string | null {
  const [key = null, other] = spellingsIn(object, spellings);
  if (other === undefined) return key;
  const problem = `${what} has both "${key}" and "${other}", which mean the same`;
  throw new Fault(problem, [...at, other]);
}

function ruleOf(
  value: JsonValue,
  place: string,
  at: readonly (string | number)[],
): Omit<PolicyRule, "place"> {
  if (!isJsonObject(value)) {
    throw new Fault(`${place} must be an object, found ${kindOf(value)}`, at);
  }
  const [unknown] = unknownKeys(value, RULE_KEYS);
  if (unknown !== undefined) {
    const what = `${JSON.stringify(unknown)} in ${place} is no key of a rule`;
    throw new Fault(`${what}; ${knownKeys(RULE_KEYS)}`, [...at, unknown]);
  }
  const [nameKey, urlKey, commandKey] = [RULE_KEYS.name, RULE_KEYS.url, RULE_KEYS.command]
    .map((spellings) => spellingOf(value, spellings, place, at));
  if (urlKey && commandKey) {
    throw new Fault(`${place} has both "${urlKey}" and "${commandKey}", which no server fits`, at);
  }
  if (!nameKey && !urlKey && !commandKey) {
    throw new Fault(`${place} has neither "name" nor "url" nor "command"`, at);
  }
  const name = nameKey ? text(value[nameKey], `"${nameKey}" in ${place}`, [...at, nameKey]) : null;
  const url = urlKey ? text(value[urlKey], `"${urlKey}" in ${place}`, [...at, urlKey]) : null;
  const command = commandKey
    ? words(value[commandKey], `"${commandKey}" in ${place}`, [...at, commandKey])
    : null;
  return {
    says: shownRule({ name, url, command }),
    name,
    url: url === null ? null : pattern(url, `"${urlKey}" in ${place}`, [...at, urlKey ?? ""]),
    command,
  };
}

function pattern(value: string, what: string, at: readonly (string | number)[]): UrlPattern {
  const read = parseUrlPattern(value);
  if (typeof read === "string") throw new Fault(`${what} is no pattern: ${read}`, at);
  return read;
}

function words(
  value: JsonValue | undefined,
  what: string,
  at: readonly (string | number)[],
): readonly string[] {
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

function text(
  value: JsonValue | undefined,
  what: string,
  at: readonly (string | number)[],
): string {
  if (typeof value === "string" && value !== "") return value;
  const found = value === "" ? "an empty one" : kindOf(value);
  throw new Fault(`${what} must be a text, found ${found}`, at);
}
