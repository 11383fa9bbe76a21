import { processesOfHome } from "../../tests/harness/living_processes.ts";

/** Memory of one process, in MiB, as Linux counts it. */
export interface ProcessMemory {
  /** Its id. */
  readonly pid: number;
  /** Its command line. */
  readonly commandLine: string;
  /** What lies in memory now. */
  readonly resident: number;
  /** The most that lay in memory at once. */
  readonly peak: number;
  /** What lies in memory now, what it shares with others counted by its share. */
  readonly proportional: number;
}

/** Memory of a gateway's processes, in MiB. */
export interface Memory {
  /** The largest of them. */
  readonly largest: number;
  /** All together. */
  readonly sum: number;
}

/**
 * Every process of a home but the servers behind its gateway, whose command lines begin so.
 * By home and not by descent, since daemons leave their parents.
 */
export async function gatewayProcesses(
  home: string,
  server: string,
): Promise<readonly ProcessMemory[]> {
  const living = await processesOfHome(home);
  const own = living.filter(({ commandLine }) => !commandLine.startsWith(server));
  return await Promise.all(own.map(memoryOf));
}

/** The largest of some figures, and all together. */
export function together(
  processes: readonly ProcessMemory[],
  figure: "resident" | "peak" | "proportional",
): Memory {
  const figures = processes.map((each) => each[figure]);
  return { largest: Math.max(0, ...figures), sum: figures.reduce((sum, each) => sum + each, 0) };
}

async function memoryOf(
  { pid, commandLine }: { readonly pid: number; readonly commandLine: string },
): Promise<ProcessMemory> {
  const [status, rollup] = await Promise.all(
    ["status", "smaps_rollup"].map((name) => Deno.readTextFile(`/proc/${pid}/${name}`)),
  );
  return {
    pid,
    commandLine,
    resident: mebibytes(status, "VmRSS"),
    peak: mebibytes(status, "VmHWM"),
    proportional: mebibytes(rollup, "Pss"),
  };
}

function mebibytes(text: string | undefined, key: string): number {
  return Number(new RegExp(`^${key}:\\s+(\\d+) kB`, "m").exec(text ?? "")?.[1]) / 1024;
}
