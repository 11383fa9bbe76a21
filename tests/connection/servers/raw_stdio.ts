// A server without an SDK, wrong in one way: the first argument says which.
const fault = Deno.args[0] ?? "";
const encoder = new TextEncoder();

function write(text: string): void {
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}

function complain(line: string): void {
  const bytes = encoder.encode(`${line}\n`);
  for (let at = 0; at < bytes.length;) at += Deno.stderr.writeSync(bytes.subarray(at));
}

function send(message: unknown): void {
  write(`${JSON.stringify(message)}\n`);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

interface Message {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: unknown;
}

const INFO = { serverInfo: { name: "raw", version: "1" }, capabilities: { tools: {} } };
const seen: string[] = [];
let version = "";

if (fault === "dead") {
  complain("starting up");
  complain("FATAL: missing API key DEAD_KEY=secret-value");
  Deno.exit(3);
}
if (fault === "killed") Deno.kill(Deno.pid, "SIGKILL");
if (fault === "noisy") {
  write('Server v1.0 started \u001b[31mred\u001b[0m\n\n[MCP] ready\n{"level":"info"}\n42\n');
}
if (fault === "endless") { for (;;) write("x".repeat(1 << 20)); }
if (fault === "stderr-flood") {
  const line = encoder.encode(`${"e".repeat(99)}\n`.repeat(1000));
  for (let i = 0; i < 100; i++) Deno.stderr.writeSync(line);
}
if (fault === "early-notification") {
  send({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "hi" } });
}
if (fault === "stubborn") Deno.addSignalListener("SIGTERM", () => {});
if (fault === "hang" || fault === "stubborn-hang") {
  if (fault === "stubborn-hang") Deno.addSignalListener("SIGTERM", () => {});
  complain("waiting for the database");
  await pause(60_000);
}

