import { QUIET_MS } from "../../../src/runtime/list_updates.ts";
import type { Declared, Effect, Offer, World } from "./model.ts";

/** How an attempt is asked for. */
interface Asked {
  /** Whether somebody waits for it: what then fails at first takes its tools away. */
  readonly isLate: boolean;
  /** Whether it is a restart, which is shown for a while when it succeeds. */
  readonly isRestart: boolean;
}

/** Whether the manager holds a connection that it takes for alive. */
export function isUp({ standing }: World): boolean {
  return standing === "connected" || standing === "showing";
}

/** What an attempt leads to, by how the server answers. */
export function attempt(given: World, asked: Asked, autoReconnect: boolean): World {
  const world: World = { ...given, isLinked: false, isDead: false, announced: "no" };
  const { declared, remembered, wasConnected, version, mode } = world;
  if (world.isForbidden) return { ...world, standing: "blocked", offer: null };
  if (declared === null) throw new Error("An attempt at nothing");
  const known: Offer | null = remembered === null ? null : { version: remembered, declared };
  const shown = wasConnected && world.offer !== null ? world.offer : known ?? world.offer;
  if (mode === "up") {
    return asked.isRestart
      ? {
        ...world,
        standing: "showing",
        isLinked: true,
        offer: shown,
        listed: version,
        shownFor: 500,
      }
      : connected({ ...world, isLinked: true }, version);
  }
  return {
    ...world,
    offer: asked.isLate || wasConnected ? shown : null,
    standing: mode === "locked" ? "needs-auth" : autoReconnect ? "waiting" : "failed",
  };
}

function connected(world: World, version: number): World {
  const { declared } = world;
  if (declared === null) throw new Error("A connection to nothing");
  return {
    ...world,
    standing: "connected",
    wasConnected: true,
    offer: { version, declared },
    remembered: version,
  };
}

/** Somebody asks for it, as it is declared now. One that is up or on its way stays as it is. */
export function started(autoReconnect: boolean): Effect {
  return (world) => {
    if (isUp(world)) return [world];
    const asked: World = { ...world, declared: world.wanted, wasConnected: false };
    const anew = { isLate: false, isRestart: false };
    const started = attempt(asked, anew, autoReconnect);
    // An attempt that is under way is joined, whatever the config says by now.
    return world.standing === "underway"
      ? [
        started,
        ...[false, true].map((isRestart) =>
          attempt(world, { isLate: false, isRestart }, autoReconnect)
        ),
      ]
      : [started];
  };
}

/** Somebody asks for it anew. */
export function restarted(autoReconnect: boolean): Effect {
  return (world) =>
    world.declared === null ? [world] : [
      attempt({ ...world, wasConnected: false }, { isLate: false, isRestart: true }, autoReconnect),
    ];
}

/** Its connection is gone, with all that hung on it. */
const GONE = { isLinked: false, isDead: false, announced: "no" } as const;

/** Somebody ends it. */
export function ended(world: World): readonly World[] {
  return [
    world.standing === "absent" ? world : { ...world, ...GONE, standing: "off", offer: null },
  ];
}

/** It is ended and forgotten; what the cache holds stays. */
export function forgotten(world: World): readonly World[] {
  return [
    { ...world, ...GONE, standing: "absent", offer: null, declared: null, wasConnected: false },
  ];
}

/** Somebody looks whether it may still run. */
export function rechecked(world: World): readonly World[] {
  if (!world.isForbidden) return [world];
  const blocked: World = { ...world, ...GONE, standing: "blocked", offer: null };
  switch (world.standing) {
    case "connected":
    case "showing":
    case "dropped":
      return [blocked];
    case "waiting":
    case "failed":
    case "needs-auth":
      // Only while the dead connection is still registered.
      return [world, blocked];
    default:
      return [world];
  }
}

