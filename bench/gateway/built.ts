import { fromRepository } from "../../tests/harness/repository.ts";

const FOLDER = "dist/bench_built";

/**
 * Builds the program into one file, and gives how to run that. In two steps: shortened at once it
 * would not start, since the bundler loses its way to load built-ins.
 * @throws When it cannot be built; the first build needs the npm registry.
 */
export async function built(): Promise<readonly string[]> {
  const whole = fromRepository(`${FOLDER}/whole.js`);
  const file = fromRepository(`${FOLDER}/mcp.js`);
  await bundle(fromRepository("cli.ts"), whole);
  await bundle(whole, file, "--minify");
  return [Deno.execPath(), "run", "--quiet", "--no-prompt", "--allow-all", "--no-config", file];
}

async function bundle(from: string, to: string, ...flags: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", ...flags, "--output", to, from],
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`Cannot build: ${new TextDecoder().decode(stderr)}`);
}
