import { join } from "node:path";
import type { MatrixServer } from "./servers.ts";

/** Installs every package of the matrix into a folder, without running any install script. */
export async function installAll(folder: string, servers: readonly MatrixServer[]): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(join(folder, "package.json"), `{ "private": true }\n`);
  const packages = servers.map((server) => `${server.package}@${server.version}`);
  const flags = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { success, stderr } = await new Deno.Command("npm", {
    args: [...flags, ...packages],
    cwd: folder,
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`Cannot install: ${new TextDecoder().decode(stderr)}`);
}

/** Path of the program that an installed package is started by. */
export async function programOf(folder: string, server: MatrixServer): Promise<string> {
  const home = join(folder, "node_modules", server.package);
  const text = await Deno.readTextFile(join(home, "package.json"));
  const { bin } = JSON.parse(text) as { readonly bin: string | Readonly<Record<string, string>> };
  if (typeof bin === "string") return join(home, bin);
  const path = Object.values(bin)[0];
  if (path === undefined) throw new Error(`Cannot start ${server.package}: it has no program`);
  return join(home, path);
}
