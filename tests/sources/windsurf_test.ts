import assert from "node:assert/strict";
import { windsurf } from "../../src/sources/windsurf.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.codeium/windsurf/mcp_config.json";
const NEXT = "home/.codeium/windsurf-next/mcp_config.json";
const PLUGINS = "home/.codeium/mcp_config.json";

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Windsurf are read on ${platform}`, async () => {
    const user = { source: "windsurf", scope: "user" } as const;
    await assertPlan({
      platform,
      sources: [windsurf],
      env: { TOKEN: "t" },
      files: {
        [FILE]: {
          mcpServers: {
            github: {
              command: "npx",
              args: ["-y", "server-github"],
              env: { TOKEN: "${env:TOKEN}" },
              disabledTools: ["delete_repo"],
            },
            remote: { serverUrl: "https://a.example/mcp" },
            off: { command: "off", disabled: true },
          },
        },
        [NEXT]: { mcpServers: { next: { url: "https://b.example/mcp" } } },
        [PLUGINS]: { mcpServers: { remote: { serverUrl: "https://z.example/mcp" } } },
      },
      cwd: "src",
    }, [
      {
        ...user,
        name: "github",
        state: "run",
        file: FILE,
        config: {
          type: "stdio",
          command: "npx",
          args: ["-y", "server-github"],
          env: { TOKEN: "${env:TOKEN}" },
          disabledTools: ["delete_repo"],
        },
      },
      {
        ...user,
        name: "remote",
        state: "run",
        file: FILE,
        config: { url: "https://a.example/mcp" },
      },
      {
        ...user,
        name: "off",
        state: "disabled",
        file: FILE,
        config: { type: "stdio", command: "off", enabled: false },
      },
      {
        ...user,
        name: "next",
        state: "run",
        file: NEXT,
        config: { url: "https://b.example/mcp" },
      },
    ]);
  });
}

Deno.test("bad entries and files of Windsurf cost only themselves [A05] [A10]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, '{ "mcpServers": { "a": { "command": "x" } ');
  await machine.write(NEXT, { mcpServers: { bad: { args: [] }, good: { command: "a" } } });
  const reading = await machine.read(windsurf);
  assert.match(report(reading, FILE).error?.message ?? "", /at line 1, column \d+/);
  assert.notEqual(only(reading, "bad").problems.length, 0);
  const { source, problems } = only(reading, "good");
  assert.deepEqual([problems, source.rank, source.dialect], [[], 50, "env-file-colon"]);
});

Deno.test("a file in the project's folder is a near miss [A45]", async () => {
  await using machine = await TempMachine.create();
  const path = "home/work/project/.windsurf/mcp_config.json";
  await machine.write(path, { mcpServers: { x: { command: "a" } } });
  assert.equal(report(await machine.read(windsurf), path).state, "near-miss");
});

Deno.test("what is written for Windsurf is read back the same", async () => {
  const program = { type: "stdio", command: "npx", args: ["x"], env: { A: "${env:B}" } } as const;
  await roundTrip(windsurf, { ...program, enabled: false, disabledTools: ["a"] });
  const url = "https://a.example/sse";
  assert.deepEqual(await roundTrip(windsurf, { url, headers: { A: "b" } }), {
    serverUrl: url,
    headers: { A: "b" },
  });
  await roundTrip(windsurf, { type: "sse", url }, { expected: { url } });
});
