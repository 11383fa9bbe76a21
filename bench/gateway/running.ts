import { freePort } from "../../tests/harness/http_servers.ts";
import { endProcesses, leftoversOfHome } from "../../tests/harness/living_processes.ts";
import { makeTempHome, type TempHome } from "../../tests/harness/temp_home.ts";
import type { Contender } from "./contenders.ts";
import { type Era, HttpClient } from "../../tests/harness/raw_http_client.ts";

/** A gateway that runs in a home of its own. */
export interface Running {
  /** Its home. */
  readonly home: TempHome;
  /** Milliseconds from its start until its port took a connection. */
  readonly portMs: number;
  /** Milliseconds from its start until a call through it was answered. */
  readonly answerMs: number;
  /** Its tool that gives its text back. */
  readonly tool: string;
  /** Connects a client. */
  client(era: Era): Promise<HttpClient>;
  /** Ends it and everything of its home. */
  end(): Promise<void>;
}

/** What keeps the others from phoning home. */
const QUIET = { DO_NOT_TRACK: "1", NO_UPDATE_NOTIFIER: "1", CI: "1" };

/** Milliseconds that one may take to start. */
const START_MS = 30_000;

/** Milliseconds that one gets to end by itself. */
const END_MS = 3_000;

/**
 * Starts a gateway in front of so many servers, and waits until a call was answered.
 * @throws When it does not answer in time, with what it wrote.
 */
export async function start(contender: Contender, servers: number): Promise<Running> {
  const home = await makeTempHome();
  const port = freePort();
  const { command: [program = "", ...args], path, token } = await contender.prepare(
    home,
    port,
    servers,
  );
  const begun = performance.now();
  const child = new Deno.Command(program, {
    args,
    cwd: home.project,
    clearEnv: true,
    env: { ...home.env, ...QUIET },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let said = "";
  const drained = [child.stdout, child.stderr].map(async (stream) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      said = (said + text).slice(-4_000);
    }
  });
  const end = async (): Promise<void> => {
    try {
      child.kill("SIGTERM");
    } catch {
      // It has ended.
    }
    endProcesses(await leftoversOfHome(home.home, END_MS));
    await Promise.all([child.status, ...drained]);
    await home.remove();
  };
  const url = `http://127.0.0.1:${port}${path}`;
  const client = (era: Era): Promise<HttpClient> => HttpClient.open({ url, era, token });
  try {
    await untilOpen(port, begun);
    const portMs = performance.now() - begun;
    const tool = await firstCall(() => client("legacy"), begun);
    return { home, portMs, answerMs: performance.now() - begun, tool, client, end };
  } catch (cause) {
    await end();
    throw new Error(`${contender.name} did not start: ${said}`, { cause });
  }
}

async function untilOpen(port: number, begun: number): Promise<void> {
  for (;;) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch (error) {
      if (performance.now() - begun > START_MS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}

/** Calls the tool as soon as it is listed; gives its name. */
async function firstCall(connect: () => Promise<HttpClient>, begun: number): Promise<string> {
  const client = await connect();
  try {
    for (;;) {
      const tool = (await client.tools()).find((name) => name.endsWith("echo"));
      if (tool !== undefined) {
        await client.call(tool, "hello");
        return tool;
      }
      if (performance.now() - begun > START_MS) throw new Error("It lists no tool");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } finally {
    await client.close();
  }
}
