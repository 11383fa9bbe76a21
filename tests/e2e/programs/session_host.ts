/**
 * A host in small that lives until it is told to end: it keeps so many sessions of the current
 * folder (its first argument; 1 by default) and prints a line of JSON when all have begun, and for
 * each refresh. It ends when its stdin does, or at SIGTERM; at SIGHUP it exits and closes nothing.
 * @module
 */
import process from "node:process";
import { createSession, type MCPSession } from "../../../mod.ts";

const say = (event: object): void => void process.stdout.write(`${JSON.stringify(event)}\n`);
const count = Number(process.argv[2] ?? 1);
const sessions: readonly MCPSession[] = await Promise.all(
  Array.from({ length: count }, (_, index) =>
    createSession({
      host: `host${index}`,
      onRefresh: ({ tools, generation }, { added, removed, changed }) => {
        const names = tools.map(({ name }) => name);
        say({ event: "refresh", session: index, generation, names, added, removed, changed });
      },
    })),
);
await Promise.all(sessions.map((session) => session.settled()));
const end = (): void => {
  void Promise.all(sessions.map((session) => session.close())).then(() => process.exit(0));
};
process.on("SIGTERM", end);
process.on("SIGHUP", () => process.exit(0));
process.stdin.on("end", end);
process.stdin.resume();
say({
  event: "ready",
  ids: sessions.map(({ info }) => info.id),
  names: sessions[0]?.tools.map(({ name }) => name),
});
