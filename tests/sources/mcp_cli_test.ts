import assert from "node:assert/strict";
import { mcpCli } from "../../src/sources/mcp_cli.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FIRST = "home/.mcp_servers.json";
const SECOND = "home/.config/mcp/mcp_servers.json";
const PROJECT = "home/work/project/mcp_servers.json";

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of mcp-cli are read on ${platform}`, async () => {
    const user = { state: "run", source: "mcp-cli", scope: "user" } as const;
    await assertPlan({
      platform,
      sources: [mcpCli],
      env: { TOKEN: "t" },
      files: {
        [FIRST]: {
          mcpServers: {
            files: {
              command: "npx",
              args: ["files-mcp", "${TOKEN}"],
              env: { T: "${TOKEN}" },
              cwd: "/srv",
              allowedTools: ["read_*"],
              disabledTools: ["read_secret"],
            },
          },
        },
        [SECOND]: {
          mcpServers: {
            files: { command: "weaker" },
            remote: { url: "https://a.example/mcp", headers: { A: "b" }, allowedTools: [] },
          },
        },
        [PROJECT]: { mcpServers: { docs: { command: "docs-mcp" } } },
      },
    }, [
      {
        ...user,
        name: "files",
        file: FIRST,
        config: {
          type: "stdio",
          command: "npx",
          args: ["files-mcp", "${TOKEN}"],
          env: { T: "${TOKEN}" },
          cwd: "/srv",
          enabledTools: ["read_*"],
          disabledTools: ["read_secret"],
        },
      },
      {
        ...user,
        name: "remote",
        file: SECOND,
        config: { url: "https://a.example/mcp", headers: { A: "b" } },
      },
      {
        name: "docs",
        state: "untrusted",
        source: "mcp-cli",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "docs-mcp" },
      },
    ]);
  });
}

Deno.test("a list in place of the servers is told, the other files are read [A05] [A39]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FIRST, { mcpServers: [{ command: "a" }] });
  await machine.write(SECOND, { mcpServers: { bad: { args: [] }, good: { command: "a" } } });
  const reading = await machine.read(mcpCli);
  assert.match(report(reading, ".mcp_servers.json").error?.message ?? "", /must be an object/);
  assert.equal(only(reading, "bad").problems.length, 1);
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("what is written for mcp-cli is read back the same", async () => {
  await roundTrip(mcpCli, {
    type: "stdio",
    command: "a",
    args: ["b"],
    env: { A: "${B}" },
    cwd: "/srv",
    enabledTools: ["a"],
    disabledTools: ["b"],
  });
  await roundTrip(mcpCli, { url: "https://a.example", headers: { A: "b" } }, { scope: "project" });
});
