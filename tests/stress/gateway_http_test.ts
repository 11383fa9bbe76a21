import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { e2e, ON_LINUX, type World } from "../harness/e2e.ts";
import { AnswerError, type Message } from "../harness/raw_http_client.ts";
import { npmServer, sdkServer, type ServerCommand, trap } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { IS_SOAK, MOST_GROWTH_MB, SHARE, tell } from "./held.ts";
import { type Caller, connectOf } from "./http_callers.ts";
import { type GatewayHeld, type HttpGateway, startHttpGateway } from "./http_gateway.ts";

/** Clients at the same time. */
const CLIENTS = Math.round(1_000 * SHARE);

/** Milliseconds of load. */
const LOAD_MS = Math.round(600_000 * SHARE);

/** Who they are: each has its token. */
const PRINCIPALS = 10;

/** Milliseconds between two kills. */
const KILL_EVERY_MS = 400;

/** Most milliseconds between two calls of one client: the machine has to run them all. */
const PAUSE_MS = IS_SOAK ? 2_000 : 300;

/** Connections that the pool of the gateway's own side may still hold. */
const POOLED = 16;

/** What a server behind the gateway is called with. */
interface Behind {
  readonly command: ServerCommand;
  readonly tool: string;
  args(text: string): Record<string, unknown>;
  expected(text: string): string;
}

/** What became of the calls. */
interface Outcome {
  calls: number;
  readonly answered: Record<string, number>;
  readonly failed: Record<string, number>;
}

const marksOf = (world: World, name: string): string => join(world.home, `${name}.marks`);

/** Eight servers: those of others, those that are made with the SDKs, and our own. */
function serversBehind(world: World): Readonly<Record<string, Behind>> {
  const echo = (command: ServerCommand): Behind => ({
    command,
    tool: "echo",
    args: (text) => ({ text }),
    expected: (text) => text,
  });
  const named = (name: string, tool: "act" | "look"): Behind => ({
    command: trap("named", name, marksOf(world, name)),
    tool,
    args: (text) => ({ text }),
    expected: (text) => `${name}: ${text}`,
  });
  return {
    everything: {
      command: npmServer("everything"),
      tool: "echo",
      args: (text) => ({ message: text }),
      expected: (text) => `Echo: ${text}`,
    },
    old: echo(sdkServer("legacy")),
    new: echo(sdkServer("modern")),
    both: echo(sdkServer("dual")),
    act1: named("act1", "act"),
    act2: named("act2", "act"),
    look1: named("look1", "look"),
    look2: named("look2", "look"),
  };
}

/** The first text of a result. */
function textOf({ content }: Message): string {
  const [first] = content as readonly { readonly text?: string }[];
  return first?.text ?? "";
}

/** Why a call came to nothing; the test fails when nobody could tell. */
function reasonOf(result: Message): string {
  const text = textOf(result);
  assert.match(text, /^MCP error: .{20}/s, JSON.stringify(result));
  const meta = result["_meta"] as Readonly<Record<string, { readonly code: string }>>;
  return meta["dev.hotplug/error"]?.code ?? text;
}

/** Calls one server after another until told to stop; gives the texts that were answered. */
async function callOn(
  caller: Caller,
  index: number,
  servers: readonly (readonly [string, Behind])[],
  outcome: Outcome,
  isOver: () => boolean,
): Promise<readonly string[]> {
  const answered: string[] = [];
  for (let count = 0; !isOver(); count++) {
    const server = servers[(index + count) % servers.length];
    assert.ok(server !== undefined);
    const [name, { tool, args, expected }] = server;
    const text = `${index}-${count}-${crypto.randomUUID()}`;
    outcome.calls++;
    const result = await caller.call(`${name}_${tool}`, args(text)).catch((thrown: unknown) => {
      throw new Error(`${caller.kind}, ${name}: ${thrown}`, { cause: thrown });
    });
    if (result["isError"] === true) {
      const reason = `${tool}: ${reasonOf(result)}`;
      outcome.failed[reason] = (outcome.failed[reason] ?? 0) + 1;
    } else {
      // Anything else would be the answer to somebody else.
      assert.equal(textOf(result), expected(text), caller.kind);
      outcome.answered[caller.kind] = (outcome.answered[caller.kind] ?? 0) + 1;
      if (tool === "act") answered.push(text);
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS));
  }
  return answered;
}

/** Kills servers at random until told to stop; gives how many. */
async function killOn(gateway: HttpGateway, isOver: () => boolean): Promise<number> {
  let kills = 0;
  while (!isOver()) {
    const pids = await gateway.servers();
    const pid = pids[Math.floor(Math.random() * pids.length)];
    try {
      if (pid !== undefined && process.kill(pid, "SIGKILL")) kills++;
    } catch {
      // It has just ended.
    }
    await new Promise((resolve) => setTimeout(resolve, KILL_EVERY_MS));
  }
  return kills;
}

