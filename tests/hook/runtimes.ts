import { join } from "node:path";
import { bunPackage, HAS_AGENTS, inFolder, nodeOf } from "../hosts/agents.ts";

/** A runtime that a hook file has to run in. */
export interface Runtime {
  /** Its name, for messages. */
  readonly name: string;
  /** Program and first arguments before the script. */
  command(): Promise<readonly [string, ...string[]]>;
}

/** The newest Node and Bun when this was written. */
const NEWEST = { node: "26.12.1", bun: "1.4.5" };

/** Every runtime that hook files are made for: the Node on PATH is the oldest one. */
export const RUNTIMES: readonly Runtime[] = [
  { name: "node", command: () => Promise.resolve(["node"]) },
  {
    name: "deno",
    command: () => Promise.resolve([Deno.execPath(), "run", "--quiet", "--allow-all", "--no-lock"]),
  },
  ...HAS_AGENTS
    ? [
      { name: "newest node", command: newestNode },
      { name: "bun", command: bun },
    ]
    : [],
];

async function newestNode(): Promise<readonly [string, ...string[]]> {
  return [join(await nodeOf(NEWEST.node), "node")];
}

async function bun(): Promise<readonly [string, ...string[]]> {
  const name = bunPackage();
  const folder = await inFolder(`bun-${NEWEST.bun}`, { packages: [`${name}@${NEWEST.bun}`] }, {});
  return [join(folder, "node_modules", name, "bin", "bun"), "run"];
}
