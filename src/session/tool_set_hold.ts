import type { Clock } from "../runtime/clock.ts";
import type { ToolSetKeeper } from "./tool_set_keeper.ts";

/**
 * Milliseconds that a reload keeps the old tool set for the sake of one exchange. After that the
 * tools of servers that are still on their way come as they arrive, as one slow server must not
 * keep those of all others away.
 */
const HOLD_MS = 10_000;

/**
 * Keeps the tool set as it is until what is given is called, the session ends, or too much time has
 * passed since the first of those began who hold it at once: one after the other could keep it for
 * ever.
 */
export function holdToolSet(keeper: ToolSetKeeper, clock: Clock, ended: AbortSignal): () => void {
  const isFirst = !keeper.isHeld;
  const release = keeper.hold();
  if (isFirst) {
    const over = new AbortController();
    void keeper.released().then(() => over.abort());
    void clock.idle(HOLD_MS, AbortSignal.any([over.signal, ended])).then(() => {
      if (!over.signal.aborted) keeper.letGo();
    });
  }
  return release;
}
