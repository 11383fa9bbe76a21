import { conformanceServer, npmServer, sdkServer, type ServerCommand } from "./servers.ts";
import type { TempHome } from "./temp_home.ts";

/** A server over HTTP that runs as a process of its own. */
export interface HttpServer {
  /** Its endpoint. */
  readonly url: string;
  /** Ends it. */
  close(): Promise<void>;
}

/** Starts server-everything from npm over one of its HTTP transports. */
export async function startEverything(
  home: TempHome,
  transport: "streamableHttp" | "sse",
  port: number = freePort(),
): Promise<HttpServer> {
  const command = npmServer("everything", transport);
  const env = { ...command.env, PORT: String(port) };
  const close = await started({ ...command, env }, home, "stderr", /on port \d+/);
  return { url: `http://127.0.0.1:${port}/${transport === "sse" ? "sse" : "mcp"}`, close };
}

/** Starts a server made with an SDK over Streamable HTTP; port 0 is one that is free. */
export async function startSdkServer(
  home: TempHome,
  era: "modern" | "dual" | "legacy",
  port = 0,
): Promise<HttpServer> {
  return await startedOn(home, sdkServer(era), "http", String(port));
}

/** Starts a server that offers what the conformance suite asks for, on a port that is free. */
export async function startConformanceServer(
  home: TempHome,
  era: "modern" | "legacy",
): Promise<HttpServer> {
  return await startedOn(home, conformanceServer(era), "http", "0");
}

/** A server whose tool list changes when told to. */
export interface ChangingServer extends HttpServer {
  /** Changes its list so many times within `ms` milliseconds; gives the tool that it has then. */
  change(times: number, ms?: number): Promise<string>;
  /** How often its tools were listed. */
  reads(): Promise<number>;
}

/** Starts `tests/servers/sdk_changing.ts` on a port that is free. */
export async function startChangingServer(
  home: TempHome,
  era: "modern" | "legacy",
): Promise<ChangingServer> {
  const server = await startedOn(home, sdkServer("changing"), era, "0");
  const ask = async (path: string, method: string): Promise<number> =>
    await (await fetch(new URL(path, server.url), { method })).json();
  return {
    ...server,
    change: async (times, ms = 0) =>
      `version_${await ask(`/change?times=${times}&ms=${ms}`, "POST")}`,
    reads: () => ask("/reads", "GET"),
  };
}

/** Starts a program that says on stdout where it can be reached. */
async function startedOn(
  home: TempHome,
  command: ServerCommand,
  ...args: readonly string[]
): Promise<HttpServer> {
  let url = "";
  const close = await started(
    { ...command, args: [...command.args, ...args] },
    home,
    "stdout",
    /^http\S+/,
    (match) => url = match,
  );
  return { url, close };
}

/**
 * Starts a process and waits until one of its streams says what it should. It gets another `HOME`
 * than the programs under test, since it outlives them.
 */
async function started(
  command: ServerCommand,
  home: TempHome,
  stream: "stdout" | "stderr",
  sign: RegExp,
  onMatch: (match: string) => void = () => {},
): Promise<() => Promise<void>> {
  const child = new Deno.Command(command.command, {
    args: [...command.args],
    clearEnv: true,
    env: { ...home.env, ...command.env, HOME: home.root },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const texts = { stdout: "", stderr: "" };
  const ready = Promise.withResolvers<string>();
  const drained = (["stdout", "stderr"] as const).map(async (name) => {
    for await (const text of child[name].pipeThrough(new TextDecoderStream())) {
      texts[name] += text;
      const match = sign.exec(texts[stream]);
      if (match !== null) ready.resolve(match[0]);
    }
  });
  const ended = Promise.all([child.status, ...drained]);
  ended.then(() => ready.reject(new Error(`The server ended: ${texts.stdout}${texts.stderr}`)));
  const close = async (): Promise<void> => {
    try {
      child.kill("SIGKILL");
    } catch {
      // It ended by itself.
    }
    await ended;
  };
  try {
    onMatch(await ready.promise);
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}

/** A port that nobody listens on at this moment. */
export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}
