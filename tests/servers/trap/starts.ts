import { writeFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Behaviour,
  ErrorAnswer,
  flood,
  RawServer,
  SILENCE,
  textResult,
  tool,
} from "./raw_server.ts";

/** A server that means well but for what `change` does to it. */
function started(name: string, change: (server: RawServer) => void = () => {}): void {
  const server = new RawServer(name);
  change(server);
  server.start();
}

/** Behaviours that show before or during the handshake, by name. */
export const starts: Readonly<Record<string, Behaviour>> = {
  /** Answers everything at once. */
  good: (name = "good") => started(name),

  /** Says why on stderr and exits with 3. */
  dead(): void {
    process.stderr.write("starting up\nFATAL: missing API key DEAD_KEY\n");
    process.exitCode = 3;
  },

  /** Exits with 0 before it says anything. */
  gone(): void {},

  /** Reads, never answers, and stays when stdin ends. */
  hang(): void {
    process.stdin.resume();
    setInterval(() => {}, 1_000);
  },

  /** Answers `initialize` after so many milliseconds. */
  slow: (ms = "2000") =>
    started("slow", (server) =>
      server.wrap("initialize", async (usual) => {
        await sleep(Number(ms));
        return usual();
      })),

  /** Prints a banner on stdout before the handshake, and lines between answers. */
  noisy: () =>
    started("noisy", (server) => {
      const send = server.send.bind(server);
      server.send = (message) => {
        server.write("[trap] about to answer\n");
        send(message);
        server.write("[1, 2]\n\n{ not JSON\n");
      };
      server.write("Trap server v1.0 started\n\u001b[31mred\u001b[0m\n");
    }),

  /** Writes so many bytes on stderr, as lines of 1,000, before it answers. */
  async "stderr-flood"(bytes = String(100 * 1024 * 1024)): Promise<void> {
    await flood(Number(bytes), "x".repeat(999) + "\n");
    process.stderr.write("flood is over\n");
    started("stderr-flood");
  },

  /** Writes a line of so many bytes on stderr that never ends, then answers. */
  async "stderr-line"(bytes = String(4 * 1024 * 1024)): Promise<void> {
    await flood(Number(bytes), "y");
    started("stderr-line");
  },

  /** Creates the file that is its argument, then means well: proof that it was started. */
  marker(path = ""): void {
    writeFileSync(path, `${process.pid}\n`);
    started("marker");
  },

  /** Answers `initialize` with the revision that is its argument, whatever was asked for. */
  version: (protocolVersion = "2024-11-05") =>
    started(
      "version",
      (server) =>
        server.wrap("initialize", (usual) => ({ ...(usual() as object), protocolVersion })),
    ),

  /** Refuses every revision but the one that is its argument, and names it. */
  "version-refused": (revision = "2025-06-18") =>
    started(
      "version-refused",
      (server) =>
        server.wrap("initialize", (usual, { protocolVersion: requested }) => {
          if (requested === revision) return usual();
          const data = { supported: [revision], requested };
          throw new ErrorAnswer(-32602, "Unsupported protocol version", data);
        }),
    ),

  /** Sends log messages before its answer to `initialize`. */
  "early-log": () =>
    started("early-log", (server) => {
      for (const data of ["warming up", "still warming up"]) {
        server.send({ method: "notifications/message", params: { level: "info", data } });
      }
    }),

  /** Asks for the client's roots under the id 0; the tool `roots` tells the answer. */
  "roots-asker": () =>
    started("roots-asker", (server) => {
      const answer = Promise.withResolvers<string>();
      server.onAnswer = ({ id, result, error }) => {
        if (id === 0) answer.resolve(JSON.stringify(result ?? error));
      };
      server.handlers.set("notifications/initialized", () => {
        server.send({ id: 0, method: "roots/list" });
      });
      const late = async (): Promise<string> => {
        await sleep(5_000, undefined, { ref: false });
        return "no answer";
      };
      server.tools.push(
        tool("roots", async () => textResult(await Promise.race([answer.promise, late()]))),
      );
    }),

  /** Never answers `server/discover`. */
  "silent-discover": () =>
    started("silent-discover", (server) => {
      server.handlers.set("server/discover", () => SILENCE);
    }),

  /** Exits with 1 at `server/discover`. */
  "dies-on-discover": () =>
    started("dies-on-discover", (server) => {
      server.handlers.set("server/discover", () => process.exit(1));
    }),

  /** Tells its environment, working folder and arguments by the tools `env`, `cwd`, `argv`. */
  "env-dump": () =>
    started("env-dump", (server) =>
      server.tools.push(
        tool("env", () => textResult(JSON.stringify(process.env))),
        tool("cwd", () => textResult(process.cwd())),
        tool("argv", () => textResult(JSON.stringify(process.argv.slice(2)))),
      )),
};
