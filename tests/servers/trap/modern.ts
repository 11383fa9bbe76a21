import { type Behaviour, ErrorAnswer, RawServer, SILENCE } from "./raw_server.ts";

const REVISION = "2026-07-28";
const META = "io.modelcontextprotocol/";

/** A server that refuses `initialize` and knows no revision but 2026-07-28. */
function modernServer(name: string): RawServer {
  const server = new RawServer(name);
  const identity = { [`${META}serverInfo`]: { name, version: "1.0.0" } };
  server.handlers.set("initialize", ({ protocolVersion: requested }) => {
    const data = { supported: [REVISION], requested };
    throw new ErrorAnswer(-32022, "Unsupported protocol version", data);
  });
  server.handlers.set("server/discover", () => ({
    resultType: "complete",
    supportedVersions: [REVISION],
    capabilities: { tools: {} },
    ttlMs: 60_000,
    cacheScope: "private",
    _meta: identity,
  }));
  server.handlers.delete("ping");
  for (const method of ["tools/list", "tools/call"]) {
    server.wrap(method, async (usual, { _meta: meta }) => {
      const revision = (meta as Record<string, unknown> | undefined)?.[`${META}protocolVersion`];
      if (revision !== REVISION) throw new ErrorAnswer(-32602, `No revision in ${method}`);
      return { resultType: "complete", ...(await usual() as object), _meta: identity };
    });
  }
  return server;
}

/** Behaviours of servers that know only the revision 2026-07-28, by name. */
export const modern: Readonly<Record<string, Behaviour>> = {
  /** Speaks 2026-07-28 only, by hand. */
  "discover-only": () => modernServer("discover-only").start(),

  /** Refuses `initialize` and never answers `server/discover`. */
  "refuses-all"(): void {
    const server = modernServer("refuses-all");
    server.handlers.set("server/discover", () => SILENCE);
    server.start();
  },
};
