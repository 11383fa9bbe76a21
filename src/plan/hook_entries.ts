import { kindOf } from "../definitions/entry_reader.ts";
import { closest } from "../definitions/suggestion.ts";
import type { ParsedText } from "../formats/parsed_text.ts";
import {
  type BrokenHook,
  HOOK_EVENTS,
  type HookEvent,
  type HookProgram,
  type HookSet,
  VETO_EVENTS,
  type VetoEvent,
} from "../model/hook_program.ts";
import { isJsonObject } from "../model/json.ts";
import { type EntryProblem, readHookEntry } from "./hook_entry.ts";

/** What the hooks of one file say, and what is to be told of them. */
export interface HookReading extends HookSet {
  /** One sentence for each entry, field or event that cannot be used as it is. */
  readonly warnings: readonly string[];
}

/** The file that hooks stand in. */
export interface HookPlace {
  /** Absolute path. */
  readonly path: string;
  /** Whose file it is. */
  readonly scope: HookProgram["scope"];
  /** Keys that lead to the hooks; none when the file holds nothing else. */
  readonly keyPath: readonly string[];
  /** Its text, for lines. */
  readonly document: Pick<ParsedText, "placeOf" | "duplicates">;
  /** The folder that its hooks work in, absolute. */
  readonly folder: string;
  /** Home folder. */
  readonly home: string;
}

/** The end of a warning of a hook that has a say and cannot be asked. */
export const STOPS_UNTIL_THEN = "until then it stops what it would be asked about";

/** Nothing is said of hooks. */
export const NO_HOOK_READING: HookReading = { programs: [], broken: [], warnings: [] };

/**
 * Reads the hooks of a file: lists of entries by event. What cannot be used costs itself alone, but
 * for what may be meant to stop things: that stops them (see {@linkcode BrokenHook}), unless its own
 * `onError` says `allow`. An event that is not known counts as such when it is spelled like one, or
 * holds one.
 */
export async function readHooks(value: unknown, place: HookPlace): Promise<HookReading> {
  const notes = new Notes(place);
  if (value === undefined) return NO_HOOK_READING;
  await notes.repeated();
  if (!isJsonObject(value)) {
    await notes.unusable([], `must be an object of events, found ${kindOf(value)}`, VETO_EVENTS);
    return notes.reading();
  }
  for (const [event, entries] of Object.entries(value)) {
    // An editor's hint, which the file of a project may hold beside its events.
    if (event === "$schema" && place.keyPath.length === 0) continue;
    if (!isHookEvent(event)) {
      const near = closest(event, HOOK_EVENTS);
      const guess = near === null
        ? `; the events are ${HOOK_EVENTS.map((known) => `"${known}"`).join(", ")}`
        : `; did you mean "${near}"?`;
      await notes.unusable([event], `is no event${guess}`, meantToStop(event, entries));
      continue;
    }
    const stops = VETO_EVENTS.filter((known) => known === event);
    if (!Array.isArray(entries)) {
      await notes.unusable([event], `must be a list of hooks, found ${kindOf(entries)}`, stops);
      continue;
    }
    for (const [index, raw] of (entries as readonly unknown[]).entries()) {
      await notes.entry(event, index, raw, stops);
    }
  }
  return notes.reading();
}

/** Whether a text that cannot be parsed may hold hooks that stop things. */
export function mayHoldVeto(text: string): boolean {
  // An escape could spell any word.
  return VETO_EVENTS.some((event) => text.includes(event)) || /\\u00/i.test(text);
}

/** Collects what a file says, and where something of it is wrong. */
class Notes {
  readonly #place: HookPlace;
  readonly #programs: HookProgram[] = [];
  readonly #broken: BrokenHook[] = [];
  readonly #warnings: string[] = [];

  constructor(place: HookPlace) {
    this.#place = place;
  }

