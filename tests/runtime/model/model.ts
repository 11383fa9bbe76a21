import type { Mode } from "./scripted_servers.ts";

/** How a server is declared: whole, or with its tool `extra` left out. */
export type Declared = "whole" | "narrow";

/**
 * Where a server stands; `absent` without a row, `showing` while a restart is only shown, `underway`
 * between two acts of one moment, which nothing stays.
 */
export type Standing =
  | "absent"
  | "underway"
  | "off"
  | "showing"
  | "connected"
  | "waiting"
  | "failed"
  | "needs-auth"
  | "blocked"
  | "dropped";

/** Which tools of a server are on offer. */
export interface Offer {
  readonly version: number;
  readonly declared: Declared;
}

/** One possible state of one server, of the world around it and of what the manager knows. */
export interface World {
  /** How the server answers. */
  readonly mode: Mode;
  /** The version of the list that it would give. */
  readonly version: number;
  /** Whether the policy forbids it. */
  readonly isForbidden: boolean;
  /** What the config says. */
  readonly wanted: Declared;
  readonly standing: Standing;
  /** What it was last started with; `null` when it never was. */
  readonly declared: Declared | null;
  /** Whether the server knows the session of the connection. */
  readonly isLinked: boolean;
  /** Whether the connection ended while a restart was shown. */
  readonly isDead: boolean;
  /** Whether it was connected since somebody last asked for it. */
  readonly wasConnected: boolean;
  readonly offer: Offer | null;
  /** The list that a restart has read and not yet offered. */
  readonly listed: number;
  /** Milliseconds that a restart is still shown. */
  readonly shownFor: number;
  /** The list that the cache holds. */
  readonly remembered: number | null;
  /** Whether a change was announced that is not yet read, or could not be. */
  readonly announced: "no" | "fresh" | "failed";
}

/** A server that nobody has started. */
export const UNTOUCHED: World = {
  mode: "up",
  version: 1,
  isForbidden: false,
  wanted: "whole",
  standing: "absent",
  declared: null,
  isLinked: false,
  isDead: false,
  wasConnected: false,
  offer: null,
  listed: 0,
  shownFor: 0,
  remembered: null,
  announced: "no",
};

/** What can be seen of one server from outside. */
export interface Seen {
  /** The state of its row; `null` without one. */
  readonly row: string | null;
  readonly offer: Offer | null;
  /** Sessions that the server knows, but for those that only wait for their last calls. */
  readonly sessions: number;
  /** Whether the manager has a connection registered, dropped or not. */
  readonly isRegistered: boolean;
}

const ROWS: Readonly<Record<Standing, string | null>> = {
  "absent": null,
  "underway": "underway",
  "off": "disconnected",
  "showing": "connecting",
  "connected": "connected",
  "waiting": "retrying",
  "failed": "error",
  "needs-auth": "needs-auth",
  "blocked": "blocked",
  "dropped": "disconnected",
};

/** Whether a world looks like what is seen. */
export function looksLike(world: World, seen: Seen): boolean {
  const isUp = world.standing === "connected" || world.standing === "dropped";
  const isDown = ["absent", "off", "blocked", "showing"].includes(world.standing);
  return ROWS[world.standing] === seen.row &&
    JSON.stringify(world.offer) === JSON.stringify(seen.offer) &&
    // The goodbye of a connection that ended while a restart is shown may still be on its way.
    (world.isDead ? seen.sessions <= 1 : seen.sessions === (world.isLinked ? 1 : 0)) &&
    // The dead connection of one that waits stays registered until its next attempt.
    (isUp ? seen.isRegistered : !isDown || !seen.isRegistered);
}

/** Something that happens, as a relation: every world that one may turn into. */
export type Effect = (world: World) => readonly World[];

/** The possible worlds of each server. What is observed leaves those that look like it. */
export class Model {
  /** Whether what is lost is tried again by itself. */
  readonly autoReconnect: boolean;
  readonly #worlds: Map<string, readonly World[]>;

  constructor(autoReconnect: boolean, names: readonly string[]) {
    this.autoReconnect = autoReconnect;
    this.#worlds = new Map(names.map((name) => [name, [UNTOUCHED]]));
  }

  /** The possible worlds of a server. */
  of(name: string): readonly World[] {
    return this.#worlds.get(name) ?? [];
  }

  /** Lets something happen to a server. */
  happen(name: string, effect: Effect): void {
    this.#worlds.set(name, distinct(this.of(name).flatMap(effect)));
  }

  /** Keeps the worlds that look like what is seen; throws when none does. */
  observe(name: string, seen: Seen): void {
    const before = this.of(name);
    const left = before.filter((world) => looksLike(world, seen));
    if (left.length === 0) {
      throw new Error(
        `"${name}" is ${JSON.stringify(seen)}, and may only be one of:\n${
          before.map((world) => `  ${JSON.stringify(world)}`).join("\n")
        }`,
      );
    }
    this.#worlds.set(name, left);
  }
}

/** The worlds without repetitions. */
export function distinct(worlds: readonly World[]): readonly World[] {
  return [...new Map(worlds.map((world) => [JSON.stringify(world), world])).values()];
}
