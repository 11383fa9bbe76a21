import { fromRepository } from "../../tests/harness/repository.ts";

/**
 * Builds the program into one file, and gives how to run that.
 * @throws When it cannot be built; the first build needs the npm registry.
 */
export async function built(): Promise<readonly string[]> {
  const file = fromRepository("dist/bench_built/mcp.js");
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--output", file, fromRepository("cli.ts")],
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`Cannot build: ${new TextDecoder().decode(stderr)}`);
  return [Deno.execPath(), "run", "--quiet", "--no-prompt", "--allow-all", "--no-config", file];
}
