import type { Tool } from "../../model/tool.ts";
import type { ToolSet } from "../../model/tool_set.ts";
import { nameInClash, type NamingStyle } from "../../tools/public_name.ts";
import type { GatewaySession } from "../gateway_session.ts";

/**
 * What hosts share and what one of them has of its own, as one session for that host. A server is in
 * the part that has its row; every request goes to its part by name.
 */
export function mergedSession(
  shared: GatewaySession,
  own: GatewaySession,
  naming: NamingStyle,
): GatewaySession {
  const tools = new MergedTools(naming);
  const partOf = (server: string): GatewaySession =>
    shared.ownServers().includes(server) ? own : shared;
  return {
    get toolSet() {
      return tools.merged(shared.toolSet, own.toolSet);
    },
    get failure() {
      return shared.failure ?? own.failure;
    },
    servers: () => {
      const rows = new Map(own.servers().map((row) => [row.name, row]));
      const ofHost = new Set(shared.ownServers());
      return shared.servers().map((row) => ofHost.has(row.name) ? rows.get(row.name) ?? row : row);
    },
    ownServers: () => [],
    purposeOf: (server) => partOf(server).purposeOf(server),
    hasFailedBefore: (server) => partOf(server).hasFailedBefore(server),
    instructionsOf: (server) => partOf(server).instructionsOf(server),
    eraOf: (server) => partOf(server).eraOf(server),
    eraWhenUp: (server, options) => partOf(server).eraWhenUp(server, options),
    capabilitiesOf: (server) => partOf(server).capabilitiesOf(server),
    listed: (server, kind) => partOf(server).listed(server, kind),
    request: (server, method, params, options) =>
      partOf(server).request(server, method, params, options),
    subscribe: (server, ...subscription) => partOf(server).subscribe(server, ...subscription),
    setLogLevel: (server, level) => partOf(server).setLogLevel(server, level),
    learnRoots: (server, roots) => partOf(server).learnRoots(server, roots),
    rootsChanged: () => own.rootsChanged(),
    settled: async (options) => {
      await Promise.all([shared.settled(options), own.settled(options)]);
    },
    close: () => own.close(),
  };
}

/** The tools of both parts: the same array, and the same generation, until one of them changes. */
export class MergedTools {
  readonly #naming: NamingStyle;
  #parts: readonly [readonly Tool[], readonly Tool[]] | null = null;
  #current: ToolSet = { generation: 0, tools: [] };

  /** @param naming How both parts name their tools. */
  constructor(naming: NamingStyle) {
    this.#naming = naming;
  }

  /** The tools of both, those that are shared first. */
  merged(shared: ToolSet, own: ToolSet): ToolSet {
    const [first, second] = this.#parts ?? [];
    if (first === shared.tools && second === own.tools) return this.#current;
    this.#parts = [shared.tools, own.tools];
    const tools = withoutClashes(shared.tools, own.tools, this.#naming);
    this.#current = { generation: this.#current.generation + 1, tools };
    return this.#current;
  }
}

/**
 * The tools of both parts under names that mean one tool each. Where both have a name, each gets the
 * hash, as within one session; where tools go by their own names alone, what is shared keeps it.
 */
function withoutClashes(
  shared: readonly Tool[],
  own: readonly Tool[],
  naming: NamingStyle,
): readonly Tool[] {
  const names = new Set(shared.map(({ name }) => name));
  const clashing = new Set(own.flatMap(({ name }) => names.has(name) ? [name] : []));
  if (clashing.size === 0) return own.length === 0 ? shared : [...shared, ...own];
  if (naming === "bare") return [...shared, ...own.filter(({ name }) => !clashing.has(name))];
  return [...shared, ...own].map((tool) =>
    clashing.has(tool.name)
      ? renamed(tool, nameInClash({ server: tool.server, tool: tool.info.name }, naming))
      : tool
  );
}

function renamed(tool: Tool, name: string): Tool {
  const { label, description, parameters, server, path, info, autoApprove } = tool;
  return {
    name,
    label,
    description,
    parameters,
    server,
    path,
    info,
    autoApprove,
    execute: (args, options) => tool.execute(args, options),
  };
}
