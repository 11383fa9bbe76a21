import { isAbsolute, join, resolve } from "node:path";
import { kindOf } from "../definitions/entry_reader.ts";
import { closest } from "../definitions/suggestion.ts";
import type { HookEvent, HookProgram, HookScope } from "../model/hook_program.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";

/** Milliseconds that a hook may take when its entry does not say. */
const DEFAULT_TIMEOUT_MS = 10_000;

/** The most that it can be given: ten minutes, for one that asks a human. */
const MAX_TIMEOUT_MS = 600_000;

const KEYS: readonly string[] = [
  "command",
  "args",
  "cwd",
  "env",
  "timeout",
  "servers",
  "tools",
  "onError",
  "description",
];

/** The events that have a tool, so that `tools` means something. */
const WITH_TOOLS: ReadonlySet<HookEvent> = new Set<HookEvent>([
  "before-call",
  "after-call",
  "tools-changed",
]);

/** What is wrong with an entry: a field, and what was expected and found there. */
export interface EntryProblem {
  /** Keys and positions below the entry. */
  readonly field: readonly (string | number)[];
  /** A clause such as `must be a string, found a number`. Quotes no value. */
  readonly problem: string;
}

/** Where relative paths of an entry stand. */
export interface EntryBase {
  /** The folder that a hook works in, and a relative `cwd` stands against; absolute. */
  readonly folder: string;
  /** Home folder, for `~/`. */
  readonly home: string;
}

/** An entry as it is read; `null` for what is not sure because of a problem. */
export interface HookEntry extends HookScope {
  /** What runs; `null` when it cannot be told. */
  readonly program: Omit<HookProgram, "event" | "scope" | "path" | "line"> | null;
  /** What its author wants when it fails. */
  readonly onError: "deny" | "allow";
  /** Why it cannot run; empty when it can. */
  readonly problems: readonly EntryProblem[];
  /** What its author should know though it runs. */
  readonly warnings: readonly EntryProblem[];
}

/** Reads one entry of one event. Pure; never throws. */
export function readHookEntry(event: HookEvent, raw: unknown, base: EntryBase): HookEntry {
  const problems: EntryProblem[] = [];
  const wrong = (field: EntryProblem["field"], expected: string, found: unknown): null => {
    problems.push({ field, problem: `must be ${expected}, found ${kindOf(found)}` });
    return null;
  };
  if (!isJsonObject(raw)) {
    wrong([], 'an object with "command"', raw);
    return { program: null, servers: null, tools: null, onError: "deny", problems, warnings: [] };
  }
  const fields = new Fields(raw, wrong);
  const command = fields.command();
  const args = fields.texts("args", false);
  const cwd = fields.text("cwd");
  const env = fields.env();
  const timeoutMs = fields.timeout();
  const servers = fields.texts("servers", true);
  const tools = WITH_TOOLS.has(event) ? fields.texts("tools", true) : null;
  const onError = fields.onError();
  const scope = { servers, tools };
  const folder = cwd === null ? base.folder : folderOf(cwd, base);
  return {
    ...scope,
    onError,
    problems,
    warnings: strangeKeys(event, raw),
    program: problems.length > 0 || command === null
      ? null
      : { ...scope, command, args: args ?? [], cwd: folder, env: env ?? {}, timeoutMs, onError },
  };
}

/** Reads the fields of an entry; what is wrong is told, and the field is as if it were not there. */
class Fields {
  readonly #raw: JsonObject;
  readonly #wrong: (field: EntryProblem["field"], expected: string, found: unknown) => null;

  constructor(
    raw: JsonObject,
    wrong: (field: EntryProblem["field"], expected: string, found: unknown) => null,
  ) {
    this.#raw = raw;
    this.#wrong = wrong;
  }

  command(): string | null {
    const value = this.#raw["command"];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
    return this.#wrong(["command"], "the name or path of a program", value);
  }

  text(key: string): string | null {
    const value = this.#raw[key];
    if (value === undefined) return null;
    if (typeof value === "string" && value.trim() !== "") return value;
    return this.#wrong([key], "a text that is not empty", value);
  }

  texts(key: string, needsOne: boolean): readonly string[] | null {
    const value: unknown = this.#raw[key];
    if (value === undefined) return null;
    if (!Array.isArray(value)) return this.#wrong([key], "a list of texts", value);
    const list: readonly unknown[] = value;
    // Nobody writes down a hook that is about nothing.
    if (needsOne && list.length === 0) {
      return this.#wrong([key], "a list of one text or more", list);
    }
    for (const [index, item] of list.entries()) {
      if (typeof item !== "string") return this.#wrong([key, index], "a text", item);
    }
    return list.filter((item) => typeof item === "string");
  }

  env(): Readonly<Record<string, string | null>> | null {
    const value = this.#raw["env"];
    if (value === undefined) return null;
    if (!isJsonObject(value)) return this.#wrong(["env"], "an object of names and texts", value);
    const entries: [string, string | null][] = [];
    for (const [name, item] of Object.entries(value)) {
      if (typeof item === "string" || item === null) entries.push([name, item]);
      else return this.#wrong(["env", name], "a text, or null to unset it", item);
    }
    return Object.fromEntries(entries);
  }

  timeout(): number {
    const value = this.#raw["timeout"];
    if (value === undefined) return DEFAULT_TIMEOUT_MS;
    if (typeof value === "number" && value >= 1 && value <= MAX_TIMEOUT_MS) return value;
    this.#wrong(["timeout"], `a number of milliseconds from 1 to ${MAX_TIMEOUT_MS}`, value);
    return DEFAULT_TIMEOUT_MS;
  }

  onError(): "deny" | "allow" {
    const value = this.#raw["onError"];
    if (value === "allow" || value === "deny") return value;
    if (value !== undefined) this.#wrong(["onError"], '"deny" or "allow"', value);
    return "deny";
  }
}

function folderOf(cwd: string, { folder, home }: EntryBase): string {
  if (cwd === "~") return home;
  if (/^~[/\\]/.test(cwd)) return join(home, cwd.slice(2));
  return isAbsolute(cwd) ? cwd : resolve(folder, cwd);
}

/** Keys that mean nothing. The hook runs all the same: without them it is asked more, not less. */
function strangeKeys(event: HookEvent, raw: JsonObject): readonly EntryProblem[] {
  return Object.keys(raw).flatMap((key): readonly EntryProblem[] => {
    if (key === "tools" && !WITH_TOOLS.has(event)) {
      return [{ field: [key], problem: `means nothing for "${event}" and is ignored` }];
    }
    if (KEYS.includes(key)) return [];
    const near = closest(key, KEYS);
    const guess = near === null ? "" : `; did you mean "${near}"?`;
    return [{ field: [key], problem: `is not known and is ignored${guess}` }];
  });
}
