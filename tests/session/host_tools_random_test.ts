import assert from "node:assert/strict";
import fc from "fast-check";

import { HostTools } from "../../src/session/host_tools.ts";
import { offeredTool } from "../tools/made.ts";
import { type HeldTool, type HostKind, RegistryHost } from "./registry_host.ts";

/** One thing that happens to a host. */
type Step =
  | { readonly do: "refresh"; readonly sets: readonly (readonly string[])[] }
  | { readonly do: "fail"; readonly set: readonly string[]; readonly at: number; late: boolean }
  | { readonly do: "toggle"; readonly name: string }
  | { readonly do: "toggle own"; readonly name: string };

const OURS = ["mcp_a", "mcp_b", "mcp_c", "mcp_d", "mcp_e"];
const OWN = ["bash", "read_file", "ask"];

const set = fc.uniqueArray(fc.constantFrom(...OURS));
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("refresh" as const),
    sets: fc.array(set, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    do: fc.constant("fail" as const),
    set,
    at: fc.nat(14),
    late: fc.boolean(),
  }),
  fc.record({ do: fc.constant("toggle" as const), name: fc.constantFrom(...OURS) }),
  fc.record({ do: fc.constant("toggle own" as const), name: fc.constantFrom(...OWN) }),
);
const kind: fc.Arbitrary<HostKind> = fc.oneof(
  fc.record({
    removes: fc.constant(true),
    activates: fc.boolean(),
    refuses: fc.boolean(),
  }),
  fc.record({
    removes: fc.constant(false),
    activates: fc.boolean(),
    refuses: fc.constant(false),
  }),
);

/** A host, what is kept in it, and what must be so. */
class Trial {
  readonly #host: RegistryHost;
  readonly #kept: HostTools<HeldTool>;
  readonly #kind: HostKind;
  /** What the user has switched off, as far as it is ours. */
  readonly #off = new Set<string>();
  #offered: readonly string[] = [];
  #version = 0;

  constructor(kind: HostKind, prefix: string | null) {
    this.#kind = kind;
    this.#host = new RegistryHost(kind, OWN);
    this.#kept = new HostTools<HeldTool>(this.#host, {
      wrap: ({ name }) => ({ name, version: ++this.#version }),
      prefix,
    });
  }

  async take(step: Step): Promise<void> {
    const own = this.#own();
    switch (step.do) {
      case "refresh":
        await Promise.all(step.sets.map((names) => this.#refresh(names)));
        this.#expect(step.sets.at(-1) ?? [], own);
        return;
      case "fail":
        await this.#failing(step.set, step.at, step.late, own);
        return;
      case "toggle":
        this.#toggleOurs(step.name);
        return;
      case "toggle own":
        this.#host.toggle(step.name);
    }
  }

  #refresh(names: readonly string[]): Promise<unknown> {
    return this.#kept.refresh(names.map((name) => offeredTool(name)));
  }

  /** A refresh in which the host fails once, unless it was done before. */
  async #failing(
    names: readonly string[],
    at: number,
    late: boolean,
    own: readonly string[],
  ): Promise<void> {
    const host = this.#host;
    const tools = new Map(this.#offered.map((name) => [name, host.tools.get(name)]));
    const active = [...host.active];
    host.failsAfter = at;
    host.failsLate = late;
    const failed = await this.#refresh(names).then(() => false, () => true);
    host.failsAfter = null;
    if (!failed) return this.#expect(names, own);
    assert.deepEqual(host.active, active, "active tools after a failure");
    for (const [name, tool] of tools) assert.equal(host.tools.get(name), tool, "a restored tool");
    if (this.#kind.removes) assert.deepEqual(this.#ours().sort(), [...tools.keys()].sort());
  }

  /** A user sees and switches what is registered; a host without removal shows withdrawn tools. */
  #toggleOurs(name: string): void {
    if (!this.#offered.includes(name)) return;
    this.#host.toggle(name);
    if (this.#host.active.includes(name)) this.#off.delete(name);
    else this.#off.add(name);
  }

  #expect(names: readonly string[], own: readonly string[]): void {
    const { tools, active } = this.#host;
    this.#offered = names;
    assert.deepEqual(this.#own(), own, "the host's own active tools");
    assert.deepEqual(
      active.filter((name) => OURS.includes(name)),
      names.filter((name) => !this.#off.has(name)),
      "our active tools",
    );
    if (this.#kind.removes) assert.deepEqual(this.#ours(), names, "our registered tools");
    else for (const name of names) assert.ok(tools.has(name));
    assert.deepEqual([...tools.keys()].filter((name) => OWN.includes(name)), OWN);
    for (const name of OWN) assert.equal(tools.get(name)?.version, 0);
  }

  #own(): readonly string[] {
    return this.#host.active.filter((name) => OWN.includes(name));
  }

  #ours(): string[] {
    return [...this.#host.tools.keys()].filter((name) => OURS.includes(name));
  }
}

Deno.test("whatever host, user and servers do, a refresh leaves the right tools on and no other touched (O11)", async () => {
  await fc.assert(
    fc.asyncProperty(
      kind,
      fc.constantFrom("mcp_", null),
      fc.array(step, { maxLength: 20 }),
      async (kind, prefix, steps) => {
        const trial = new Trial(kind, prefix);
        for (const step of steps) await trial.take(step);
      },
    ),
    { numRuns: 500 },
  );
});
