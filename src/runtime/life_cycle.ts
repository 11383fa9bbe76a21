import type { ServerState } from "../model/server_state.ts";

/** Where a server stands in its life. */
export type LifeState =
  | "off"
  | "connecting"
  | "connected"
  | "waiting"
  | "retrying"
  | "failed"
  | "refused"
  | "needs-auth"
  | "blocked"
  | "left-out"
  | "dropped";

/** What can happen to a server. */
export type LifeEvent =
  | "start"
  | "restart"
  | "opened"
  | "failed"
  | "gave-up"
  | "refused"
  | "clashed"
  | "needs-auth"
  | "lost"
  | "dropped"
  | "due"
  | "called"
  | "blocked"
  | "loop"
  | "ended";

/** What is done on the way from one state to the next, in this order. */
export type LifeEffect =
  /** Ends the attempt or the connection that there is. */
  | "close"
  /** Forgets how often it failed. */
  | "forget-failures"
  /** Stops the timer of the next attempt. */
  | "unschedule"
  /** Sets the timer of the next attempt. */
  | "schedule"
  /** Begins an attempt. */
  | "open"
  /** Takes its tools off the offer. */
  | "withdraw";

/** Where an event leads, and what is done on the way. */
export interface Transition {
  /** The next state. */
  readonly to: LifeState;
  /** What is done, in order. */
  readonly effects: readonly LifeEffect[];
}

/** What each event means, in words. */
export const EVENTS: Readonly<Record<LifeEvent, string>> = {
  "start": "somebody asks for the server",
  "restart": "somebody asks for it anew, whatever it does now",
  "opened": "handshake done and tools listed",
  "failed": "the attempt failed in a way that may pass",
  "gave-up": "it failed or was lost once too often, or in a way that stays",
  "refused": "its definition cannot be started as it is",
  "clashed": "names of its tools are taken, so that it is not offered (`naming: bare`)",
  "needs-auth": "the server asks for authorisation",
  "lost": "the connection ended by itself",
  "dropped": "the same, while nothing reconnects (`autoReconnect: false`)",
  "due": "the time of the next attempt has come",
  "called": "somebody calls the server",
  "blocked": "it may not run (any more)",
  "loop": "it turned out to be a gateway that leads back here",
  "ended": "somebody ends it",
};

/** What a row shows in each state. */
export const SHOWN: Readonly<Record<LifeState, ServerState>> = {
  "off": "disconnected",
  "connecting": "connecting",
  "connected": "connected",
  "waiting": "retrying",
  "retrying": "retrying",
  "failed": "error",
  "refused": "error",
  "needs-auth": "needs-auth",
  "blocked": "blocked",
  "left-out": "filtered",
  "dropped": "disconnected",
};

/** What holds in every state. */
const ALWAYS: Partial<Record<LifeEvent, Transition>> = {
  "restart": go("connecting", "close", "unschedule", "forget-failures", "open"),
  "blocked": go("blocked", "close", "unschedule", "withdraw"),
  "ended": go("off", "close", "unschedule", "withdraw"),
};

/** What becomes of a server whose tools cannot have their names. */
const CLASHED: Transition = go("refused", "close", "withdraw");

/** What becomes of a server that would go round in circles. */
const LEFT_OUT: Transition = go("left-out", "close", "withdraw");

/** How an attempt can end. */
const ATTEMPT: Partial<Record<LifeEvent, Transition>> = {
  "opened": go("connected"),
  "failed": go("waiting", "schedule"),
  "gave-up": go("failed"),
  "refused": go("refused"),
  "clashed": CLASHED,
  "needs-auth": go("needs-auth"),
  "loop": LEFT_OUT,
};

/** Down, and somebody must ask for it. */
const DOWN: Partial<Record<LifeEvent, Transition>> = {
  "start": go("connecting", "close", "forget-failures", "open"),
};

/**
 * The life of a server: what each event leads to in each state. An event that a state does not
 * name changes nothing there: it came too late, or is already taken care of.
 */
export const LIFE_CYCLE: Readonly<
  Record<LifeState, Readonly<Partial<Record<LifeEvent, Transition>>>>
> = {
  "off": { ...ALWAYS, ...DOWN },
  "connecting": { ...ALWAYS, ...ATTEMPT },
  "connected": {
    ...ALWAYS,
    "lost": go("waiting", "schedule"),
    "gave-up": go("failed"),
    "clashed": CLASHED,
    "needs-auth": go("needs-auth"),
    "loop": LEFT_OUT,
    "dropped": go("dropped"),
  },
  "waiting": {
    ...ALWAYS,
    "start": go("connecting", "close", "unschedule", "forget-failures", "open"),
    "due": go("retrying", "close", "open"),
    "called": go("retrying", "close", "unschedule", "open"),
  },
  "retrying": { ...ALWAYS, ...ATTEMPT },
  "failed": { ...ALWAYS, ...DOWN, "called": go("retrying", "close", "open") },
  "refused": { ...ALWAYS, ...DOWN },
  "needs-auth": { ...ALWAYS, ...DOWN },
  "blocked": { ...ALWAYS, ...DOWN },
  "left-out": { ...ALWAYS, ...DOWN },
  "dropped": { ...ALWAYS, ...DOWN },
};

/** Where an event leads from a state; `null` when it changes nothing there. */
export function transition(state: LifeState, event: LifeEvent): Transition | null {
  return LIFE_CYCLE[state][event] ?? null;
}

function go(to: LifeState, ...effects: readonly LifeEffect[]): Transition {
  return { to, effects };
}
