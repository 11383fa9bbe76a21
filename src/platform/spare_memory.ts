import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects all garbage now, so that the system gets back what it took. V8 does so by itself only
 * when it runs short, and a program at rest never does. Holds the program up for some hundredths of
 * a second. Does nothing where that cannot be asked for. Never throws.
 */
export function giveMemoryBack(): void {
  try {
    // A context has the function if the flag is set when it is made.
    setFlagsFromString("--expose-gc");
    const collect: unknown = runInNewContext("globalThis.gc");
    if (typeof collect === "function") collect();
  } catch {
    // Another engine than V8, or one that takes no flags.
  }
}
