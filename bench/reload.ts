/**
 * Measures `mcp reload` from the command's start to its end, with a live session of 20 servers in
 * another process: when nothing changed, and when one server did, which then starts anew. By its
 * end the session's host has the new tools.
 *
 * `deno task bench`, or alone: `deno run --allow-all bench/reload.ts [--runs 20]`
 *
 * It prints and never judges: a slow machine is no failure. `MCP_BIN` names a built file to be
 * measured in place of `cli.ts`.
 * @module
 */
import { parseArgs } from "node:util";
import type { ReloadDocument } from "../src/cli/session_documents.ts";
import { runCli } from "../tests/harness/run_cli.ts";
import { trap } from "../tests/harness/servers.ts";
import { startSessionHost } from "../tests/harness/session_host.ts";
import { makeTempHome, type TempHome } from "../tests/harness/temp_home.ts";

/** Servers of the session. */
const SERVERS = 20;

/** Runs before those that count. */
const WARM_RUNS = 2;

const { values } = parseArgs({ options: { runs: { type: "string", default: "20" } } });
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error(`Cannot run ${values.runs} times`);

const home = await makeTempHome();
try {
  await declare(home, 0);
  const host = await startSessionHost(home);
  try {
    await print(["command", "min ms", "median ms", "session ms"]);
    await report("mcp reload, 0 of 20", () => Promise.resolve(), 0);
    await report("mcp reload, 1 of 20", (run) => declare(home, run), 1);
  } finally {
    await host.end();
  }
} finally {
  await home.remove();
}

/** Writes the user's servers; the first one differs with each version. */
async function declare(temp: TempHome, version: number): Promise<void> {
  const names = Array.from({ length: SERVERS }, (_, index) => `s${index + 1}`);
  const mcpServers = Object.fromEntries(names.map((name, index) => {
    const server = trap("good");
    const env = { ...server.env, INSTANCE: name, VERSION: index === 0 ? String(version) : "" };
    return [name, { ...server, env }];
  }));
  await temp.write("home/.claude.json", { mcpServers });
}

/** Reloads again and again, prints the times, and checks how many servers started anew. */
async function report(
  name: string,
  change: (run: number) => Promise<unknown>,
  restarted: number,
): Promise<void> {
  const times: number[] = [];
  const inside: number[] = [];
  for (let run = -WARM_RUNS; run < runs; run++) {
    await change(run + WARM_RUNS + 1);
    const { code, stderr, elapsedMs, json } = await runCli(["reload", "--json"], {
      cwd: home.project,
      env: home.env,
    });
    if (code !== 0) throw new Error(`mcp reload ended with ${code}\n${stderr}`);
    const [session] = json<ReloadDocument>().sessions;
    const anew = session?.report?.servers.filter(({ action }) => action === "restarted") ?? [];
    if (anew.length !== restarted) throw new Error(`${anew.length} servers started anew`);
    if (run < 0) continue;
    times.push(elapsedMs);
    inside.push(session?.report?.elapsedMs ?? NaN);
  }
  await print([name, Math.min(...times).toFixed(0), median(times), median(inside)]);
}

function median(times: readonly number[]): string {
  return (times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN).toFixed(0);
}

/** Prints one line of the table. */
async function print([name = "", ...figures]: readonly string[]): Promise<void> {
  const line = `${name.padEnd(22)}${figures.map((figure) => figure.padStart(11)).join("")}\n`;
  await Deno.stdout.write(new TextEncoder().encode(line));
}
