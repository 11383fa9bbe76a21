import assert from "node:assert/strict";
import type { Logger } from "../../src/model/log.ts";
import type { Tool } from "../../src/model/tool.ts";
import type { ToolSet, ToolSetDiff } from "../../src/model/tool_set.ts";
import { HOST_LIMIT_MS, HostRefresh } from "../../src/session/host_refresh.ts";
import type { SessionOptions } from "../../src/session/session_options.ts";
import { MCPTool } from "../../src/tools/mcp_tool.ts";
import { FakeClock } from "../runtime/fake_clock.ts";

const NEVER = new Promise<never>(() => {});

function toolNamed(name: string): Tool {
  const info = {
    name,
    title: null,
    description: "",
    inputSchema: { type: "object" },
    outputSchema: null,
    annotations: null,
    raw: { name },
  };
  const offer = { name, server: "a", info, provider: null, autoApprove: false };
  return new MCPTool(offer as never, { callTool: () => NEVER });
}

interface Hosting {
  readonly refresh: HostRefresh;
  readonly clock: FakeClock;
  readonly ended: AbortController;
  readonly logged: readonly string[];
  /** Adds a tool; gives the generation before. */
  readonly add: (name: string) => number;
}

/** A host, and a tool set that grows. */
function hosting(options: Pick<SessionOptions, "hostTools" | "onRefresh">): Hosting {
  let current: ToolSet = { generation: 1, tools: [] };
  const clock = new FakeClock();
  const ended = new AbortController();
  const logged: string[] = [];
  const log: Logger = { log: (_level, message) => void logged.push(message) };
  const refresh = new HostRefresh({
    ...options,
    current: () => current,
    clock,
    log,
    ended: ended.signal,
  });
  return {
    refresh,
    clock,
    ended,
    logged,
    add(name: string): number {
      const { generation, tools } = current;
      current = { generation: generation + 1, tools: [...tools, toolNamed(name)] };
      refresh.start();
      return generation;
    },
  };
}

Deno.test("a host that never answers is told of later sets all the same", async () => {
  const told: { readonly set: ToolSet; readonly diff: ToolSetDiff }[] = [];
  const host = hosting({
    onRefresh: (set, diff) => {
      told.push({ set, diff });
      return NEVER;
    },
  });
  for (const name of ["x", "y"]) {
    const outcome = host.refresh.outcome(host.add(name));
    await host.clock.turn(0);
    await host.clock.turn(HOST_LIMIT_MS);
    assert.equal(await outcome, "announced");
  }
  assert.deepEqual(told.map(({ diff }) => diff.added), [["x"], ["y"]]);
  assert.equal(host.clock.waiting, 0);
});

Deno.test("a host that has not even been told is not said to have been", async () => {
  const host = hosting({ hostTools: { refresh: () => NEVER }, onRefresh: () => NEVER });
  host.add("x");
  await host.clock.turn(0);
  const outcome = host.refresh.outcome(host.add("y"));
  await host.clock.turn(HOST_LIMIT_MS);
  assert.equal(await outcome, "failed");
  host.ended.abort();
  await host.clock.turn(0);
  assert.equal(host.clock.waiting, 0);
});

Deno.test("a registry that hangs or fails takes nothing from the host's callback", async () => {
  const told: (readonly string[])[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const host = hosting({
    hostTools: {
      refresh: (tools, { signal }) => {
        signals.push(signal);
        return tools.length === 1 ? NEVER : Promise.reject(new Error("no"));
      },
    },
    onRefresh: (_set, diff) => void told.push(diff.added),
  });
  const first = host.refresh.outcome(host.add("x"));
  await host.clock.turn(0);
  await host.clock.turn(HOST_LIMIT_MS);
  assert.equal(await first, "announced");
  assert.equal(signals[0]?.aborted, true);
  assert.equal(await host.refresh.outcome(host.add("y")), "failed");
  assert.deepEqual(told, [["x"], ["y"]]);
  assert.equal(host.logged.length, 2);
});

Deno.test("what a host could not take it is given again, with all that differs", async () => {
  const told: ToolSetDiff[] = [];
  let isBroken = true;
  const host = hosting({
    onRefresh: (_set, diff) => {
      told.push(diff);
      if (isBroken) throw new Error("not now");
    },
  });
  const before = host.add("x");
  assert.equal(await host.refresh.outcome(before), "failed");
  // A reload that finds nothing new: the host still has the old tools.
  assert.equal(await host.refresh.outcome(2), "failed");
  isBroken = false;
  assert.equal(await host.refresh.outcome(host.add("y")), "refreshed");
  assert.deepEqual(told.map(({ added }) => added), [["x"], ["x"], ["x", "y"]]);
  assert.equal(await host.refresh.outcome(3), null);
});

Deno.test("who asks for the tools is not held by a host that hangs", async () => {
  const host = hosting({ hostTools: { refresh: () => NEVER } });
  const begun = host.refresh.begin();
  await assert.rejects(host.refresh.now(AbortSignal.abort()), { code: "aborted" });
  const asked = host.refresh.now();
  asked.catch(() => {});
  await host.clock.turn(HOST_LIMIT_MS);
  await begun;
  await host.clock.turn(0);
  await host.clock.turn(HOST_LIMIT_MS);
  await assert.rejects(asked, { code: "hook-failed" });
  const last = host.refresh.now();
  last.catch(() => {});
  host.ended.abort();
  await assert.rejects(last, { code: "aborted" });
  await assert.rejects(host.refresh.now(), { code: "aborted" });
  assert.equal(host.clock.waiting, 0);
});
