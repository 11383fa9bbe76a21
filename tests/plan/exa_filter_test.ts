import assert from "node:assert/strict";
import type { ServerConfig } from "../../src/model/definition.ts";
import { exaFilter, exaKeys, isExa } from "../../src/plan/exa_filter.ts";
import { made } from "./made.ts";

const REMOTE = "https://mcp.exa.ai/mcp";

Deno.test("a server of Exa is known by name, address, bridged address and package", () => {
  const cases: readonly [string, ServerConfig, boolean][] = [
    ["exa", { command: "x" }, true],
    ["Exa", { command: "x" }, true],
    ["search", { url: REMOTE }, true],
    ["search", { command: "npx", args: ["mcp-remote", REMOTE] }, true],
    ["search", { command: "npx", args: ["-y", "exa-mcp-server@3"] }, true],
    ["example", { command: "npx", args: ["hexa"] }, false],
    ["search", { url: "https://exa.example/mcp" }, false],
  ];
  for (const [name, config, expected] of cases) {
    assert.equal(isExa(name, config), expected, `${name} ${JSON.stringify(config)}`);
  }
});

Deno.test("it is left out, unless it is asked for more than the search", () => {
  const left = (config: ServerConfig): boolean =>
    exaFilter(made("exa", config), { filterExa: true }).reason !== null;
  assert.equal(left({ url: REMOTE }), true);
  assert.equal(left({ url: `${REMOTE}?tools=web_search_exa` }), true);
  assert.equal(left({ url: `${REMOTE}?tools=web_search_exa,crawling_exa` }), false);
  assert.equal(left({ url: `${REMOTE}?tools=web_search_exa%2Ccrawling_exa` }), false);
  assert.equal(left({ command: "npx", args: ["exa-mcp-server", "--tools=crawling_exa"] }), false);
  assert.equal(left({ command: "npx", args: ["exa-mcp-server", "tools=web_search_exa"] }), true);
  assert.equal(left({ command: "npx", args: ["exa-mcp-server", "--tools", "a_exa"] }), false);
  assert.equal(left({ url: REMOTE, enabledTools: ["web_search_exa"] }), true);
  assert.equal(left({ url: REMOTE, enabledTools: ["*"] }), false);
});

Deno.test("with the filter off it stays, and says so", () => {
  const { reason, warning } = exaFilter(made("exa", { url: REMOTE }), { filterExa: false });
  assert.equal(reason, null);
  assert.match(warning ?? "", /filter is off/);
  const other = exaFilter(made("git"), { filterExa: false });
  assert.deepEqual(other, { reason: null, warning: null });
});

Deno.test("keys are taken from addresses and arguments, else from the environment", () => {
  assert.deepEqual(exaKeys({ url: `${REMOTE}?exaApiKey=k%31` }), ["k1"]);
  assert.deepEqual(
    exaKeys({ command: "npx", args: ["mcp-remote", `${REMOTE}?x=1&exaApiKey=k2#y`] }),
    ["k2"],
  );
  assert.deepEqual(exaKeys({ command: "npx", args: ["x"], env: { EXA_API_KEY: "k3" } }), ["k3"]);
  assert.deepEqual(
    exaKeys({ url: `${REMOTE}?exaApiKey=k4`, env: { EXA_API_KEY: "k5" } }),
    ["k4"],
  );
});

Deno.test("a placeholder, a blank or a broken key is no key", () => {
  assert.deepEqual(exaKeys({ url: `${REMOTE}?exaApiKey=\${EXA}` }), []);
  assert.deepEqual(exaKeys({ url: `${REMOTE}?exaApiKey=`, env: { EXA_API_KEY: " " } }), []);
  assert.deepEqual(exaKeys({ env: { EXA_API_KEY: null } }), []);
  assert.deepEqual(exaKeys({ url: `${REMOTE}?exaApiKey=%E0%A4%A` }), ["%E0%A4%A"]);
});
