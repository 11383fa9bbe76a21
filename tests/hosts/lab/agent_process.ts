import { isJsonObject, type JsonObject } from "../../../src/model/json.ts";
import { endGroup } from "../../../src/platform/end_group.ts";
import { spawnGroup } from "../../../src/platform/process_group.ts";
import { type Agent, installed } from "../agents.ts";
import { type AgentOptions, environmentOf } from "../run_agent.ts";

/** A host agent that runs, and talks in lines of JSON or over a port of its own. */
export interface AgentProcess {
  /** Its process id, and that of its group. */
  readonly pid: number;
  /** Sends it a line of JSON. */
  send(message: JsonObject): void;
  /**
   * The first line of JSON that fits, of those that come from now on.
   * @throws When the agent ends before, or after a minute.
   */
  next(fits: (message: JsonObject) => boolean, what: string): Promise<JsonObject>;
  /** Calls this with every line of JSON that comes. */
  onMessage(listener: (message: JsonObject) => void): void;
  /** Text of the first group of a pattern, as soon as what was printed so far holds it. */
  printed(pattern: RegExp): Promise<string>;
  /** The end of what it has printed, for messages. */
  tail(): string;
  /** Ends it and its group. */
  end(): Promise<void>;
}

/** What {@linkcode startAgent} takes beyond the home. */
export interface AgentProcessOptions extends AgentOptions {
  /** Milliseconds that it gets to end by itself when its stdin has ended. Default 3,000. */
  readonly graceMs?: number;
}

/** Longest wait for one thing that an agent is to say, in milliseconds. */
export const LIMIT_MS = 60_000;

/** How much of the output is kept. */
const TAIL_LENGTH = 6_000;

/** What waits for the output of an agent. */
interface Wait {
  /** Looks at a line, or at all output when it is `null`; `true` when it is done. */
  readonly look: (message: JsonObject | null) => boolean;
  readonly fail: (why: string) => void;
}

/** Starts a host agent in a home. */
export async function startAgent(
  agent: Agent,
  args: readonly string[],
  options: AgentProcessOptions,
): Promise<AgentProcess> {
  const { command: [program, ...first] } = await installed(agent);
  const group = await spawnGroup({
    program,
    args: [...first, ...args],
    cwd: options.cwd ?? options.home.project,
    env: await environmentOf(agent, options),
    // No mark: what the agent leaves behind shall be seen, not swept away.
    mark: "",
  });
  let text = "";
  let over = false;
  const waits = new Set<Wait>();
  const listeners = new Set<(message: JsonObject) => void>();
  const tell = (message: JsonObject | null): void => {
    for (const wait of [...waits]) if (wait.look(message)) waits.delete(wait);
    if (message !== null) listeners.forEach((listener) => listener(message));
  };
  const keep = (piece: string): void => {
    text = (text + piece).slice(-TAIL_LENGTH);
    tell(null);
  };
  let line = "";
  group.stdout.setEncoding("utf8").on("data", (piece: string) => {
    keep(piece);
    const lines = (line + piece).split("\n");
    line = lines.pop() ?? "";
    for (const message of lines.map(parsed)) if (message !== null) tell(message);
  });
  group.stderr.setEncoding("utf8").on("data", keep);
  void group.exited.then(({ code, signal }) => {
    over = true;
    for (const wait of [...waits]) wait.fail(`it ended (${code ?? signal})`);
  });

  const wait = <Found>(
    what: string,
    find: (message: JsonObject | null) => Found | null,
  ): Promise<Found> =>
    new Promise((resolve, reject) => {
      const finish = (): void => {
        clearTimeout(timer);
        waits.delete(waiting);
      };
      const waiting: Wait = {
        look(message): boolean {
          const found = find(message);
          if (found === null) return false;
          finish();
          resolve(found);
          return true;
        },
        fail(why): void {
          finish();
          reject(new Error(`${agent.name}: no ${what}, ${why}:\n${text}`));
        },
      };
      const timer = setTimeout(() => waiting.fail(`${LIMIT_MS} ms went by`), LIMIT_MS);
      waits.add(waiting);
      if (waiting.look(null)) return;
      if (over) waiting.fail("it has ended");
    });

  return {
    pid: group.pid,
    send: (message) => void group.stdin.write(`${JSON.stringify(message)}\n`),
    next: (fits, what) =>
      wait(what, (message) => message !== null && fits(message) ? message : null),
    onMessage: (listener) => void listeners.add(listener),
    printed: (pattern) => wait(`${pattern}`, () => pattern.exec(text)?.[1] ?? null),
    tail: () => text,
    end: () => endGroup(group, "", { stdinGraceMs: options.graceMs ?? 3_000 }),
  };
}

function parsed(line: string): JsonObject | null {
  if (!line.startsWith("{")) return null;
  try {
    const message: unknown = JSON.parse(line);
    return isJsonObject(message) ? message : null;
  } catch {
    return null;
  }
}
