/**
 * A program for Node: a client and an agent of the Agent Client Protocol's own SDK, whose files lie
 * at the path given. The client opens sessions with the servers of the argument; printed is what
 * the agent makes of what has arrived.
 */
import process from "node:process";
import { pathToFileURL } from "node:url";
import { acpDefinition } from "../../../src/sources/acp.ts";

/** What the agent is asked. */
interface Asked {
  readonly params: { readonly mcpServers?: readonly unknown[] };
}

/** A side of the protocol that takes requests. */
interface Side {
  onRequest(method: string, answer: (asked: Asked) => unknown): Side;
  connect(stream: unknown): { close(): void };
  connectWith(stream: unknown, work: (peer: Peer) => Promise<void>): Promise<void>;
}

/** The other side. */
interface Peer {
  request(method: string, params: unknown): Promise<unknown>;
}

/** What is used of the SDK. */
interface AcpSdk {
  agent(options: { readonly name: string }): Side;
  client(options: { readonly name: string }): Side;
  ndJsonStream(output: unknown, input: unknown): unknown;
}

const [path = "", argument = "[]"] = process.argv.slice(2);
const requests = JSON.parse(argument) as readonly (readonly [method: string, params: object])[];
const version = /\/v2\/[^/]+\/acp\.js$/.test(path) ? 2 : 1;
const acp = await import(pathToFileURL(path).href) as AcpSdk;
const [up, down] = [new TransformStream(), new TransformStream()];

const seen: unknown[] = [];
const opened = ({ params }: Asked): unknown => {
  const servers = params.mcpServers ?? null;
  seen.push(
    servers === null ? null : servers.map((server, index) => {
      const { name, config, problems, warnings } = acpDefinition(server, index);
      return { name, config, problems: problems.map(({ message }) => message), warnings };
    }),
  );
  return { sessionId: "1" };
};
const initialized = (): unknown => ({
  protocolVersion: version,
  info: { name: "agent", version: "1.0.0" },
  capabilities: { session: { mcp: { stdio: {}, http: {} } } },
});
const agent = [...new Set(requests.map(([method]) => method))].reduce(
  (side, method) => side.onRequest(method, opened),
  acp.agent({ name: "agent" }).onRequest("initialize", initialized),
).connect(acp.ndJsonStream(up.writable, down.readable));
await acp.client({ name: "editor" }).connectWith(
  acp.ndJsonStream(down.writable, up.readable),
  async (peer) => {
    const info = { name: "editor", version: "1.0.0" };
    await peer.request("initialize", { protocolVersion: version, info, capabilities: {} });
    for (const [method, params] of requests) {
      await peer.request(method, { sessionId: "1", cwd: "/home/user/project", ...params });
    }
  },
);
agent.close();
process.stdout.write(JSON.stringify(seen));
