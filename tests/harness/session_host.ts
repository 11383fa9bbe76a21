import { fromRepository } from "./repository.ts";
import type { TempHome } from "./temp_home.ts";

/** What a host in small says. */
export interface HostEvent {
  /** `ready` once, then `refresh` for each new tool set. */
  readonly event: "ready" | "refresh";
  /** Ids of its sessions; of `ready`. */
  readonly ids?: readonly string[];
  /** Names of the tools of its first session, or of the one that was refreshed. */
  readonly names: readonly string[];
  /** Which of its sessions was refreshed. */
  readonly session?: number;
}

/** A process with live sessions. */
export interface SessionHost {
  /** Its process. */
  readonly pid: number;
  /** Ids of its sessions. */
  readonly ids: readonly string[];
  /** Everything that it has said. */
  readonly events: readonly HostEvent[];
  /** Names of the tools of one of its sessions, as its host knows them. */
  names(session?: number): readonly string[];
  /** Sends it a signal. */
  send(signal: Deno.Signal): void;
  /** Lets it end by itself, and waits for that; kills it after 10 s. */
  end(): Promise<void>;
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
}

/**
 * Starts `tests/e2e/programs/session_host.ts` in a folder and waits until its sessions have begun.
 * @param count Number of its sessions.
 */
export async function startSessionHost(
  home: TempHome,
  folder: string = home.project,
  count: number = 1,
): Promise<SessionHost> {
  const flags = ["run", "--quiet", "--no-check", "--allow-all", "--config"];
  const script = fromRepository("tests/e2e/programs/session_host.ts");
  const child = new Deno.Command(Deno.execPath(), {
    args: [...flags, fromRepository("deno.json"), script, String(count)],
    cwd: folder,
    clearEnv: true,
    env: { ...home.env },
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const events: HostEvent[] = [];
  const ready = Promise.withResolvers<readonly string[]>();
  const read = (async (): Promise<void> => {
    let rest = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const event = JSON.parse(line) as HostEvent;
        events.push(event);
        if (event.event === "ready") ready.resolve(event.ids ?? []);
      }
    }
    ready.reject(new Error("the host ended before it was ready"));
  })();
  const ended = Promise.all([child.status, read]).then(() => {});
  const send = (signal: Deno.Signal): void => {
    try {
      child.kill(signal);
    } catch {
      // It has ended.
    }
  };
  const ids = await ready.promise;
  return {
    pid: child.pid,
    ids,
    events,
    names: (session = 0) =>
      events.findLast((event) => event.event === "ready" || event.session === session)?.names ?? [],
    send,
    async end(): Promise<void> {
      const timer = setTimeout(() => send("SIGKILL"), 10_000);
      await child.stdin.close().catch(() => {});
      await ended;
      clearTimeout(timer);
    },
    ended,
  };
}
