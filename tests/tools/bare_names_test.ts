import assert from "node:assert/strict";
import fc from "fast-check";
import { BareNames, RESERVED_NAMES } from "../../src/tools/bare_names.ts";

/** Servers stand in the plan by their names. */
const byName = (server: string, other: string): boolean => server < other;

Deno.test("no server offers a name of the agent's own tools", () => {
  const names = new BareNames(["todo"]);
  for (const name of [...RESERVED_NAMES, "todo"]) {
    const { refusal } = names.claim("a", ["fine", name], byName);
    assert.equal(refusal?.code, "tool-name-taken");
    assert.match(refusal.message, new RegExp(`"a".*"${name}"`));
  }
  assert.equal(names.claim("b", ["fine"], byName).refusal, null, "a refused one claims nothing");
});

Deno.test("other characters count as underscores before names are compared", () => {
  const names = new BareNames();
  assert.equal(names.nameOf({ server: "a", tool: "admin.tools/list" }), "admin_tools_list");
  assert.match(names.claim("a", ["read.file"], byName).refusal?.message ?? "", /"read_file"/);
  const twice = names.claim("a", ["x.y", "x_y"], byName).refusal;
  assert.equal(
    twice?.message,
    'Cannot offer the tools of "a": "x.y" and "x_y" would both be called "x_y"',
  );
  assert.equal(names.claim("b", ["x", "x"], byName).refusal, null, "the same tool is listed twice");
});

Deno.test("a name that was claimed stays with its server, wherever the other one stands", () => {
  const names = new BareNames();
  assert.equal(names.claim("b", ["read"], byName).refusal, null);
  for (const other of ["a", "c"]) {
    const { refusal } = names.claim(other, ["read", "more"], byName);
    assert.equal(
      refusal?.message,
      `Cannot offer the tools of "${other}": the name "read" is that of a tool of "b"`,
    );
    assert.deepEqual(refusal.details, { tool: "read", name: "read", claimant: "b" });
  }
  assert.equal(names.claim("b", ["write"], byName).refusal, null);
  assert.equal(names.claim("c", ["read"], byName).refusal?.code, "tool-name-taken");
});

Deno.test("of several servers in one go the first of the plan gets a name, whoever comes first", () => {
  const names = new BareNames();
  const end = names.begin();
  assert.equal(names.claim("b", ["read", "b_own"], byName).refusal, null);
  assert.equal(names.claim("c", ["read"], byName).refusal?.code, "tool-name-taken");
  const { refusal, evicted } = names.claim("a", ["read"], byName);
  assert.equal(refusal, null);
  assert.deepEqual([...evicted.keys()], ["b"]);
  assert.match(evicted.get("b")?.message ?? "", /"b".*"read".*"a"/);
  assert.equal(names.claim("d", ["b_own"], byName).refusal, null, "b gave up all its names");
  end();
  end();
  assert.equal(names.claim("0", ["read"], byName).refusal?.code, "tool-name-taken");
});

Deno.test("names are judged anew by the plan's order, and only what is on offer keeps them", () => {
  const names = new BareNames();
  names.claim("b", ["read", "gone"], byName);
  names.claim("c", ["paused"], byName);
  const end = names.begin();
  names.renew(new Map([["b", ["read"]]]));
  assert.deepEqual([...names.claim("a", ["read"], byName).evicted.keys()], ["b"]);
  assert.equal(names.claim("d", ["gone", "paused"], byName).refusal, null);
  end();
});

Deno.test("a server that is no more gives its names back", () => {
  const names = new BareNames();
  names.claim("a", ["read"], byName);
  names.release("a");
  assert.equal(names.claim("b", ["read"], byName).refusal, null);
});

Deno.test("whatever is claimed in whatever order, no two servers are offered with one name", () => {
  const server = fc.constantFrom("a", "b", "c", "d");
  const tools = fc.uniqueArray(fc.constantFrom("r", "s", "t", "r.s", "r_s", "bash"));
  const step = fc.oneof(
    fc.tuple(server, tools).map(([server, tools]) => ({ kind: "claim" as const, server, tools })),
    fc.constant({ kind: "go" as const }),
    fc.constant({ kind: "renew" as const }),
  );
  fc.assert(fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
    const names = new BareNames();
    const offered = new Map<string, readonly string[]>();
    let end: (() => void) | null = null;
    for (const next of steps) {
      if (next.kind === "claim") {
        const verdict = names.claim(next.server, next.tools, byName);
        if (verdict.refusal !== null) continue;
        for (const other of verdict.evicted.keys()) {
          assert.ok(end !== null && byName(next.server, other));
          offered.delete(other);
        }
        offered.set(next.server, next.tools);
      } else if (end !== null) {
        end();
        end = null;
      } else {
        end = names.begin();
        if (next.kind === "renew") names.renew(offered);
      }
      const all = [...offered].flatMap(([server, tools]) =>
        tools.map((tool) => names.nameOf({ server, tool }))
      );
      assert.equal(new Set(all).size, all.length);
      assert.ok(!all.includes("bash"));
    }
  }));
});
