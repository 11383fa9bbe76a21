import assert from "node:assert/strict";
import { freePort } from "../harness/http_servers.ts";
import type { World } from "../harness/e2e.ts";
import { processesOfHome } from "../harness/living_processes.ts";
import { program } from "../harness/run_cli.ts";
import { until } from "../harness/until.ts";

/** What a gateway holds that it could forget to give back. */
export interface GatewayHeld {
  /** Open descriptors. */
  readonly descriptors: number;
  /** Processes that it has started and that are there. */
  readonly children: number;
  /** Megabytes of its heap, the garbage collected. */
  readonly megabytes: number;
}

/** A gateway over HTTP, in a process of its own that can be looked into. */
export interface HttpGateway {
  /** Its endpoint. */
  readonly url: string;
  /** Its process. */
  readonly pid: number;
  /** What it holds now. */
  held(): Promise<GatewayHeld>;
  /** Processes of the servers behind it. */
  servers(): Promise<readonly number[]>;
  /** Ends it as a supervisor does; gives its exit status. */
  end(): Promise<number>;
}

/**
 * Starts `mcp serve --http` in a world's project folder, with these tokens, each of somebody else.
 * @throws When it does not say where it is.
 */
export async function startHttpGateway(
  world: World,
  tokens: readonly string[],
): Promise<HttpGateway> {
  const file = await world.write("home/tokens", tokens.map((each) => `${each}\n`).join(""));
  await Deno.chmod(file, 0o600);
  const [command, ...first] = program();
  const port = freePort();
  // A built file cannot be looked into.
  const inspected = first[0] === "run" ? ["run", `--inspect=127.0.0.1:${port}`] : null;
  const flags = ["serve", "--http", "--port", "0", "--token-file", file, "--json"];
  const child = new Deno.Command(command, {
    args: [...inspected ?? first.slice(0, 1), ...first.slice(1), ...flags],
    cwd: world.project,
    clearEnv: true,
    env: { ...world.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const texts = { stdout: "", stderr: "" };
  const drained = (["stdout", "stderr"] as const).map(async (name) => {
    for await (const text of child[name].pipeThrough(new TextDecoderStream())) {
      texts[name] = (texts[name] + text).slice(-16_000);
    }
  });
  const end = async (): Promise<number> => {
    try {
      child.kill("SIGTERM");
    } catch {
      // It has ended.
    }
    const timer = setTimeout(() => child.kill("SIGKILL"), 30_000);
    const [{ code }] = await Promise.all([child.status, ...drained]);
    clearTimeout(timer);
    return code;
  };
  try {
    await until(() => texts.stdout.includes("\n"), 20_000);
    const { url } = JSON.parse(texts.stdout.split("\n")[0] ?? "") as { readonly url: string };
    const servers = async (): Promise<readonly number[]> =>
      (await processesOfHome(world.home)).map(({ pid }) => pid).filter((pid) => pid !== child.pid);
    const held = async (): Promise<GatewayHeld> => ({
      megabytes: inspected === null ? 0 : await heapMegabytes(port),
      descriptors: (await Array.fromAsync(Deno.readDir(`/proc/${child.pid}/fd`))).length,
      children: (await servers()).length,
    });
    return { url, pid: child.pid, servers, held, end };
  } catch (cause) {
    await end();
    throw new Error(`The gateway did not start: ${texts.stderr}`, { cause });
  }
}

/** Megabytes of another program's heap once its garbage is collected, by its inspector. */
async function heapMegabytes(port: number): Promise<number> {
  const list = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json() as readonly {
    readonly webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(list[0]?.webSocketDebuggerUrl ?? "");
  const closed = new Promise((resolve) => socket.onclose = resolve);
  try {
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    await asked(socket, 1, "HeapProfiler.collectGarbage");
    const { usedSize } = await asked(socket, 2, "Runtime.getHeapUsage");
    assert.ok(typeof usedSize === "number");
    return usedSize / 2 ** 20;
  } finally {
    socket.close();
    await closed;
  }
}

async function asked(
  socket: WebSocket,
  id: number,
  method: string,
): Promise<Record<string, unknown>> {
  return await new Promise((resolve) => {
    socket.onmessage = ({ data }): void => {
      const message = JSON.parse(String(data)) as Record<string, unknown>;
      if (message["id"] === id) resolve(message["result"] as Record<string, unknown>);
    };
    socket.send(JSON.stringify({ id, method }));
  });
}
