import { giveMemoryBack } from "../platform/spare_memory.ts";
import type { Clock } from "../runtime/clock.ts";
import type { OpenSession } from "./gateway_session.ts";

/** Milliseconds after its start in which a host asks for what it needs first. */
const FIRST_MS = 2_000;

/**
 * The same way to open sessions; what the first start took of memory and needs no more is given back
 * once all servers are there and no request runs. A gateway is at rest for most of its life.
 */
export function leanStart(open: OpenSession, clock: Clock): OpenSession {
  let isFirst = true;
  return async (opening, events, signal) => {
    const session = await open(opening, events, signal);
    const rests = async (): Promise<void> => {
      await session.settled({ signal });
      do await clock.idle(FIRST_MS, signal); while (!signal.aborted && !events.bridge.calls.isIdle);
      if (!signal.aborted) giveMemoryBack();
    };
    if (isFirst) void rests();
    isFirst = false;
    return session;
  };
}
