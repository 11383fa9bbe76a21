import assert from "node:assert/strict";
import { muse } from "../../src/sources/muse.ts";
import { writeEntry } from "../../src/sources/written_entry.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.config/muse/settings.json";

const USER_FILE = {
  "schema_version": 1,
  "model": "muse-spark",
  "mcp_servers": {
    files: {
      transport: "stdio",
      command: "npx",
      args: ["files-mcp"],
      env: { A: "b" },
      framing: "line",
    },
    remote: {
      transport: "streamable_http",
      url: "https://a.example/mcp",
      headers: { A: "b" },
      mode: "direct",
    },
    off: { transport: "stdio", command: "off", enabled: false },
  },
};

for (const platform of ["linux", "darwin", "win32"] as const) {
  for (const file of [FILE, "xdg/muse/settings.json"]) {
    const env: Record<string, string> = file === FILE ? {} : { XDG_CONFIG_HOME: "root:xdg" };
    Deno.test(`${file} of Muse Code is read on ${platform}`, async () => {
      const user = { source: "muse", scope: "user", file } as const;
      await assertPlan({ platform, env, sources: [muse], files: { [file]: USER_FILE } }, [
        {
          ...user,
          name: "files",
          state: "run",
          config: { type: "stdio", command: "npx", args: ["files-mcp"], env: { A: "b" } },
        },
        {
          ...user,
          name: "remote",
          state: "run",
          config: { type: "streamable_http", url: "https://a.example/mcp", headers: { A: "b" } },
        },
        {
          ...user,
          name: "off",
          state: "disabled",
          config: { type: "stdio", command: "off", enabled: false },
        },
      ]);
    });
  }
}

Deno.test("servers under another host's key are told, a bad entry costs itself [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, { "schema_version": 1, mcpServers: { x: { command: "a" } } });
  const { error } = report(await machine.read(muse), FILE);
  assert.match(error?.message ?? "", /Cannot find "mcp_servers".*found servers in "mcpServers"/);
  await machine.write(FILE, {
    "mcp_servers": { bad: { transport: "pigeon" }, good: { command: "a" } },
  });
  const reading = await machine.read(muse);
  assert.equal(only(reading, "bad").problems.length, 1);
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("what is written for Muse Code is read back the same, SSE is not written", async () => {
  await roundTrip(muse, {
    type: "stdio",
    command: "a",
    args: ["b"],
    env: { A: "b" },
    enabled: false,
  });
  const url = "https://a.example";
  await roundTrip(muse, { type: "streamable_http", url, headers: { A: "b" } });
  const format = muse.writer?.format;
  assert.ok(format !== undefined);
  assert.equal(writeEntry("x", { type: "sse", url }, format).problems.length, 1);
});
