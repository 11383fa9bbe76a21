import assert from "node:assert/strict";
import { exportTest, type Listed } from "./export_test_case.ts";
import { hostTest } from "./host_test_case.ts";
import { OPENCODE as AGENT } from "./known_agents.ts";

hostTest("what opencode's own command adds is read as it was meant", AGENT, async (host) => {
  const key = ["--header", "X-Api-Key=made up"];
  await host.run(["mcp", "add", "mine", "--env", "A=x=y", "--", "tool", "--in", "a b"]);
  await host.run(["mcp", "add", "web", "--url", "https://h.invalid/m", ...key]);
  const user = { source: "opencode", scope: "user" };
  assert.deepEqual(await host.found(), [
    {
      name: "mine",
      ...user,
      type: "stdio",
      command: "tool",
      args: ["--in", "a b"],
      env: { A: "x=y" },
    },
    {
      name: "web",
      ...user,
      type: "streamable_http",
      url: "https://h.invalid/m",
      headers: { "X-Api-Key": "made up" },
    },
  ]);
});

hostTest("what opencode lists of every layer is what is found", AGENT, async (host) => {
  const { home } = host;
  const local = (...command: readonly string[]): object => ({ type: "local", command });
  const off = { ...local("tool"), enabled: false };
  await home.write("home/.config/opencode/config.json", { mcp: { first: off } });
  await home.write("home/.config/opencode/opencode.json", {
    mcp: { second: off, third: { ...local("true", "user"), environment: { A: "1" } } },
  });
  await home.write(
    "project/opencode.jsonc",
    `{ "mcp": { // ours
    "third": { "enabled": false },
    "fourth": ${JSON.stringify({ ...off, environment: { B: "2" } })},
  } }\n`,
  );
  const { stdout } = await host.run(["mcp", "list"]);
  for (const name of ["first", "second", "third", "fourth"]) {
    assert.match(stdout, new RegExp(`○ ${name} disabled`), stdout);
  }
  const found = await host.found();
  assert.deepEqual(found.map(({ name, source, command }) => [name, source, command]), [
    ["first", "opencode", "tool"],
    ["fourth", "opencode", "tool"],
    ["second", "opencode", "tool"],
    ["third", "opencode", "true"],
  ]);
  assert.deepEqual(found.map(({ args, env }) => [args ?? [], env ?? {}]), [
    [[], {}],
    [[], { B: "2" }],
    [[], {}],
    [["user"], { A: "1" }],
  ]);
});

exportTest(AGENT, {
  to: "opencode",
  file: "home/.config/opencode/opencode.jsonc",
  before: `{
  "$schema": "https://opencode.ai/config.json",
  // Made by hand.
  "theme":   "system",
\t"mcp": {
    "kept": { "type": "local", "command":["kept"] }, // and this
  },
}
`,
  more: {
    full: { command: "tool", cwd: "/", startupTimeout: 5000, callTimeout: 7000 },
    defaults: { command: "tool", env: { A: "${NOT_THERE:-b}" } },
  },
  refused: ["defaults"],
  starts: true,
  async list({ run }): Promise<readonly Listed[]> {
    const { stdout } = await run(["mcp", "list"]);
    const blocks = stdout.matchAll(/^● +(\S) (\w+) (?:failed\n│ .*|disabled)\n│ +(.*)$/gm);
    return [...blocks].map(([, sign, name = "", target = ""]) => ({
      name,
      target,
      on: sign !== "○",
    }));
  },
});
