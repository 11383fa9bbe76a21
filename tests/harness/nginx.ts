import { readmeFences } from "./readme.ts";
import { until } from "./until.ts";

/** Where Debian puts it; it is not on everybody's PATH. */
const PROGRAM = "/usr/sbin/nginx";

/** Whether nginx is installed; Debian's package is `nginx`. */
export const HAS_NGINX: boolean = isFile(PROGRAM);

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** An nginx in front of several servers, which takes them in turn. */
export class Nginx implements AsyncDisposable {
  /** Port that it listens at. */
  readonly port: number;
  readonly #child: Deno.ChildProcess;
  readonly #folder: string;

  private constructor(port: number, child: Deno.ChildProcess, folder: string) {
    this.port = port;
    this.#child = child;
    this.#folder = folder;
  }

  /** Starts it with what its package sets by default, and waits until it listens. */
  static async start(ports: readonly number[]): Promise<Nginx> {
    const location = await readmeLocation();
    const folder = await Deno.makeTempDir({ prefix: "hotplug-nginx-" });
    const port = freePort();
    await Deno.writeTextFile(`${folder}/nginx.conf`, config(folder, port, ports, location));
    const child = new Deno.Command(PROGRAM, {
      args: ["-p", folder, "-c", `${folder}/nginx.conf`, "-e", `${folder}/error.log`],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    const nginx = new Nginx(port, child, folder);
    await until(async () => {
      const connection = await Deno.connect({ hostname: "127.0.0.1", port }).catch(() => null);
      connection?.close();
      return connection !== null;
    });
    return nginx;
  }

  /** Ends it and removes its files. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#child.status;
    await Deno.remove(this.#folder, { recursive: true });
  }
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

/** The `location` that the README shows, its one gateway replaced by several. */
async function readmeLocation(): Promise<string> {
  const [shown = ""] = await readmeFences("nginx");
  const [location = ""] = /location \/mcp \{[^}]*\}/.exec(shown) ?? [];
  return location.replace("http://127.0.0.1:8808", "http://gateways");
}

function config(
  folder: string,
  port: number,
  ports: readonly number[],
  location: string,
): string {
  const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `  ${name}_temp_path ${folder}/${name};`).join("\n");
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 256; }
http {
  access_log off;
${temp}
  upstream gateways {
${ports.map((each) => `    server 127.0.0.1:${each};`).join("\n")}
    keepalive 8;
  }
  server {
    listen 127.0.0.1:${port};
    ${location}
  }
}
`;
}
