/**
 * A host in small that works a lot: loads the tools of the current folder, calls the tool `pid`
 * a hundred times, and does so five times over. Prints every process id it was told, in order of
 * first sight, and how many dead children of its own were not waited for at the end.
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { discoverAndLoadMCPTools } from "../../../mod.ts";

const pids = new Set<string>();
for (let round = 0; round < 5; round++) {
  const { tools, manager } = await discoverAndLoadMCPTools();
  const pid = tools.find(({ tool }) => tool.info.name === "pid")?.tool;
  for (let call = 0; call < 100; call++) {
    const [block] = (await pid?.execute({}))?.content ?? [];
    if (block?.type === "text") pids.add(block.text);
  }
  await manager.disconnectAll();
}

const zombies = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(statOf)
  .filter(([state, parent]) => state === "Z" && parent === String(process.pid));
process.stdout.write(JSON.stringify({ pids: [...pids], zombies: zombies.length }) + "\n");

/** State and parent of a process. */
function statOf(pid: string): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(0, 2);
  } catch {
    return [];
  }
}
