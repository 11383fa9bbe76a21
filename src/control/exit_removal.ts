import { rmSync } from "node:fs";
import process from "node:process";

/** What goes when this process ends. */
const files = new Set<string>();

let watching = false;

/**
 * Removes files when this process ends without having done so itself. One that is killed by a
 * signal without a handler gets no such moment: its files are left to the next reader.
 * @returns What takes the files off the list again.
 */
export function removeAtExit(paths: readonly string[]): () => void {
  for (const path of paths) files.add(path);
  if (!watching) {
    watching = true;
    process.on("exit", removeAll);
    // Deno sends no "exit" for `Deno.exit`.
    if (typeof globalThis.addEventListener === "function") {
      globalThis.addEventListener("unload", removeAll);
    }
  }
  return () => paths.forEach((path) => files.delete(path));
}

/** Synchronous, as a process that ends waits for nothing. */
function removeAll(): void {
  for (const path of files) {
    try {
      rmSync(path, { force: true });
    } catch {
      // The next reader tries again.
    }
  }
  files.clear();
}
