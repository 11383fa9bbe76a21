/** One process that is alive. */
export interface LivingProcess {
  /** Its id. */
  readonly pid: number;
  /** Its command line, for the message of a failing test. */
  readonly commandLine: string;
}

/**
 * Every process of the machine whose environment holds `HOME=<home>`, zombies left out.
 * Reads `/proc`: Linux only, elsewhere it finds nothing.
 */
export async function processesOfHome(home: string): Promise<readonly LivingProcess[]> {
  if (Deno.build.os !== "linux") return [];
  const living: LivingProcess[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await textOf(`/proc/${name}/environ`);
    if (!environment.split("\0").includes(`HOME=${home}`)) continue;
    const status = await textOf(`/proc/${name}/stat`);
    const state = status.slice(status.lastIndexOf(")") + 2, status.lastIndexOf(")") + 3);
    if (state === "" || state === "Z" || state === "X") continue;
    const commandLine = (await textOf(`/proc/${name}/cmdline`)).replaceAll("\0", " ").trim();
    living.push({ pid: Number(name), commandLine });
  }
  return living;
}

/**
 * The same, after up to `withinMs` in which they may still end. A process that was killed is gone
 * a moment later than the kill returns.
 */
export async function leftoversOfHome(
  home: string,
  withinMs = 500,
): Promise<readonly LivingProcess[]> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const living = await processesOfHome(home);
    if (living.length === 0 || performance.now() > deadline) return living;
    await new Promise((wake) => setTimeout(wake, 20));
  }
}

/** Ends processes that a failing test left, so that they do not disturb the next one. */
export function endProcesses(living: readonly LivingProcess[]): void {
  for (const { pid } of living) {
    try {
      Deno.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself meanwhile.
    }
  }
}

/** A file's text; empty when the process is gone or belongs to somebody else. */
async function textOf(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch {
    return "";
  }
}
