import assert from "node:assert/strict";
import { lmStudio } from "../../src/sources/lm_studio.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = {
  mcpServers: {
    "hf-mcp-server": {
      url: "https://huggingface.co/mcp",
      headers: { Authorization: "Bearer ${HF_TOKEN}" },
    },
    "files": { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "/data"] },
    "own-login": {
      url: "https://api.example.com/mcp",
      auth: { CLIENT_ID: "id", CLIENT_SECRET: "secret" },
    },
  },
};

for (const platform of ["linux", "darwin", "win32"] as const) {
  for (const file of ["home/.lmstudio/mcp.json", "home/.cache/lm-studio/mcp.json"]) {
    Deno.test(`${file} is read on ${platform}`, async () => {
      const row = { state: "run", source: "lm-studio", scope: "user", file } as const;
      await assertPlan({
        platform,
        sources: [lmStudio],
        env: { HF_TOKEN: "t" },
        files: { [file]: FILE },
      }, [
        { ...row, name: "hf-mcp-server", config: FILE.mcpServers["hf-mcp-server"] },
        { ...row, name: "files", config: { type: "stdio", ...FILE.mcpServers.files } },
        { ...row, name: "own-login", config: FILE.mcpServers["own-login"] },
      ]);
    });
  }
}

Deno.test("a bad entry of LM Studio costs only itself [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.lmstudio/mcp.json", {
    mcpServers: { bad: { command: 5 }, good: { command: "a" } },
  });
  const reading = await machine.read(lmStudio);
  assert.equal(only(reading, "bad").problems.length, 1);
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("what was pasted without its wrapper is told to be wrapped [A08]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.lmstudio/mcp.json", { "x": { command: "a" } });
  const { error } = report(await machine.read(lmStudio), ".lmstudio/mcp.json");
  assert.match(error?.hint ?? "", /Wrap them/);
});

Deno.test("what is written for LM Studio is read back the same", async () => {
  await roundTrip(lmStudio, { type: "stdio", command: "npx", args: ["-y", "a"], env: { A: "b" } });
  await roundTrip(lmStudio, {
    url: "https://example.com/mcp",
    headers: { A: "b" },
    auth: { CLIENT_ID: "id" },
  });
});
