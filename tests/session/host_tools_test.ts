import assert from "node:assert/strict";

import { HotplugError, isAbortError } from "../../src/model/errors.ts";
import type { Tool } from "../../src/model/tool.ts";
import { HostTools } from "../../src/session/host_tools.ts";
import { offeredTool } from "../tools/made.ts";
import { type HeldTool, type HostKind, RegistryHost } from "./registry_host.ts";

const PLAIN: HostKind = { removes: true, activates: false, refuses: true };

/** A host with two tools of its own, and what keeps our tools in it. */
function hosted(
  kind: Partial<HostKind> = {},
  prefix?: string | null,
): { readonly host: RegistryHost; readonly kept: HostTools<HeldTool> } {
  const host = new RegistryHost({ ...PLAIN, ...kind }, ["bash", "read_file"]);
  let version = 0;
  const kept = new HostTools<HeldTool>(host, {
    wrap: ({ name }) => ({ name, version: ++version }),
    ...(prefix === undefined ? {} : { prefix }),
  });
  return { host, kept };
}

function tools(...names: readonly string[]): readonly Tool[] {
  return names.map((name) => offeredTool(name));
}

Deno.test("a refresh exchanges every MCP tool and switches the latest on (O11)", async () => {
  const { host, kept } = hosted();
  assert.deepEqual(await kept.refresh(tools("mcp_a_x", "mcp_a_y")), {
    registered: ["mcp_a_x", "mcp_a_y"],
    active: ["mcp_a_x", "mcp_a_y"],
    skipped: [],
  });
  assert.deepEqual(host.active, ["bash", "read_file", "mcp_a_x", "mcp_a_y"]);
  await kept.refresh(tools("mcp_b_z", "mcp_a_y"));
  assert.deepEqual([...host.tools.keys()], ["bash", "read_file", "mcp_b_z", "mcp_a_y"]);
  assert.deepEqual(host.active, ["bash", "read_file", "mcp_b_z", "mcp_a_y"]);
  assert.equal(host.tools.get("mcp_a_y")?.version, 4);
  await kept.refresh([]);
  assert.deepEqual([...host.tools.keys()], host.active);
  assert.deepEqual(host.active, ["bash", "read_file"]);
});

Deno.test("what the user switched off stays off, also over a time in which it is gone", async () => {
  for (const removes of [true, false]) {
    const { host, kept } = hosted({ removes, refuses: removes, activates: true });
    await kept.refresh(tools("mcp_a", "mcp_b"));
    host.toggle("mcp_a");
    host.toggle("bash");
    await kept.refresh(tools("mcp_a", "mcp_b", "mcp_new"));
    assert.deepEqual(host.active, ["read_file", "mcp_b", "mcp_new"]);
    await kept.refresh(tools("mcp_new"));
    assert.deepEqual(host.active, ["read_file", "mcp_new"]);
    const { registered, active } = await kept.refresh(tools("mcp_a", "mcp_b", "mcp_new"));
    assert.deepEqual(registered, ["mcp_a", "mcp_b", "mcp_new"]);
    assert.deepEqual(active, ["mcp_b", "mcp_new"]);
    assert.deepEqual(host.active, ["read_file", "mcp_b", "mcp_new"]);
    host.toggle("mcp_a");
    await kept.refresh(tools("mcp_a"));
    assert.deepEqual(host.active, ["read_file", "mcp_a"]);
  }
});

Deno.test("what an earlier session left behind goes, where names show whose it is", async () => {
  const { host, kept } = hosted();
  for (const name of ["mcp_old_gone", "mcp_old_off"]) host.addOwn(name);
  host.toggle("mcp_old_off");
  await kept.refresh(tools("mcp_old_off", "mcp_a"));
  assert.deepEqual([...host.tools.keys()], ["bash", "read_file", "mcp_old_off", "mcp_a"]);
  assert.deepEqual(host.active, ["bash", "read_file", "mcp_a"]);
});

Deno.test("without a common beginning only what was registered here goes, and nothing of the host's is replaced", async () => {
  const { host, kept } = hosted({}, null);
  host.addOwn("mcp_of_the_host");
  const { registered, skipped } = await kept.refresh(tools("bash", "search"));
  assert.deepEqual([registered, skipped], [["search"], ["bash"]]);
  assert.equal(host.tools.get("bash")?.version, 0);
  await kept.refresh(tools("find", "mcp_of_the_host"));
  assert.deepEqual(host.active, ["bash", "read_file", "mcp_of_the_host", "find"]);
  // The host has taken the name of a tool that is gone: from then on it is the host's.
  host.addOwn("search");
  assert.deepEqual((await kept.refresh(tools("search"))).skipped, ["search"]);
});

