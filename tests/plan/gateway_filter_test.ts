import assert from "node:assert/strict";
import type { ServerConfig } from "../../src/model/definition.ts";
import { gatewayFilter } from "../../src/plan/gateway_filter.ts";
import { screen } from "../../src/plan/judge.ts";
import { made } from "./made.ts";

const OPEN = { switches: [], enableProjectConfig: true, filterExa: true };

Deno.test("the entry by which a host starts Hotplug is left out, whatever runs the program", () => {
  const cases: readonly (readonly [string, ServerConfig, boolean])[] = [
    ["hotplug", { command: "/usr/bin/mcp", args: ["serve", "--for", "cursor"] }, true],
    ["hotplug", { command: "deno", args: ["run", "/s/cli.ts", "serve", "--for", "zed"] }, true],
    ["hotplug", { command: "mcp", args: ["serve", "--for", "pi", "--lazy"] }, true],
    // However it is called, and through whatever starts it.
    ["tools", { command: "mcp", args: ["serve"] }, true],
    ["all", { command: "sh", args: ["-c", "exec npx -y @hotplug/mcp serve"] }, true],
    // What a user called so, and servers of other programs.
    ["hotplug", { command: "mine", args: ["serve"] }, false],
    ["hotplug", { command: "serve", args: ["--for", "x"] }, false],
    ["hotplug", { url: "https://h.invalid/serve" }, false],
    ["other", { command: "tool", args: ["serve", "--for", "me"] }, false],
  ];
  for (const [name, config, expected] of cases) {
    assert.equal(gatewayFilter(made(name, config)) !== null, expected, JSON.stringify(config));
  }
});

Deno.test("its row says why, and what takes it away from the host", () => {
  const own = made("hotplug", { command: "mcp", args: ["serve", "--for", "cursor"] });
  const { verdict, contends, exa } = screen(own, OPEN);
  assert.deepEqual([verdict?.state, contends, exa], ["filtered", false, false]);
  const reason = gatewayFilter(own);
  assert.match(reason?.message ?? "", /^Left out: it is Hotplug itself, as cursor starts it$/);
  assert.match(reason?.hint ?? "", /mcp hooks uninstall cursor$/);
});

Deno.test("an own gateway that nobody has installed is left out as calmly", () => {
  const own = made("tools", { command: "env", args: ["A=b", "mcp", "serve"] });
  const { verdict, contends } = screen(own, OPEN);
  assert.deepEqual([verdict?.state, contends], ["filtered", false]);
  const reason = gatewayFilter(own);
  assert.match(reason?.message ?? "", /own gateway, whose servers are here anyway$/);
  assert.match(reason?.hint ?? "", /^Nothing to do/);
});
