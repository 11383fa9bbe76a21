import assert from "node:assert/strict";
import { sema4 } from "../../src/sources/sema4.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.sema4ai/sema4ai-studio/mcp_servers.json";

const USER_FILE = {
  mcpServers: {
    files: { transport: "stdio", command: "npx", args: ["files-mcp"], env: { A: "b" } },
    remote: { transport: "streamable-http", url: "https://a.example/mcp", headers: { A: "b" } },
    any: { transport: "auto", url: "https://b.example/mcp" },
  },
};

for (const platform of ["linux", "darwin", "win32"] as const) {
  const file = platform === "win32"
    ? "home/AppData/Local/sema4ai/sema4ai-studio/mcp_servers.json"
    : FILE;
  Deno.test(`the file of Sema4.ai Studio is read on ${platform}`, async () => {
    const user = { state: "run", source: "sema4", scope: "user", file } as const;
    await assertPlan({ platform, sources: [sema4], files: { [file]: USER_FILE } }, [
      {
        ...user,
        name: "files",
        config: { type: "stdio", command: "npx", args: ["files-mcp"], env: { A: "b" } },
      },
      {
        ...user,
        name: "remote",
        config: { type: "streamable_http", url: "https://a.example/mcp", headers: { A: "b" } },
      },
      { ...user, name: "any", config: { url: "https://b.example/mcp" } },
    ]);
  });
}

Deno.test("the shape of Studio's file is told to be unconfirmed, a bad entry costs itself [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, { mcpServers: { bad: { transport: "x" }, good: { command: "a" } } });
  const reading = await machine.read(sema4);
  assert.equal(report(reading, FILE).confirmed, false);
  assert.equal(only(reading, "bad").problems.length, 1);
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("a list in place of Studio's servers is told, not taken for no servers [A39]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, { mcpServers: [{ name: "x", command: "a" }] });
  const { state, error } = report(await machine.read(sema4), FILE);
  assert.equal(state, "malformed");
  assert.match(error?.message ?? "", /must be an object, found an array/);
});

Deno.test("what is written for Sema4.ai Studio is read back the same", async () => {
  await roundTrip(sema4, { type: "stdio", command: "a", args: ["b"], env: { A: "b" } });
  const url = "https://a.example";
  const raw = await roundTrip(sema4, { type: "streamable_http", url, headers: { A: "b" } });
  assert.equal(raw["transport"], "streamable-http");
  await roundTrip(sema4, { type: "sse", url });
});
