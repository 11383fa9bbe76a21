import { called, confirmed, isUp, rechecked, relinked } from "./life_rules.ts";
import type { Effect, World } from "./model.ts";

/** Tools that do something, and those that only read; `hang-…` answer when they are told to. */
export type ToolName = "act" | "look" | "hang-act" | "hang-look";

/** What a call comes to: an answer, no answer yet, or the code of its error. */
export interface CallResult {
  readonly world: World;
  readonly outcome: string;
}

/** Every way in which a call may go. */
export function callResults(
  world: World,
  tool: ToolName,
  autoReconnect: boolean,
): readonly CallResult[] {
  return called(autoReconnect)(world).flatMap((next) => {
    if (next.isForbidden && (isUp(next) || next.standing === "dropped")) {
      return [{ world: only(rechecked(next)), outcome: "blocked-by-policy" }];
    }
    // Which tools there are is not known before the restart has been shown.
    if (next.standing === "showing" && next.offer === null) {
      return [{ world: next, outcome: "held" }];
    }
    if (isUp(next)) return sent(next, tool, autoReconnect);
    const outcome = REFUSALS[next.standing] ?? "";
    const results: CallResult[] = [{ world: next, outcome }];
    // A dead connection that is still registered is asked about like any other.
    if (next.isForbidden && next.standing === "needs-auth") {
      results.push({
        world: { ...next, standing: "blocked", offer: null },
        outcome: "blocked-by-policy",
      });
    }
    return results;
  });
}

const REFUSALS: Readonly<Record<string, string>> = {
  "absent": "unknown-server",
  "off": "not-connected",
  "waiting": "server-unreachable",
  "failed": "server-unreachable",
  "dropped": "server-unreachable",
  "needs-auth": "needs-auth",
  "blocked": "blocked-by-policy",
};

function sent(world: World, tool: ToolName, autoReconnect: boolean): readonly CallResult[] {
  if (world.isDead) return [{ world, outcome: "dead" }];
  if (world.mode === "up") {
    const outcome = tool.startsWith("hang") ? "held" : "answer";
    return relinked(world).map((next) => ({ world: next, outcome }));
  }
  const code = world.mode === "down" ? "server-unreachable" : "needs-auth";
  if (!autoReconnect) return [{ world, outcome: code }];
  const lost = only(confirmed(autoReconnect)(world));
  if (code === "needs-auth") return [{ world: lost, outcome: code }];
  if (tool.endsWith("act")) return [{ world: lost, outcome: "outcome-unknown" }];
  return [{ world: only(called(autoReconnect)(lost)), outcome: code }];
}

/** What may follow for a server of whose calls some were under way when its connection ended. */
export function aftermath(autoReconnect: boolean): Effect {
  const call = called(autoReconnect);
  return (world) => {
    const seen = [world, ...confirmed(autoReconnect)(world)];
    return [...seen, ...seen.flatMap(call)].flatMap((next) => [next, ...rechecked(next)]);
  };
}

/** Codes that a call may fail with when it is overtaken by something else. */
export const OVERTAKEN: ReadonlySet<string> = new Set([
  "answer",
  "blocked-by-policy",
  "connection-closed",
  "held",
  "needs-auth",
  "not-connected",
  "outcome-unknown",
  "server-unreachable",
  "unknown-server",
]);

function only(worlds: readonly World[]): World {
  const [world] = worlds;
  if (world === undefined) throw new Error("No world is left");
  return world;
}
