import { ScriptedServer } from "./scripted_servers.ts";

/** Scripted servers behind one listener, each at a path of its own. */
export class ScriptedServers implements AsyncDisposable {
  readonly #http: Deno.HttpServer<Deno.NetAddr>;
  #byName: ReadonlyMap<string, ScriptedServer> = new Map();

  constructor() {
    this.#http = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: (): void => {} },
      async (request) => {
        const path = decodeURIComponent(new URL(request.url).pathname.slice(1));
        const server = this.#byName.get(path);
        return await server?.handle(request) ?? new Response(null, { status: 404 });
      },
    );
  }

  /** The servers by name. */
  get byName(): ReadonlyMap<string, ScriptedServer> {
    return this.#byName;
  }

  /** Puts new servers in the place of the old ones, at the same addresses. */
  renew(names: readonly string[]): void {
    for (const server of this.#byName.values()) server.become("down");
    this.#byName = new Map(names.map((name) => [name, new ScriptedServer(name)]));
  }

  of(name: string): ScriptedServer {
    const server = this.#byName.get(name);
    if (server === undefined) throw new Error(`There is no server "${name}"`);
    return server;
  }

  url(name: string): string {
    return `http://127.0.0.1:${this.#http.addr.port}/${encodeURIComponent(name)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.renew([]);
    await this.#http.shutdown();
  }
}