/** Somebody asks the server for a sign of life. */
export function confirmed(autoReconnect: boolean): Effect {
  return (world) => {
    if (!isUp(world)) return [world];
    if (world.mode === "up") return relinked(world);
    const lost: World = { ...world, ...GONE };
    if (world.standing === "showing") return [{ ...lost, isDead: true }];
    if (world.mode === "locked") return [{ ...lost, standing: "needs-auth" }];
    return [{ ...lost, standing: autoReconnect ? "waiting" : "dropped" }];
  };
}

/** Somebody calls it: what would be tried later is tried now. */
export function called(autoReconnect: boolean): Effect {
  return (world) => {
    if (world.standing !== "waiting" || !autoReconnect) return [world];
    return [attempt(world, { isLate: true, isRestart: false }, autoReconnect)];
  };
}

/** It declares another set of tools from now on. */
export function redeclared(wanted: Declared): Effect {
  return (world) => [{ ...world, wanted }];
}

/** So many milliseconds pass, after which a restart that was shown is done. */
export function shown(ms: number, autoReconnect: boolean): Effect {
  return (given) => {
    if (given.standing !== "showing") return [given];
    const world: World = { ...given, shownFor: Math.max(0, given.shownFor - ms) };
    if (world.shownFor > 0) return [world];
    const opened = connected({ ...world, listed: 0 }, world.listed);
    if (!world.isDead) return [opened];
    // What ended it decides, which may be another thing than what the server says now.
    const lost: World = { ...opened, ...GONE };
    return [
      { ...lost, standing: "needs-auth" },
      { ...lost, standing: autoReconnect ? "waiting" : "dropped" },
    ];
  };
}

/**
 * A request reaches the server, in a new session where it had lost the old one. All lists then count
 * as changed, but for a further time within a minute of the machine's own clock.
 */
export function relinked(world: World): readonly World[] {
  const linked: World = { ...world, isLinked: true };
  return world.isLinked ? [linked] : [linked, { ...linked, announced: "fresh" }];
}

/** The server says that its list has changed, to whom listens. */
export function announced(given: World): readonly World[] {
  const world: World = { ...given, version: given.version + 1 };
  if (!isUp(world) || !world.isLinked || world.announced !== "no") return [world];
  return [{ ...world, announced: "fresh" }];
}

/** So many milliseconds pass, after which a list that was announced is read again. */
export function reread(ms: number): Effect {
  return (world) => {
    const { standing, declared, version } = world;
    if (standing !== "connected" || world.announced === "no" || declared === null) return [world];
    const read: readonly World[] = world.mode === "up"
      ? relinked(world).map(({ isLinked, announced }) => ({
        ...world,
        isLinked,
        announced: world.isLinked ? "no" : announced === "fresh" ? "fresh" : "no",
        offer: { version, declared },
        remembered: version,
      }))
      : [{ ...world, announced: "failed" }];
    // A further announcement, or a failed try, puts it off.
    return world.announced === "fresh" && ms >= QUIET_MS ? read : [world, ...read];
  };
}

/** The same, and what is there when another act comes in the middle of an attempt. */
export function interruptible(effect: Effect): Effect {
  return (world) => {
    const results = effect(world);
    const { remembered } = world;
    const begun = results.flatMap((result): readonly World[] => {
      const { standing, declared, wanted } = result;
      if (declared === null || ["absent", "off", "blocked"].includes(standing)) return [];
      const middle: World = {
        ...world,
        ...GONE,
        declared,
        wanted,
        standing: "underway",
        wasConnected: false,
      };
      return remembered === null
        ? [middle]
        : [middle, { ...middle, offer: { version: remembered, declared } }];
    });
    return [...results.flatMap(perhapsLate), ...begun];
  };
}

/**
 * An attempt that has failed, and the same when another start has passed its gate meanwhile: then
 * nobody counts as waiting for it, and the tools that the cache knows stay on offer.
 */
export function perhapsLate(world: World): readonly World[] {
  const { standing, declared, offer, remembered } = world;
  const hasFailed = standing === "waiting" || standing === "failed" || standing === "needs-auth";
  if (!hasFailed || offer !== null || remembered === null || declared === null) return [world];
  return [world, { ...world, offer: { version: remembered, declared } }];
}
