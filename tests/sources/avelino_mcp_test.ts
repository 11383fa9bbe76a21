import assert from "node:assert/strict";
import { join } from "node:path";
import { avelinoMcp } from "../../src/sources/avelino_mcp.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.config/mcp/servers.json";

const USER_FILE = `{
  // Comments are allowed.
  "mcpServers": {
    "files": {
      "command": "npx",
      "args": ["files-mcp"],
      "env": { "T": "\${FILES_TOKEN}" },
      "idle_timeout": "2m",
      "tool_acl": { "read": ["get_*"] }
    },
    "remote": { "url": "https://\${HOST}/mcp", "headers": { "A": "b" }, "idle_timeout": "never" },
    "kubectl": { "command": "kubectl", "cli": true, "cli_only": ["get"] }
  },
  "serverAuth": { "providers": ["bearer"] },
  "audit": { "enabled": true }
}`;

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the file of avelino/mcp is read on ${platform}, without wrapped programs`, async () => {
    const user = { state: "run", source: "avelino-mcp", scope: "user", file: FILE } as const;
    await assertPlan({
      platform,
      sources: [avelinoMcp],
      env: { FILES_TOKEN: "t", HOST: "a.example", XDG_CONFIG_HOME: "root:xdg" },
      files: { [FILE]: USER_FILE },
    }, [
      {
        ...user,
        name: "files",
        config: {
          type: "stdio",
          command: "npx",
          args: ["files-mcp"],
          env: { T: "${FILES_TOKEN}" },
        },
      },
      {
        ...user,
        name: "remote",
        config: { url: "https://${HOST}/mcp", headers: { A: "b" } },
      },
    ]);
  });
}

Deno.test("variables move the file of avelino/mcp, the path above the folder", async () => {
  await using machine = await TempMachine.create();
  const servers = (command: string): object => ({ mcpServers: { x: { command } } });
  await machine.write("folder/servers.json", servers("folder"));
  const named = await machine.write("named.json", servers("named"));
  const folder = { MCP_CONFIG_DIR: join(machine.root, "folder") };
  for (
    const [env, command] of [
      [folder, "folder"],
      [{ ...folder, MCP_CONFIG_PATH: named }, "named"],
    ] as const
  ) {
    assert.equal(only(await machine.read(avelinoMcp, { env }), "x").config.command, command);
  }
});

Deno.test("a broken file of avelino/mcp is told with its place, a bad entry costs itself [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, '{ "mcpServers": {,\n');
  const broken = report(await machine.read(avelinoMcp), FILE);
  assert.match(broken.error?.message ?? "", /line 1, column \d+/);
  await machine.write(FILE, { mcpServers: { bad: { url: 5 }, good: { command: "a" } } });
  const reading = await machine.read(avelinoMcp);
  assert.equal(only(reading, "bad").problems.length, 1);
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("what is written for avelino/mcp is read back the same", async () => {
  await roundTrip(avelinoMcp, { type: "stdio", command: "a", args: ["b"], env: { A: "${B}" } });
  await roundTrip(avelinoMcp, { url: "https://a.example", headers: { A: "b" } });
});