  reading(): HookReading {
    return { programs: this.#programs, broken: this.#broken, warnings: this.#warnings };
  }

  /** Keys that stand twice: what the first of them says is lost. */
  async repeated(): Promise<void> {
    const { document: { duplicates }, keyPath } = this.#place;
    for (const { path } of duplicates) {
      const at = path.slice(keyPath.length);
      if (keyPath.some((key, index) => path[index] !== key) || at.length > 1) continue;
      const lost = at.length === 0 ? VETO_EVENTS : VETO_EVENTS.filter((event) => event === at[0]);
      await this.unusable(at, "is written twice, and only the last one would count", lost);
    }
  }

  /** Something that cannot be read as entries. */
  async unusable(
    at: readonly (string | number)[],
    problem: string,
    events: readonly VetoEvent[],
  ): Promise<void> {
    const said = await this.#said(at, { field: [], problem });
    this.#stop(said, { events, servers: null, tools: null });
  }

  async entry(
    event: HookEvent,
    index: number,
    raw: unknown,
    events: readonly VetoEvent[],
  ): Promise<void> {
    const { path, scope, keyPath, document } = this.#place;
    const { program, problems, warnings, servers, tools, onError } = readHookEntry(
      event,
      raw,
      this.#place,
    );
    for (const warning of warnings) {
      this.#warnings.push(await this.#said([event, index], warning));
    }
    for (const problem of problems) {
      const said = await this.#said([event, index], problem);
      this.#stop(said, { events: onError === "allow" ? [] : events, servers, tools });
    }
    if (program === null) return;
    const line = (await document.placeOf([...keyPath, event, index]))?.line ?? null;
    this.#programs.push({ event, ...program, scope, path, line });
  }

  #stop(said: string, broken: Omit<BrokenHook, "reason">): void {
    if (broken.events.length === 0) {
      this.#warnings.push(`${said}; it never runs`);
      return;
    }
    this.#warnings.push(`${said}; ${STOPS_UNTIL_THEN}`);
    this.#broken.push({ ...broken, reason: cannotAsk(`${said} of "${this.#place.path}"`) });
  }

  /** What is wrong, and where. */
  async #said(
    at: readonly (string | number)[],
    { field, problem }: EntryProblem,
  ): Promise<string> {
    const { keyPath, document } = this.#place;
    const steps = [...keyPath, ...at, ...field];
    // The line of the nearest thing around it that is there.
    let line: number | null = null;
    for (let length = steps.length; length >= 0 && line === null; length--) {
      line = (await document.placeOf(steps.slice(0, length)))?.line ?? null;
    }
    const name = steps.length === 0 ? "The file" : `"${spelled(steps)}"`;
    return `${name} ${problem}${line === null ? "" : `, at line ${line}`}`;
  }
}

/** Why a hook stops what it should be asked about. */
export function cannotAsk(problem: string): BrokenHook["reason"] {
  return {
    code: "hook-failed",
    message: `Cannot ask a hook: ${problem}`,
    hint: `Correct it; ${STOPS_UNTIL_THEN}. "mcp sources" tells more`,
  };
}

/** How other programs call events that come before something. */
const SOUNDS_LIKE_VETO = /^(?:on[_-]?)?(?:before|pre|veto|deny|block|guard)/i;

function isHookEvent(text: string): text is HookEvent {
  return (HOOK_EVENTS as readonly string[]).includes(text);
}

/** The events that an unknown key is taken for, when what it holds may be meant to stop things. */
function meantToStop(key: string, value: unknown): readonly VetoEvent[] {
  const near = closest(key, HOOK_EVENTS);
  const isMeant = VETO_EVENTS.some((event) => event === near) || SOUNDS_LIKE_VETO.test(key) ||
    mayHoldVeto(JSON.stringify(value) ?? "");
  return isMeant ? VETO_EVENTS : [];
}

/** A path of keys and positions as one reads it. */
function spelled(steps: readonly (string | number)[]): string {
  return steps.map((step, index) =>
    typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`
  ).join("");
}
