import { spawn } from "node:child_process";
import type { TempHome } from "../../tests/harness/temp_home.ts";
import type { Message } from "../../tests/harness/raw_http_client.ts";

/** A server over stdio that shook hands. */
export interface StdioClient {
  /** Calls the tool once. */
  call(): Promise<void>;
  /** Ends it, and waits for its end. */
  end(): Promise<void>;
}

/** Starts a server, shakes hands with it and waits until its tool answers. */
export async function openStdio(
  [command = "", ...args]: readonly string[],
  tool: string,
  { env, project }: TempHome,
): Promise<StdioClient> {
  const child = spawn(command, args, { cwd: project, env, stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const waiting = new Map<number, (answer: Message) => void>();
  let rest = "";
  child.stdout.on("data", (chunk: Uint8Array) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const answer = JSON.parse(line) as Message;
      const id = answer["id"] as number;
      waiting.get(id)?.(answer);
      waiting.delete(id);
    }
  });
  let last = 0;
  const ask = (method: string, params: Message): Promise<Message> =>
    new Promise((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  const clientInfo = { name: "bench", version: "1" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  child.stdin.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}\n`);
  // As hosts do: a gateway waits in a first list for servers that it has never seen.
  await ask("tools/list", {});
  const params = { name: tool, arguments: { text: "hello" } };
  const first = await ask("tools/call", params);
  if (!JSON.stringify(first).includes("hello")) throw new Error(JSON.stringify(first));
  return {
    call: async () => void await ask("tools/call", params),
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
}
