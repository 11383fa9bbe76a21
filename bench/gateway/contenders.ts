import { fromRepository } from "../../tests/harness/repository.ts";
import type { TempHome } from "../../tests/harness/temp_home.ts";
import type { ServerCommand } from "../../tests/harness/servers.ts";
import type { Era } from "../../tests/harness/raw_http_client.ts";
import type { Peers } from "./peers.ts";

/** How a gateway is started, and where it can be reached. */
export interface Launch {
  /** Program and arguments. */
  readonly command: readonly string[];
  /** Path of its endpoint. */
  readonly path: string;
  /** Token that it asks for. */
  readonly token?: string;
}

/** A gateway that is measured. */
export interface Contender {
  /** How the table calls it. */
  readonly name: string;
  /** What its hosts may speak. */
  readonly eras: readonly Era[];
  /** Most servers that it takes. */
  readonly most: number;
  /** Writes what it reads into a home; gives how to start it on a port. */
  prepare(home: TempHome, port: number, servers: number): Promise<Launch>;
}

const TOKEN = "a-token-of-the-benchmark-0123456789abcdef";

/** The server that all of them call. */
export function fastServer(): ServerCommand {
  const flags = ["run", "--quiet", "--no-config", "--no-lock", "--no-prompt", "--allow-all"];
  return {
    command: Deno.execPath(),
    args: [...flags, fromRepository("bench/gateway/fast_server.ts")],
    env: {},
  };
}

/** What the command line of every such server is. */
export function fastServerLine(): string {
  const { command, args } = fastServer();
  return [command, ...args].join(" ");
}

/** So many of them, which differ in a variable: of equal ones only the first would run. */
export function fastServers(count: number): Readonly<Record<string, ServerCommand>> {
  const names = Array.from({ length: count }, (_, index) => `s${index + 1}`);
  return Object.fromEntries(names.map((name) => [name, { ...fastServer(), env: { N: name } }]));
}

/** `mcp serve --http` of a program, from source or built. */
export function hotplug(name: string, program: readonly string[]): Contender {
  return {
    name,
    eras: ["legacy", "modern"],
    most: Infinity,
    async prepare(home, port, servers): Promise<Launch> {
      await home.write("home/.claude.json", { mcpServers: fastServers(servers) });
      const file = await home.write("home/token", `${TOKEN}\n`);
      await Deno.chmod(file, 0o600);
      const flags = ["serve", "--http", "--port", String(port), "--token-file", file];
      return { command: [...program, ...flags], path: "/mcp", token: TOKEN };
    },
  };
}

/** The other gateways. */
export function peerContenders(peers: Peers): readonly Contender[] {
  const { command, args } = fastServer();
  return [
    {
      name: "mcporter",
      eras: ["legacy"],
      most: Infinity,
      async prepare(home, port, servers): Promise<Launch> {
        const mcpServers = Object.fromEntries(
          Object.entries(fastServers(servers)).map((
            [name, server],
          ) => [name, { ...server, lifecycle: "keep-alive" }]),
        );
        await home.write("project/config/mcporter.json", { mcpServers, imports: [] });
        return { command: [...peers.mcporter, "serve", "--http", String(port)], path: "/mcp" };
      },
    },
    {
      name: "mcp-proxy",
      eras: ["legacy", "modern"],
      most: 1,
      prepare: (_home, port) => {
        const flags = ["--host", "127.0.0.1", "--port", String(port), "--server", "stream"];
        const whole = [...peers.mcpProxy, ...flags, "--", command, ...args];
        return Promise.resolve({ command: whole, path: "/mcp" });
      },
    },
    {
      name: "supergateway",
      eras: ["legacy"],
      most: 1,
      prepare: (_home, port) => {
        const flags = ["--outputTransport", "streamableHttp", "--stateful", "--port", String(port)];
        const stdio = ["--logLevel", "none", "--stdio", fastServerLine()];
        const whole = [...peers.supergateway, ...flags, ...stdio];
        return Promise.resolve({ command: whole, path: "/mcp" });
      },
    },
  ];
}
