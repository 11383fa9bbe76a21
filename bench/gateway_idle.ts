/**
 * Measures the memory of a gateway at rest: five instant servers connected, one client that called
 * once, then ten seconds of quiet. `mcp serve` over stdio and over HTTP, from source and built into
 * one file, beside other gateways.
 *
 * `deno task bench:gateway`, or alone:
 * `deno run -A bench/gateway_idle.ts [--quiet-s 10] [--only <name>] [--without <name>]`
 *
 * The servers are not counted. `largest` is the largest process of a gateway and `sum` all of them,
 * as they lie in memory; `shared out` counts pages that processes share by their share. A gateway
 * that takes one server alone has one. `MCP_BIN` names a built file to be measured in place of
 * `cli.ts`; nothing is built then.
 *
 * It prints and never judges.
 * @module
 */
import { parseArgs } from "node:util";
import { program } from "../tests/harness/run_cli.ts";
import { makeTempHome, type TempHome } from "../tests/harness/temp_home.ts";
import { built } from "./gateway/built.ts";
import { fastServerLine, fastServers, hotplug, peerContenders } from "./gateway/contenders.ts";
import { withoutNetwork } from "./gateway/loopback.ts";
import { gatewayProcesses, together } from "./gateway/memory.ts";
import { installPeers } from "./gateway/peers.ts";
import { start } from "./gateway/running.ts";
import { openStdio } from "./gateway/stdio_client.ts";

/** Servers behind a gateway. */
const SERVERS = 5;

/** Most MiB that ours may take. */
const BUDGET = 70;

/** A gateway at rest. */
interface AtRest {
  readonly home: TempHome;
  end(): Promise<void>;
}

/** How one comes to rest. */
interface Sleeper {
  readonly name: string;
  readonly servers: number;
  start(): Promise<AtRest>;
}

const { values } = parseArgs({
  options: {
    "quiet-s": { type: "string", default: "10" },
    only: { type: "string", multiple: true },
    without: { type: "string", multiple: true, default: [] },
  },
});
const peers = await installPeers();
const isBuilt = (Deno.env.get("MCP_BIN") ?? "") !== "";
const programs = isBuilt
  ? [{ from: "built", command: program() }]
  : [{ from: "source", command: program() }, { from: "one file", command: await built() }];
const isAlone = await withoutNetwork();
const sleepers: readonly Sleeper[] = [
  ...programs.map(({ from, command }) => overStdio(`mcp serve, ${from}`, command)),
  ...[
    ...programs.map(({ from, command }) => hotplug(`mcp serve --http, ${from}`, command)),
    ...peerContenders(peers),
  ].map((contender): Sleeper => {
    const servers = Math.min(SERVERS, contender.most);
    return { name: contender.name, servers, start: () => start(contender, servers) };
  }),
].filter(({ name }) => (values.only ?? [name]).includes(name) && !values.without.includes(name));

await line([isAlone ? "" : "(on the network)", "servers", "largest", "sum", "shared out"]);
for (const sleeper of sleepers) await measure(sleeper);
await write(`MiB; budget of ours: ${BUDGET}\n`);

async function measure({ name, servers, start }: Sleeper): Promise<void> {
  // The first run of a file that was just built makes a cache, and takes half as much again.
  await (await start()).end();
  const { home, end } = await start();
  try {
    await new Promise((resolve) => setTimeout(resolve, Number(values["quiet-s"]) * 1_000));
    const processes = await gatewayProcesses(home.home, fastServerLine());
    const { largest, sum } = together(processes, "resident");
    const figures = [largest, sum, together(processes, "proportional").sum];
    await line([name, String(servers), ...figures.map((figure) => figure.toFixed(1))]);
  } finally {
    await end();
  }
}

function overStdio(name: string, command: readonly string[]): Sleeper {
  return {
    name,
    servers: SERVERS,
    async start(): Promise<AtRest> {
      const home = await makeTempHome();
      await home.write("home/.claude.json", { mcpServers: fastServers(SERVERS) });
      const client = await openStdio([...command, "serve"], "s1_echo", home);
      return { home, end: () => client.end().then(() => home.remove()) };
    },
  };
}

async function line([name = "", ...figures]: readonly string[]): Promise<void> {
  await write(`${name.padEnd(30)}${figures.map((figure) => figure.padStart(12)).join("")}\n`);
}

async function write(text: string): Promise<void> {
  await Deno.stdout.write(new TextEncoder().encode(text));
}
