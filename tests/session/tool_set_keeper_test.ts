import assert from "node:assert/strict";
import type { Tool } from "../../src/model/tool.ts";
import { holdToolSet } from "../../src/session/tool_set_hold.ts";
import { ToolSetKeeper } from "../../src/session/tool_set_keeper.ts";
import { FakeClock } from "../runtime/fake_clock.ts";

function tool(name: string, description = ""): Tool {
  const info = { annotations: null, outputSchema: null };
  return { name, label: name, description, server: name, parameters: {}, info } as unknown as Tool;
}

interface Keeping {
  readonly keeper: ToolSetKeeper;
  readonly changes: () => number;
  readonly names: () => readonly string[];
  readonly set: (...now: readonly Tool[]) => void;
}

/** A keeper of whatever tools it is given. */
function keeping(): Keeping {
  let tools: readonly Tool[] = [];
  let changes = 0;
  const keeper = new ToolSetKeeper(() => tools, () => changes++);
  return {
    keeper,
    changes: () => changes,
    names: () => keeper.current.tools.map(({ name }) => name),
    set(...now: readonly Tool[]): void {
      tools = now;
      keeper.update();
    },
  };
}

Deno.test("what changes and changes back while it is held is no change", () => {
  const world = keeping();
  world.set(tool("a"));
  const release = world.keeper.hold();
  world.set();
  world.set(tool("a", "other"));
  world.set(tool("a"));
  release();
  release();
  assert.deepEqual([world.keeper.current.generation, world.changes()], [2, 1]);
});

Deno.test("a hold that is released twice takes nobody else's", async () => {
  const world = keeping();
  const [first, second] = [world.keeper.hold(), world.keeper.hold()];
  first();
  first();
  world.set(tool("a"));
  assert.deepEqual(world.names(), []);
  const released = world.keeper.released();
  second();
  assert.deepEqual(world.names(), ["a"]);
  await released;
  await world.keeper.released();
});

Deno.test("who holds too long has nothing to release any more", () => {
  const world = keeping();
  const late = world.keeper.hold();
  world.set(tool("a"));
  world.keeper.letGo();
  assert.deepEqual(world.names(), ["a"]);
  const next = world.keeper.hold();
  world.set();
  late();
  assert.deepEqual(world.names(), ["a"]);
  next();
  assert.deepEqual(world.names(), []);
});

Deno.test("the tools of one server go at once, whoever holds the others", () => {
  const world = keeping();
  world.set(tool("a"), tool("b"));
  const release = world.keeper.hold();
  world.set(tool("a"), tool("c"));
  world.keeper.drop("b");
  world.keeper.drop("nobody");
  assert.deepEqual([world.names(), world.keeper.current.generation], [["a"], 3]);
  release();
  assert.deepEqual(world.names(), ["a", "c"]);
});

Deno.test("one hold after the other keeps the set no longer than one does", async () => {
  const world = keeping();
  const clock = new FakeClock();
  const ended = new AbortController();
  const hold = (): () => void => holdToolSet(world.keeper, clock, ended.signal);
  const releases = [hold()];
  world.set(tool("a"));
  await clock.turn(6_000);
  releases.push(hold());
  releases[0]?.();
  await clock.turn(3_000);
  assert.deepEqual(world.names(), []);
  await clock.turn(2_000);
  assert.deepEqual(world.names(), ["a"]);
  releases.push(hold());
  releases[1]?.();
  world.set();
  assert.deepEqual(world.names(), ["a"]);
  releases[2]?.();
  assert.deepEqual(world.names(), []);
  await clock.turn(0);
  assert.equal(clock.waiting, 0);
  hold();
  ended.abort();
  await clock.turn(0);
  assert.deepEqual([clock.waiting, world.keeper.isHeld], [0, false]);
});
