import type { JsonObject } from "../model/json.ts";

/**
 * The keys of a policy, each with its other spelling: that of Claude Code's managed settings,
 * which whoever manages machines may have already.
 */
export const LIST_KEYS = {
  allowed: ["allowedServers", "allowedMcpServers"],
  denied: ["deniedServers", "deniedMcpServers"],
} as const;

/**
 * A key of Claude Code's managed settings that says nothing here: there it keeps the users' own
 * lists of what is allowed from counting, and here users have none.
 */
export const IDLE_KEY = "allowManagedMcpServersOnly";

/** The keys of a rule, likewise. */
export const RULE_KEYS = {
  name: ["name", "serverName"],
  url: ["url", "serverUrl"],
  command: ["command", "serverCommand"],
} as const;

/** A key and its other spelling. */
export type Spellings = readonly [own: string, other: string];

/** The keys of an object that no spelling is, but those that are passed over. */
export function unknownKeys(
  object: JsonObject,
  known: Readonly<Record<string, Spellings>>,
  passedOver: readonly string[] = [],
): readonly string[] {
  const all = [...Object.values(known).flat(), ...passedOver];
  return Object.keys(object).filter((key) => !all.includes(key));
}

/** The spellings of a key that an object has: none, one, or both. */
export function spellingsIn(object: JsonObject, spellings: Spellings): readonly string[] {
  return spellings.filter((key) => Object.hasOwn(object, key));
}

/** The known keys for a message: `known are "a" and "b" (or "c" and "d", as in Claude Code)`. */
export function knownKeys(known: Readonly<Record<string, Spellings>>): string {
  const list = (position: 0 | 1): string => {
    const keys = Object.values(known).map((spellings) => `"${spellings[position]}"`);
    return `${keys.slice(0, -1).join(", ")} and ${keys.at(-1) ?? ""}`;
  };
  return `known are ${list(0)} (or ${list(1)}, as in Claude Code)`;
}