Deno.test("refreshes run one after the other, and those that wait become one with the newest tools", async () => {
  const { host, kept } = hosted();
  const first = kept.refresh(tools("mcp_a"));
  await Promise.resolve();
  await Promise.resolve();
  const waiting = ["mcp_b", "mcp_c", "mcp_d"].map((name) => kept.refresh(tools(name)));
  assert.deepEqual((await first).registered, ["mcp_a"]);
  for (const { registered } of await Promise.all(waiting)) assert.deepEqual(registered, ["mcp_d"]);
  assert.deepEqual(host.calls, [
    "register mcp_a",
    "setActive",
    "remove mcp_a",
    "register mcp_d",
    "setActive",
  ]);
});

Deno.test("a host that throws keeps the tools from before, active ones included, and the error is given", async () => {
  for (let step = 0; step < 8; step++) {
    for (const failsLate of [false, true]) {
      const { host, kept } = hosted();
      await kept.refresh(tools("mcp_a", "mcp_b"));
      host.toggle("mcp_b");
      const before = { tools: new Map(host.tools), active: [...host.active] };
      Object.assign(host, { failsAfter: step, failsLate });
      await assert.rejects(kept.refresh(tools("mcp_b", "mcp_c")), (error) => {
        assert.ok(error instanceof HotplugError);
        assert.equal(error.code, "hook-failed");
        assert.match(error.message, /^Cannot refresh the tools of the host: The host is broken$/);
        assert.match(error.hint ?? "", /from before$/);
        return true;
      });
      assert.deepEqual(new Map([...host.tools].sort()), new Map([...before.tools].sort()));
      assert.deepEqual(host.active, before.active);
      await kept.refresh(tools("mcp_b", "mcp_c"));
      assert.deepEqual(host.active, ["bash", "read_file", "mcp_c"]);
    }
  }
});

Deno.test("a tool that cannot be wrapped changes nothing", async () => {
  const host = new RegistryHost(PLAIN, ["bash"]);
  const kept = new HostTools<HeldTool>(host, {
    wrap: ({ name }) => name === "mcp_bad" ? assert.fail("bad") : { name, version: 1 },
  });
  await kept.refresh(tools("mcp_a"));
  const calls = host.calls.length;
  await assert.rejects(kept.refresh(tools("mcp_a", "mcp_bad")), /bad/);
  assert.deepEqual([host.active, host.calls.length], [["bash", "mcp_a"], calls]);
});

Deno.test("after a host that fails for ever nothing counts as switched off by the user", async () => {
  for (const removes of [true, false]) {
    const { host, kept } = hosted({ removes, refuses: removes });
    await kept.refresh(tools("mcp_a", "mcp_b"));
    Object.assign(host, { failsAfter: removes ? 4 : 3, failsForEver: true });
    await assert.rejects(kept.refresh(tools("mcp_c")), (error) => {
      assert.match((error as HotplugError).hint ?? "", /reload to try again/);
      return true;
    });
    Object.assign(host, { failsAfter: null, failsForEver: false });
    host.active = ["bash", "read_file"];
    await kept.refresh(tools("mcp_a", "mcp_c"));
    assert.deepEqual(host.active, ["bash", "read_file", "mcp_a", "mcp_c"]);
    if (removes) assert.deepEqual([...host.tools.keys()], host.active);
  }
});

Deno.test("an abort ends the waiting alone", async () => {
  const { host, kept } = hosted();
  const controller = new AbortController();
  const refresh = kept.refresh(tools("mcp_a"), { signal: controller.signal });
  controller.abort();
  await assert.rejects(refresh, isAbortError);
  await kept.refresh(tools("mcp_a"));
  assert.deepEqual(host.active, ["bash", "read_file", "mcp_a"]);
});

Deno.test("a host that keeps our tools needs no wrapping, and may answer at once", async () => {
  const registered = new Map<string, Tool>();
  let active: readonly string[] = [];
  const kept = new HostTools({
    getTools: () => [...registered.keys()],
    register: (tool: Tool) => void registered.set(tool.name, tool),
    getActive: () => active,
    setActive: (names) => void (active = names),
  });
  const [tool] = tools("mcp_a");
  assert.ok(tool !== undefined);
  await kept.refresh([tool]);
  assert.equal(registered.get("mcp_a"), tool);
  assert.deepEqual(active, ["mcp_a"]);
});
