import assert from "node:assert/strict";
import { factoryDroid } from "../../src/sources/factory_droid.ts";
import { writeEntry } from "../../src/sources/written_entry.ts";
import { assertPlan, planRows } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.factory/mcp.json";
const PROJECT = "home/work/project/.factory/mcp.json";

const USER_FILE = {
  mcpServers: {
    files: {
      type: "stdio",
      command: "npx",
      args: ["-y", "files-mcp", "${NOT_EXPANDED}"],
      env: { TOKEN: "${FILES_TOKEN}", LEVEL: "${LEVEL:-info}" },
      disabled: false,
      timeout: 120_000,
      connectTimeout: 5_000,
      disabledTools: ["files___delete", "move"],
      enabledTools: [],
    },
    linear: {
      type: "http",
      url: "https://mcp.linear.app/mcp",
      headers: { Authorization: "Bearer ${LINEAR_TOKEN}" },
    },
    off: { type: "sse", url: "https://off.example/sse", disabled: true },
  },
};

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Factory Droid are read on ${platform}`, async () => {
    const user = { source: "factory-droid", scope: "user", file: FILE } as const;
    await assertPlan({
      platform,
      sources: [factoryDroid],
      env: { FILES_TOKEN: "t", LINEAR_TOKEN: "l" },
      files: { [FILE]: USER_FILE, [PROJECT]: { mcpServers: { docs: { command: "docs-mcp" } } } },
      cwd: "src/deep",
    }, [
      {
        ...user,
        name: "files",
        state: "run",
        config: {
          type: "stdio",
          command: "npx",
          args: ["-y", "files-mcp", "$${NOT_EXPANDED}"],
          env: { TOKEN: "${FILES_TOKEN}", LEVEL: "${LEVEL:-info}" },
          startupTimeout: 5_000,
          callTimeout: 120_000,
          disabledTools: ["delete", "move"],
        },
      },
      {
        ...user,
        name: "linear",
        state: "run",
        config: {
          type: "streamable_http",
          url: "https://mcp.linear.app/mcp",
          headers: { Authorization: "Bearer ${LINEAR_TOKEN}" },
        },
      },
      {
        ...user,
        name: "off",
        state: "disabled",
        config: { type: "sse", url: "https://off.example/sse", enabled: false },
      },
      {
        name: "docs",
        state: "untrusted",
        source: "factory-droid",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "docs-mcp" },
      },
    ]);
  });
}

Deno.test("a variable that is unset is an error, but only where Droid looks for one", async () => {
  const rows = await planRows({
    platform: "linux",
    sources: [factoryDroid],
    files: {
      [FILE]: {
        mcpServers: {
          env: { command: "a", env: { A: "${UNSET_1}" } },
          args: { command: "b", args: ["${UNSET_1}"] },
          url: { type: "http", url: "https://a.example/${UNSET_1}" },
        },
      },
    },
  });
  const states = Object.fromEntries(rows.map(({ name, state }) => [name, state]));
  assert.deepEqual(states, { env: "error", args: "run", url: "run" });
});

Deno.test("a variable moves the home folder of Factory Droid", async () => {
  await using machine = await TempMachine.create();
  await machine.write("moved/.factory/mcp.json", { mcpServers: { x: { command: "moved" } } });
  await machine.write(FILE, { mcpServers: { x: { command: "default" } } });
  for (
    const [value, command] of [[`${machine.root}/moved`, "moved"], ["moved", "default"]] as const
  ) {
    const reading = await machine.read(factoryDroid, { env: { FACTORY_HOME_OVERRIDE: value } });
    assert.equal(only(reading, "x").config.command, command);
  }
});

Deno.test("servers in Droid's settings are a near miss, and a bad entry costs itself [A05] [A45]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.factory/settings.json", { mcpServers: { x: { command: "a" } } });
  await machine.write(FILE, { mcpServers: { bad: { type: "http" }, good: { command: "a" } } });
  const reading = await machine.read(factoryDroid);
  assert.equal(report(reading, ".factory/settings.json").state, "near-miss");
  assert.equal(only(reading, "bad").problems.length, 1);
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("what is written for Factory Droid is read back the same", async () => {
  const raw = await roundTrip(factoryDroid, {
    type: "stdio",
    command: "npx",
    args: ["-y", "x", "$${LITERAL}"],
    env: { A: "b", T: "${TOKEN}" },
    startupTimeout: 2_000,
    callTimeout: 90_000,
    enabledTools: ["a"],
    enabled: false,
  });
  assert.deepEqual(raw["args"], ["-y", "x", "${LITERAL}"]);
  const url = "https://a.example/mcp";
  await roundTrip(factoryDroid, { type: "streamable_http", url, headers: { A: "${B}" } }, {
    scope: "project",
  });
  await roundTrip(factoryDroid, { type: "sse", url });
  const format = factoryDroid.writer?.format;
  assert.ok(format !== undefined);
  const variable = writeEntry("x", { command: "a", args: ["${B}"] }, format);
  assert.match(variable.problems[0]?.message ?? "", /no placeholder in "args.0"/);
  assert.equal(writeEntry("x", { command: "a", cwd: "/srv" }, format).problems.length, 1);
});
