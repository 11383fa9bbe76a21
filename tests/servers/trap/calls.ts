import { Buffer } from "node:buffer";
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Behaviour,
  type Data,
  ErrorAnswer,
  flood,
  RawServer,
  type RawTool,
  SILENCE,
  textResult,
  tool,
} from "./raw_server.ts";

/** What a tool `go` is called with. */
interface Call {
  readonly server: RawServer;
  readonly args: Data;
  readonly params: Data;
  readonly message: Data;
}

/** A server that offers the good tools and one named `go`. */
function going(name: string, run: (call: Call) => unknown): RawServer {
  const server = new RawServer(name);
  const go = tool("go", (args, params, message) => run({ server, args, params, message }));
  server.tools.push(go);
  server.start();
  return server;
}

/** Behaviours that show in `tools/call`, by name. The tool is `go` unless said otherwise. */
export const calls: Readonly<Record<string, Behaviour>> = {
  /** Answers with so many bytes of text. */
  "big-answer": (bytes = String(30 * 1024 * 1024)) =>
    void going("big-answer", () => textResult("b".repeat(Number(bytes)))),

  /** Writes every byte of its answers alone, so that characters are split over reads. */
  "split-utf8"(): void {
    const server = new RawServer("split-utf8");
    let queue: Promise<unknown> = Promise.resolve();
    server.write = (data) => {
      for (const byte of Buffer.from(data)) {
        queue = queue.then(() =>
          new Promise((done) => process.stdout.write(Buffer.from([byte]), () => setImmediate(done)))
        );
      }
    };
    server.tools.push(tool("go", () => textResult("naïve 漢字 👩‍👩‍👧 ñ\u2028"), { title: "größer" }));
    server.start();
  },

  /** Answers after so many milliseconds, whatever happened meanwhile. */
  late: (ms = "3000") =>
    void going("late", async ({ args }) => {
      await sleep(Number(args["ms"] ?? ms));
      return textResult("late but here");
    }),

  /** Answers at once, and writes the file that is its argument so many milliseconds later. */
  background: (path = "", ms = "300") =>
    void going("background", () => {
      setTimeout(() => writeFileSync(path, "done\n"), Number(ms));
      return textResult("started");
    }),

  /** Answers everything twice, the second time with other words. */
  twice(): void {
    const server = new RawServer("twice");
    const send = server.send.bind(server);
    server.send = (message) => {
      send(message);
      send({
        ...message,
        ...(message["result"] ? { result: textResult("the second answer") } : {}),
      });
      send({ id: 987_654, result: {} });
    };
    server.start();
  },

  /** Exits with 3 in the middle of a call. */
  "exit-in-call": () =>
    void going("exit-in-call", () => {
      process.stderr.write("FATAL: lost the database\n");
      process.exit(3);
    }),

  /**
   * Dies in the first call of all its lives, which the file that is its argument remembers; later
   * calls tell the process id. `look` says that it only reads, `act` says nothing.
   */
  "crash-once"(path = ""): void {
    const server = new RawServer("crash-once");
    const run = (): unknown => {
      if (existsSync(path)) return textResult(String(process.pid));
      writeFileSync(path, "crashed\n");
      return process.kill(process.pid, "SIGKILL");
    };
    server.tools.push(tool("look", run, { annotations: { readOnlyHint: true } }));
    server.tools.push(tool("act", run));
    server.start();
  },

  /**
   * Answers with its own name, the first argument, and the text given. `look` says that it only
   * reads; `act` writes its text as a line into the file that is the second argument.
   */
  named(name = "named", path = ""): void {
    const server = new RawServer(name);
    const own = ({ text }: Data): Data => textResult(`${name}: ${text}`);
    server.tools.push(
      tool("look", own, { annotations: { readOnlyHint: true } }),
      tool("act", (args) => {
        appendFileSync(path, `${args["text"]}\n`);
        return own(args);
      }),
    );
    server.start();
  },

  /** Dies of SIGKILL in the middle of a call. */
  "killed-in-call": () => void going("killed-in-call", () => process.kill(process.pid, "SIGKILL")),

  /** Never answers a call; `was-cancelled` tells which request ids were cancelled, and why. */
  "hang-call"(): void {
    const cancelled: Data[] = [];
    const server = going("hang-call", () => SILENCE);
    server.handlers.set("notifications/cancelled", (params) => void cancelled.push(params));
    server.tools.push(tool("was-cancelled", () => textResult(JSON.stringify(cancelled))));
  },

  /** Sends a log message, a warning, before it answers the call. */
  "log-in-call": (data = "text") =>
    void going("log-in-call", ({ server }) => {
      server.send({ method: "notifications/message", params: { level: "warning", data } });
      return textResult("logged");
    }),

  /** Writes so many bytes on stderr before it answers the call. */
  "stderr-in-call": (bytes = String(1024 * 1024)) =>
    void going("stderr-in-call", async () => {
      await flood(Number(bytes), "e".repeat(1_023) + "\n");
      return textResult("answered after the flood");
    }),

  /** Reports progress so many times, with a member of its own, so many milliseconds apart; answers. */
  progress: (steps = "5", ms = "200") =>
    void going("progress", async ({ server, params }) => {
      const progressToken = (params["_meta"] as Data | undefined)?.["progressToken"];
      for (let step = 1; step <= Number(steps); step++) {
        await sleep(Number(ms));
        if (progressToken === undefined) continue;
        const message = `step ${step}`;
        const params = {
          progressToken,
          progress: step,
          total: Number(steps),
          message,
          at: { step },
        };
        server.send({ method: "notifications/progress", params });
      }
      return textResult(progressToken === undefined ? "no token" : `done with ${steps} steps`);
    }),

  /** Writes an endless line on stdout instead of an answer. */
  "unbounded-line": () =>
    void going("unbounded-line", async () => {
      const piece = Buffer.alloc(1024 * 1024, "z");
      for (;;) await new Promise<void>((done) => process.stdout.write(piece, () => done()));
    }),

  /** Cancels the client's own request. */
  "server-cancel": () =>
    void going("server-cancel", ({ server, message }) => {
      server.send({
        method: "notifications/cancelled",
        params: { requestId: message["id"], reason: "the server is shutting down" },
      });
      return SILENCE;
    }),

  /** Tools `null-id`, `string-code`, `no-message`, `with-data` answer with errors of these shapes. */
  "error-shapes"(): void {
    const server = new RawServer("error-shapes");
    const shape = (name: string, answer: (id: unknown) => Data): RawTool =>
      tool(name, (_args, _params, message) => {
        server.send(answer(message["id"]));
        return SILENCE;
      });
    server.tools.push(
      shape("null-id", () => ({ id: null, error: { code: -32000, message: "lost your id" } })),
      shape("string-code", (id) => ({ id, error: { code: "E_BAD", message: "a bad thing" } })),
      shape("no-message", (id) => ({ id, error: { code: -32000 } })),
      shape("with-data", (id) => ({
        id,
        error: { code: -32001, message: "quota", data: { retryAfter: 30 } },
      })),
      tool("plain", () => {
        throw new ErrorAnswer(-32603, "it broke");
      }),
    );
    server.start();
  },
};
