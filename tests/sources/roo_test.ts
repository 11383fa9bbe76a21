import assert from "node:assert/strict";
import { rooCode } from "../../src/sources/roo.ts";
import { assertPlan, onMachine } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, TempMachine } from "./temp_machine.ts";

const FOLDERS = {
  linux: "home/.config",
  darwin: "home/Library/Application Support",
  win32: "home/AppData/Roaming",
} as const;

const USER_FILE = {
  mcpServers: {
    github: {
      command: "npx",
      args: ["-y", "@modelcontextprotocol/server-github"],
      env: { GITHUB_PERSONAL_ACCESS_TOKEN: "${env:GITHUB_TOKEN}" },
      cwd: "${workspaceFolder}",
      alwaysAllow: ["get_issue"],
      disabledTools: ["push_files"],
      watchPaths: ["/srv/github"],
      timeout: 120,
      disabled: false,
    },
    linear: {
      type: "streamable-http",
      url: "https://mcp.linear.app/mcp",
      headers: { "X-Team": "${env:TEAM}" },
    },
    old: { type: "sse", url: "https://example.com/sse", disabled: true },
  },
};

for (const platform of ["linux", "darwin", "win32"] as const) {
  for (const extension of ["rooveterinaryinc.roo-cline", "zoocodeorganization.zoo-code"]) {
    Deno.test(`the file of ${extension} is read on ${platform}`, async () => {
      const file = `${FOLDERS[platform]}/VSCodium/User/globalStorage/${extension}` +
        "/settings/mcp_settings.json";
      const row = { state: "run", source: "roo-code", scope: "user", file } as const;
      await assertPlan({
        platform,
        sources: [rooCode],
        env: { GITHUB_TOKEN: "a", TEAM: "b" },
        files: {
          [file]: { mcpServers: { ...USER_FILE.mcpServers, github: withoutCwd() } },
          "home/work/project/.roo/mcp.json": {
            mcpServers: { docs: { command: "node", args: ["docs.js"] } },
          },
        },
        cwd: "src",
      }, [
        {
          ...row,
          name: "github",
          config: {
            type: "stdio",
            command: "npx",
            args: ["-y", "@modelcontextprotocol/server-github"],
            env: { GITHUB_PERSONAL_ACCESS_TOKEN: "${env:GITHUB_TOKEN}" },
            callTimeout: 120_000,
            disabledTools: ["push_files"],
            autoApprove: ["get_issue"],
          },
        },
        {
          ...row,
          name: "linear",
          config: {
            type: "streamable_http",
            url: "https://mcp.linear.app/mcp",
            headers: { "X-Team": "${env:TEAM}" },
          },
        },
        {
          ...row,
          name: "old",
          state: "disabled",
          config: { type: "sse", url: "https://example.com/sse", enabled: false },
        },
        {
          name: "docs",
          state: "untrusted",
          source: "roo-code",
          scope: "project",
          file: "home/work/project/.roo/mcp.json",
          config: { type: "stdio", command: "node", args: ["docs.js"] },
        },
      ]);
    });
  }
}

/** A server whose folder is the workspace would need approval first. */
function withoutCwd(): object {
  const { cwd: _cwd, ...rest } = USER_FILE.mcpServers.github;
  return rest;
}

const PROJECT_FILE = "home/work/project/.roo/mcp.json";

Deno.test("Roo Code's own words earn no warning, and its folder variable is known [A18]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(PROJECT_FILE, USER_FILE);
  const reading = await machine.read(rooCode);
  assert.deepEqual(reading.definitions.map(({ warnings }) => warnings), [[], [], []]);
  assert.equal(only(reading, "github").config.cwd, "${workspaceFolder}");
});

Deno.test("a url without a type is a problem, as in Roo Code, and costs no other [A05] [A14]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(PROJECT_FILE, {
    mcpServers: { bare: { url: "https://example.com/mcp" }, good: { command: "a" } },
  });
  const reading = await machine.read(rooCode);
  const [problem] = only(reading, "bare").problems;
  assert.match(problem?.hint ?? "", /"type": "streamable-http"/);
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("a limit beyond an hour or below a second is ignored with a warning", async () => {
  await using machine = await TempMachine.create();
  const timeouts = { a: 1, b: 3600, c: 0.5, d: 3601, e: "60" };
  await machine.write(PROJECT_FILE, {
    mcpServers: Object.fromEntries(
      Object.entries(timeouts).map(([name, timeout]) => [name, { command: "a", timeout }]),
    ),
  });
  const { definitions } = await machine.read(rooCode);
  assert.deepEqual(
    definitions.map(({ config, warnings }) => [config.callTimeout, warnings.length]),
    [[1000, 0], [3_600_000, 0], [undefined, 1], [undefined, 1], [undefined, 1]],
  );
});

Deno.test("relative paths of a project file stand against the project, not .roo [A21] (mistake 9)", async () => {
  await onMachine({
    platform: "linux",
    sources: [rooCode],
    files: { [PROJECT_FILE]: { mcpServers: { x: { command: "a" } } } },
  }, ({ plan }, root) => {
    assert.equal(plan.servers[0]?.definition?.source.base, `${root}/home/work/project`);
  });
});

Deno.test("what is written for Roo Code is read back the same", async () => {
  const raw = await roundTrip(rooCode, {
    type: "stdio",
    command: "npx",
    args: ["-y", "a"],
    env: { A: "${env:B}" },
    cwd: "/c",
    enabled: false,
    callTimeout: 90_000,
    disabledTools: ["b"],
    autoApprove: ["c"],
  });
  assert.deepEqual([raw["timeout"], raw["alwaysAllow"], raw["disabled"]], [90, ["c"], true]);
  const remote = await roundTrip(rooCode, {
    type: "streamable_http",
    url: "https://example.com/mcp",
    headers: { A: "${env:B}" },
  }, { scope: "project" });
  assert.equal(remote["type"], "streamable-http");
});