async function answer(message: Message): Promise<void> {
  const { id, method, params } = message;
  if (method !== undefined) seen.push(method);
  if (id === undefined || method === undefined) return;
  const reply = (result: unknown): void => send({ jsonrpc: "2.0", id, result });
  const fail = (error: unknown, errorId: unknown = id): void =>
    send({ jsonrpc: "2.0", id: errorId, error });
  if (method === "initialize") return initialize(message);
  if (method === "tools/list") {
    return reply({
      tools: [{ name: "t", description: null }, { name: "seen", inputSchema: { type: "object" } }],
    });
  }
  if (method !== "tools/call") return fail({ code: -32601, message: "Method not found" });
  const args = (params?.["arguments"] ?? {}) as Record<string, unknown>;
  const meta = (params?.["_meta"] ?? {}) as Record<string, unknown>;
  switch (args["do"]) {
    case "seen":
      return reply({ content: [], seen, version, id, meta });
    case "exit":
      complain("boom: out of cheese");
      return Deno.exit(7);
    case "hang":
      return;
    case "deaf":
      deaf = true;
      return reply({ content: [] });
    case "burst": {
      const line = `${
        JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })
      }\n`;
      for (let left = Number(args["count"]); left > 0; left -= 1000) {
        write(line.repeat(Math.min(left, 1000)));
      }
      return reply({ content: [] });
    }
    case "progress-flood":
      for (let i = 1; i <= Number(args["count"]); i++) {
        send({
          jsonrpc: "2.0",
          method: "notifications/progress",
          params: { progressToken: meta["progressToken"], progress: i },
        });
      }
      return reply({ content: [] });
    case "reversed":
      held.push(() => reply({ content: [], at: args["at"] ?? null }));
      if (held.length === args["of"]) { for (const release of held.reverse()) release(); }
      return;
    case "twice":
      reply({ content: [{ type: "text", text: "first" }] });
      return reply({ content: [{ type: "text", text: "second" }] });
    case "late":
      await pause(Number(args["ms"]));
      return reply({ content: [{ type: "text", text: "late" }] });
    case "progress":
      for (let i = 1; i <= 4; i++) {
        await pause(100);
        send({
          jsonrpc: "2.0",
          method: "notifications/progress",
          params: { progressToken: meta["progressToken"], progress: i, total: 4 },
        });
      }
      return reply({ content: [] });
    case "exact":
      return write(
        `{"jsonrpc":"2.0","id":"${id}","result":{"content":[],"structuredContent":` +
          '{"id":12345678901234567890,"x": 1.0}}}\n',
      );
    case "written":
      return write(`{"jsonrpc":"2.0","id":"${id}","result":${args["result"]}}\n`);
    case "null-id":
      return fail({ code: -32700, message: "Parse error" }, null);
    case "text-code":
      return fail({ code: "E_BAD", message: "bad thing", data: { why: 1 } });
    case "text-error":
      return fail("plain words");
    case "cancel":
      return send({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: id, reason: "shutting down" },
      });
    case "odd-content":
      return reply({
        content: [{ type: "hologram", depth: 3 }, { type: "text", text: "x" }],
        structuredContent: [1],
      });
    case "split": {
      // Each byte on its own, in the middle of characters.
      const bytes = encoder.encode(`${
        JSON.stringify({
          jsonrpc: "2.0",
          id,
          result: { content: [{ type: "text", text: "žluťoučký 🐎 漢字" }] },
        })
      }\r\n`);
      for (const byte of bytes) {
        Deno.stdout.writeSync(Uint8Array.of(byte));
        await pause(0);
      }
      return;
    }
    case "big":
      return reply({ content: [{ type: "text", text: "ž".repeat(Number(args["size"])) }] });
    case "roots":
      send({ jsonrpc: "2.0", id: 0, method: "roots/list" });
      send({ jsonrpc: "2.0", id: "p", method: "ping" });
      pendingAnswers.set(2, (answers) => reply({ content: [], answers }));
      return;
    case "stderr":
      for (let i = 0; i < 2000; i++) complain("e".repeat(999));
      return reply({ content: [] });
    case "grandchild": {
      const child = new Deno.Command("sleep", { args: ["60"], stdout: "inherit" }).spawn();
      return reply({ content: [], pid: child.pid });
    }
    default:
      return reply({ content: [{ type: "text", text: "ok" }] });
  }
}

let deaf = false;
const held: (() => void)[] = [];
const pendingAnswers = new Map<number, (answers: unknown[]) => void>();
const answers: unknown[] = [];

function initialize({ id, params }: Message): void {
  version = String(params?.["protocolVersion"]);
  const result = { protocolVersion: version, ...INFO };
  const reply = (answer: unknown): void => send({ jsonrpc: "2.0", id, result: answer });
  switch (fault) {
    case "old-version":
      return reply({ ...result, protocolVersion: "2024-11-05" });
    case "new-version":
      return reply({ ...result, protocolVersion: "2099-01-01" });
    case "odd-initialize":
      return reply({
        protocolVersion: version,
        serverInfo: { name: "odd", debug: true, icons: "none" },
        capabilities: { tools: true, resources: { listChanged: "yes" } },
        instructions: 7,
      });
    case "only-2024":
      if (version === "2024-11-05") return reply(result);
      return send({
        jsonrpc: "2.0",
        id,
        error: {
          code: -32602,
          message: "Unsupported protocol version",
          data: { supported: ["2024-11-05"], requested: version },
        },
      });
    case "refuses":
      return send({ jsonrpc: "2.0", id, error: { code: -32603, message: "no license" } });
    case "text-id":
      return send({ jsonrpc: "2.0", id: String(id), result });
    case "dies-at-initialize":
      complain("Error: Cannot find module './config.js'");
      return Deno.exit(1);
    default:
      return reply(result);
  }
}

let rest = "";
for await (const chunk of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const message = JSON.parse(line) as Message;
    if (message.method === undefined) {
      answers.push(message);
      pendingAnswers.get(answers.length)?.(answers);
    } else answer(message);
  }
  if (deaf) await pause(60_000);
}
if (fault === "stubborn") await pause(60_000);
