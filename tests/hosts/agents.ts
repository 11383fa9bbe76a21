import { delimiter, join } from "node:path";
import { withFileLock } from "../../src/platform/file_lock.ts";
import { fromRepository } from "../harness/repository.ts";

/** A host agent as npm has it, at the version whose files its test was written with. */
export interface Agent {
  /** Its name, of which the name of its folder is made. */
  readonly name: string;
  /** Its version. */
  readonly version: string;
  /** What npm installs, versions included; no install script is run. */
  readonly packages: readonly string[];
  /** What starts it: `node` for a script, and paths below `node_modules`. */
  readonly command: readonly [string, ...string[]];
  /** Whether npm leaves out what is optional: parts that its own commands do without. */
  readonly lean?: boolean;
  /** Variables that it runs with, beyond those of its home. */
  readonly env?: Readonly<Record<string, string>>;
}

/** An agent that is on the disk. */
export interface InstalledAgent {
  /** Program and first arguments, absolute. */
  readonly command: readonly [string, ...string[]];
  /** Variables that it runs with. */
  readonly env: Readonly<Record<string, string>>;
}

/** Whether the agents' programs are made for this machine, in a form that is known here. */
export const HAS_AGENTS: boolean = Deno.build.os === "linux" || Deno.build.os === "darwin";

/** This machine in the words of npm's packages for one machine. */
const ARCH = Deno.build.arch === "x86_64" ? "x64" : "arm64";
const HERE = `${Deno.build.os}-${ARCH}`;

/** Least major version of Node that runs every agent, and the one that is installed for it. */
const NODE = { least: 24, version: "24.21.0" };

/** Longest time for one installation, the wait for another process included. */
const INSTALL_LIMIT_MS = 300_000;

/** Folder of all that is installed. */
const FOLDER = fromRepository("dist/agents");

/** What this process has installed or found. */
const known = new Map<string, Promise<InstalledAgent>>();

/** Name of an agent's package for this machine, below the name that its packages share. */
export function forThisMachine(base: string): string {
  return `${base}-${HERE}`;
}

/** Target of this machine as Rust names it. */
export function rustTarget(): string {
  const { arch, os } = Deno.build;
  return os === "darwin" ? `${arch}-apple-darwin` : `${arch}-unknown-linux-musl`;
}

/** Package of bun for this machine. */
export function bunPackage(): string {
  return `@oven/bun-${Deno.build.os}-${ARCH === "arm64" ? "aarch64" : ARCH}`;
}

/**
 * An agent, installed into `dist/agents/<name>-<version>` unless it is there. Two processes do not
 * install one at the same time, and what is there is whole.
 */
export function installed(agent: Agent): Promise<InstalledAgent> {
  const name = `${agent.name}-${agent.version}`;
  const found = known.get(name) ?? install(name, agent);
  known.set(name, found);
  return found;
}

async function install(name: string, agent: Agent): Promise<InstalledAgent> {
  const [first, ...rest] = agent.command;
  const path = Deno.env.get("PATH") ?? "/usr/bin:/bin";
  const node = first === "node" ? await nodeFolder() : null;
  const env = { PATH: node === null ? path : `${node}${delimiter}${path}` };
  const modules = join(await inFolder(name, agent, env), "node_modules");
  const program = first === "node" ? join(node ?? "", "node") : join(modules, first);
  return {
    command: [program, ...rest.map((file) => join(modules, file))],
    env: { ...agent.env, ...env },
  };
}

/** Folder of a Node that runs every agent: the current one, else one that npm brings. */
async function nodeFolder(): Promise<string> {
  const text = await output("node", ["-p", "process.execPath + ' ' + process.versions.node"]);
  const [, program, major] = /^(.*) (\d+)\./.exec(text.trim()) ?? [];
  if (program !== undefined && Number(major) >= NODE.least) return join(program, "..");
  return await nodeOf(NODE.version);
}

/** Folder of the `node` of this version, which npm brings. */
export async function nodeOf(version: string): Promise<string> {
  // The package for one machine; "node" itself would download it by an install script.
  const name = HERE === "darwin-arm64" ? `node-bin-${HERE}` : `node-${HERE}`;
  const folder = await inFolder(`node-${version}`, { packages: [`${name}@${version}`] }, {});
  return join(folder, "node_modules", name, "bin");
}

/** Folder of a finished installation in `dist/agents/<name>`, made when it is missing. */
export async function inFolder(
  name: string,
  { packages, lean }: Pick<Agent, "packages" | "lean">,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = join(FOLDER, name);
  if (await exists(folder)) return folder;
  await Deno.mkdir(FOLDER, { recursive: true });
  await withFileLock(folder, async () => {
    if (await exists(folder)) return;
    const part = `${folder}.part`;
    if (await exists(part)) await Deno.remove(part, { recursive: true });
    await Deno.mkdir(part);
    await Deno.writeTextFile(join(part, "package.json"), `{ "private": true }\n`);
    const omit = lean === true ? ["--omit=optional"] : [];
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...omit];
    await output("npm", ["install", ...flags, ...packages], { cwd: part, env });
    await Deno.rename(part, folder);
  }, { timeoutMs: INSTALL_LIMIT_MS });
  return folder;
}

async function output(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const signal = AbortSignal.timeout(INSTALL_LIMIT_MS);
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    ...options,
    stdin: "null",
    signal,
  }).output();
  const text = new TextDecoder();
  if (success) return text.decode(stdout);
  throw new Error(`Cannot run ${command} ${args.join(" ")}: ${text.decode(stderr)}`);
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