/** A crowd of clients comes, calls and goes; whatever goes wrong in it stops it. */
async function crowd(
  { url }: HttpGateway,
  tokens: readonly string[],
  use: (callers: readonly Caller[]) => Promise<void>,
): Promise<void> {
  const callers = await Promise.all(
    Array.from(
      { length: CLIENTS },
      (_, index) => connectOf(index)(url, tokens[index % tokens.length] ?? ""),
    ),
  );
  try {
    await use(callers);
  } finally {
    await Promise.all(callers.map((caller) => caller.close()));
  }
}

/** The status of a call with a session and a token. */
async function statusOf(url: string, session: string, token: string): Promise<number> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${token}`,
      "mcp-session-id": session,
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  await response.body?.cancel();
  return response.status;
}

function isBack(start: GatewayHeld, end: GatewayHeld): boolean {
  return end.descriptors <= start.descriptors + POOLED && end.children <= start.children &&
    end.megabytes <= start.megabytes + MOST_GROWTH_MB;
}

e2e(
  "many hosts over HTTP, both eras, while servers are killed at random: each answer is that of its own request, and nothing is held back",
  async (world) => {
    const behind = serversBehind(world);
    const servers = Object.entries(behind);
    const commands = Object.fromEntries(servers.map(([name, { command }]) => [name, command]));
    await world.userServers(commands);
    const tokens = Array.from({ length: PRINCIPALS }, () => crypto.randomUUID());
    const gateway = await startHttpGateway(world, tokens);
    let code = -1;
    try {
      const outcome: Outcome = { calls: 0, answered: {}, failed: {} };
      // Everything that is made at a first use, and every server, is there after as big a crowd.
      await crowd(gateway, tokens, async (callers) => {
        await Promise.all(callers.map(async (caller, index) => {
          let calls = 0;
          await callOn(caller, index, servers, outcome, () => ++calls > servers.length);
        }));
      });
      assert.deepEqual(outcome.failed, {});
      const start = await gateway.held();
      assert.equal(start.children, servers.length);

      let sessions: readonly Caller[] = [];
      let kills = 0;
      let done: readonly string[] = [];
      await crowd(gateway, tokens, async (callers) => {
        sessions = callers.filter(({ session }) => session !== null);
        const end = performance.now() + LOAD_MS;
        let isStopped = false;
        const isOver = (): boolean => isStopped || performance.now() >= end;
        const calling = callers.map((caller, index) =>
          callOn(caller, index, servers, outcome, isOver)
        );
        const all = Promise.all(calling).finally(() => isStopped = true);
        [kills, done] = await Promise.all([
          killOn(gateway, isOver),
          all.then((texts) => texts.flat()),
        ]);
        const [one] = sessions;
        const other = tokens.find((token) => token !== one?.token) ?? "";
        assert.equal(await statusOf(gateway.url, one?.session ?? "", one?.token ?? ""), 200);
        assert.equal(await statusOf(gateway.url, one?.session ?? "", other), 404);
      });
      for (const { session, token } of sessions) {
        assert.equal(await statusOf(gateway.url, session ?? "", token), 404);
      }
      await allAnswer(gateway, tokens, servers);
      let end = await gateway.held();
      const latest = performance.now() + 10_000;
      while (!isBack(start, end) && performance.now() < latest) end = await gateway.held();

      const marks = ["act1", "act2"].flatMap((name) => {
        const path = marksOf(world, name);
        return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
      });
      assert.equal(new Set(marks).size, marks.length, "an act was done twice");
      const written = new Set(marks);
      assert.deepEqual(done.filter((mark) => !written.has(mark)), [], "answered, yet not done");
      const message = JSON.stringify({ clients: CLIENTS, kills, ...outcome, start, end });
      tell(`gateway over HTTP: ${message}`);
      const answers = Object.values(outcome.answered).reduce((sum, count) => sum + count, 0);
      assert.equal(Object.keys(outcome.answered).length, 4, message);
      assert.ok(answers > outcome.calls / 2, message);
      assert.ok(kills >= LOAD_MS / KILL_EVERY_MS / 3, message);
      assert.ok(isBack(start, end), message);
    } finally {
      code = await gateway.end();
    }
    assert.equal(code, 143);
  },
  ON_LINUX,
);

/** Waits until every server answers again. */
async function allAnswer(
  { url }: HttpGateway,
  tokens: readonly string[],
  servers: readonly (readonly [string, Behind])[],
): Promise<void> {
  const caller = await connectOf(1)(url, tokens[0] ?? "");
  try {
    for (const [name, { tool, args }] of servers) {
      await until(async () => {
        try {
          return (await caller.call(`${name}_${tool}`, args(`back ${crypto.randomUUID()}`)))[
            "isError"
          ] !== true;
        } catch (thrown) {
          if (thrown instanceof AnswerError) return false;
          throw thrown;
        }
      }, 60_000);
    }
  } finally {
    await caller.close();
  }
}
