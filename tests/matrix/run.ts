/**
 * Connects to thirty-four servers from npm and compares what `mcp` shows with what an independent
 * client is told. By hand; needs the npm registry and some minutes.
 *
 * `run.ts [--folder <installation to keep>] [--runtime node|deno] [name…]`
 *
 * Exit status 1 when a server that starts is not connected with exactly its tools, or one that
 * does not start is not reported with a cause.
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { StatusDocument, ToolsDocument } from "../../src/cli/documents.ts";
import { startEverything } from "../harness/http_servers.ts";
import { endProcesses, leftoversOfHome } from "../harness/living_processes.ts";
import { runCli } from "../harness/run_cli.ts";
import type { ServerCommand } from "../harness/servers.ts";
import { makeTempHome, type TempHome } from "../harness/temp_home.ts";
import { installAll, programOf } from "./install.ts";
import { rawList, type RawOutcome } from "./raw_list.ts";
import { argumentsOf, KUBECONFIG, MATRIX, type MatrixServer, type Stand } from "./servers.ts";

const { values, positionals } = parseArgs({
  options: { folder: { type: "string" }, runtime: { type: "string", default: "node" } },
  allowPositionals: true,
});
const chosen = MATRIX.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const home = await makeTempHome();
const rawHome = await makeTempHome();
const folder = values.folder ?? join(home.root, "installed");
const everything = await startEverything(rawHome, "streamableHttp");
let code = 1;
try {
  code = await compare();
} finally {
  await everything.close();
  endProcesses([...await leftoversOfHome(home.home, 0), ...await leftoversOfHome(rawHome.home, 0)]);
  await Promise.all([home.remove(), rawHome.remove()]);
}
Deno.exit(code);

/** The whole run; gives the exit status. */
async function compare(): Promise<number> {
  if (!await exists(join(folder, "node_modules"))) await installAll(folder, MATRIX);
  const raw = new Map<string, RawOutcome>();
  const commands = await commandsIn(rawHome);
  for (const { name, command } of commands) {
    raw.set(name, await rawList(command, rawHome));
    await say(`${name}: ${summary(raw.get(name))}\n`);
  }
  const own = await commandsIn(home);
  const mcpServers = Object.fromEntries(own.map(({ name, command }) => [name, command]));
  await home.write("home/.claude.json", { mcpServers });
  const options = { cwd: home.project, env: home.env, timeoutMs: 300_000 };
  const status = (await runCli(["status", "--json", "--exa", "--wait", "90s"], options)).json<
    StatusDocument
  >();
  const left = await leftoversOfHome(home.home);
  const tools = (await runCli(["tools", "--json", "--exa"], options)).json<ToolsDocument>();
  let bad = 0;
  for (const { name } of own) {
    const server = status.servers.find((each) => each.name === name);
    const names = tools.tools.filter((tool) => tool.server === name).map((tool) => tool.name);
    const outcome = raw.get(name);
    const right = outcome?.kind === "tools"
      ? server?.state === "connected" && sameNames(names, outcome.names)
      : server?.state !== "connected" && (server?.error !== null || server.state === "connecting");
    if (!right) bad += 1;
    await say(
      [
        right ? "ok " : "BAD",
        name.padEnd(20),
        summary(outcome).padEnd(24),
        `${server?.state} ${server?.tools ?? "-"}`.padEnd(16),
        `${server?.elapsedMs ?? "-"} ms`.padEnd(9),
        server?.error?.message ?? "",
      ].join(" ") + "\n",
    );
  }
  for (const { commandLine } of left) await say(`BAD left running: ${commandLine}\n`);
  await say(`${own.length - bad} as they should be, ${bad} not, ${left.length} left running\n`);
  return bad + left.length === 0 ? 0 : 1;
}

/** Every chosen server with the command that starts it in a home. */
async function commandsIn(
  at: TempHome,
): Promise<readonly { readonly name: string; readonly command: ServerCommand }[]> {
  const stand: Stand = {
    folder: at.home,
    kubeconfig: await at.write("home/kubeconfig", KUBECONFIG),
    url: everything.url,
  };
  return await Promise.all(chosen.map(async (server) => ({
    name: server.name,
    command: await commandOf(server, stand),
  })));
}

async function commandOf(server: MatrixServer, stand: Stand): Promise<ServerCommand> {
  const program = [await programOf(folder, server), ...argumentsOf(server, stand)];
  return values.runtime === "deno"
    ? {
      command: Deno.execPath(),
      args: ["run", "--quiet", "-A", ...program],
      env: server.env ?? {},
    }
    : { command: "node", args: program, env: server.env ?? {} };
}

function summary(outcome: RawOutcome | undefined): string {
  if (outcome === undefined) return "-";
  return outcome.kind === "tools" ? `${outcome.names.length} tools` : outcome.kind;
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

async function say(text: string): Promise<void> {
  await Deno.stdout.write(new TextEncoder().encode(text));
}
