/**
 * Measures how far the estimate of `mcp status --tokens` is from what an encoding counts
 * (`o200k_base`, by the package gpt-tokenizer), over what the servers of the matrix list. By hand;
 * needs the npm registry and some minutes.
 *
 * `deno run --allow-all bench/tokens.ts [--folder <installation to keep>] [name…]`
 *
 * It prints and never judges.
 * @module
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { estimatedTokens } from "../src/tools/token_estimate.ts";
import { endProcesses, leftoversOfHome } from "../tests/harness/living_processes.ts";
import { RawClient } from "../tests/harness/raw_client.ts";
import { makeTempHome, type TempHome } from "../tests/harness/temp_home.ts";
import { installAll, programOf } from "../tests/matrix/install.ts";
import { argumentsOf, KUBECONFIG, MATRIX, type MatrixServer } from "../tests/matrix/servers.ts";

/** What counts. */
const TOKENIZER: MatrixServer = {
  name: "tokenizer",
  package: "gpt-tokenizer",
  version: "4.0.0",
};

/** Milliseconds that a server has for its list. */
const LIMIT_MS = 20_000;

/** Characters a token, as is often assumed. */
const USUAL_RATIO = 4;

/** One server's tools, counted. */
interface Counted {
  readonly characters: number;
  readonly tokens: number;
  readonly estimate: number;
}

const { values, positionals } = parseArgs({
  options: { folder: { type: "string" } },
  allowPositionals: true,
});
// The one that only leads to another has no list of its own.
const chosen = MATRIX.filter(({ name, args = [] }) =>
  !args.includes("{url}") && (positionals.length === 0 || positionals.includes(name))
);
const home = await makeTempHome();
try {
  await measure(values.folder ?? join(home.root, "installed"));
} finally {
  endProcesses(await leftoversOfHome(home.home, 0));
  await home.remove();
}

async function measure(folder: string): Promise<void> {
  await installAll(folder, [...chosen, TOKENIZER]);
  const count = await counter(folder);
  await print(["server", "characters", "tokens", "estimate", "error", "by 4 characters"]);
  const all: Counted[] = [];
  for (const server of chosen) {
    const tools = await toolsOf(folder, server, home);
    if (tools === null || tools.length === 0) continue;
    const texts = tools.map(({ name, description, inputSchema }) =>
      JSON.stringify({ name, description, inputSchema })
    );
    const counted = texts.map((text): Counted => ({
      characters: text.length,
      tokens: count(text),
      estimate: estimatedTokens(text),
    })).reduce(added);
    all.push(counted);
    await report(server.name, counted);
  }
  await report("all", all.reduce(added));
  const errors = all.map(({ estimate, tokens }) => Math.abs(estimate / tokens - 1));
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  await print([`${all.length} servers`, "", "", "", `${percent(mean)} in the mean`]);
}

/** Counts the tokens of a text. */
async function counter(folder: string): Promise<(text: string) => number> {
  const path = join(folder, "node_modules", TOKENIZER.package, "esm/encoding/o200k_base.js");
  const { encode } = await import(pathToFileURL(path).href) as {
    readonly encode: (text: string) => readonly number[];
  };
  return (text) => encode(text).length;
}

/** What a server lists; `null` when it gives no list in time. */
async function toolsOf(
  folder: string,
  server: MatrixServer,
  at: TempHome,
): Promise<readonly Readonly<Record<string, unknown>>[] | null> {
  const kubeconfig = await at.write("home/kubeconfig", KUBECONFIG);
  const args = argumentsOf(server, { folder: at.home, kubeconfig, url: "" });
  const command = {
    command: "node",
    args: [await programOf(folder, server), ...args],
    env: server.env ?? {},
  };
  const client = new RawClient(command, at.env, at.home);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), LIMIT_MS);
  });
  const listed = client.initialize().then(() => client.tools()).catch(() => null);
  const tools = await Promise.race([listed, late]);
  clearTimeout(timer);
  await client.close(200);
  endProcesses(await leftoversOfHome(at.home, 0));
  return tools;
}

function added(one: Counted, other: Counted): Counted {
  return {
    characters: one.characters + other.characters,
    tokens: one.tokens + other.tokens,
    estimate: one.estimate + other.estimate,
  };
}

async function report(name: string, { characters, tokens, estimate }: Counted): Promise<void> {
  await print([
    name,
    String(characters),
    String(tokens),
    String(estimate),
    percent(estimate / tokens - 1),
    percent(characters / USUAL_RATIO / tokens - 1),
  ]);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

async function print(cells: readonly string[]): Promise<void> {
  const line = cells.map((cell, index) => index === 0 ? cell.padEnd(22) : cell.padStart(16)).join(
    "",
  );
  await Deno.stdout.write(new TextEncoder().encode(`${line.trimEnd()}\n`));
}
