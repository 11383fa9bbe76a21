import assert from "node:assert/strict";
import { ohMyPi } from "../../src/sources/oh_my_pi.ts";
import { assertPlan } from "./golden.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

Deno.test("project and user files are read, the agent's folder first", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/work/project/.omp/mcp.json", { mcpServers: { x: { command: "p" } } });
  await machine.write("home/.omp/mcp.json", { mcpServers: { x: { command: "u" } } });
  await machine.write("home/.omp/agent/mcp.json", { mcpServers: { x: { command: "a" } } });
  const reading = await machine.read(ohMyPi);
  const facts = reading.definitions.map(({ config, source }) => {
    return [config.command, source.scope, source.rank, source.dialect, source.environment];
  });
  assert.deepEqual(facts, [
    ["p", "project", 90, "braces-command", "safe"],
    ["a", "user", 90, "braces-command", "all"],
    ["u", "user", 90, "braces-command", "all"],
  ]);
});

Deno.test("in the home folder the user's file is no project file", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.omp/mcp.json", { mcpServers: { x: { command: "u" } } });
  const reading = await machine.read(ohMyPi, { cwd: "../.." });
  assert.equal(only(reading, "x").source.scope, "user");
});

Deno.test("the user's lists switch project servers too, and off wins", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/work/project/.omp/mcp.json", {
    mcpServers: {
      off: { command: "a" },
      on: { command: "b", enabled: false },
      both: { command: "c" },
      stays: { command: "d", enabled: false },
    },
    disabledServers: ["on"],
  });
  const path = await machine.write("home/.omp/agent/mcp.json", {
    mcpServers: {},
    disabledServers: ["off", "both"],
    enabledServers: ["on", "both"],
  });
  const reading = await machine.read(ohMyPi);
  assert.equal(only(reading, "off").config.enabled, false);
  const [by] = only(reading, "off").switchedOffBy ?? [];
  assert.deepEqual([by?.list, by?.path], ["disabledServers", path]);
  assert.deepEqual(only(reading, "off").warnings, []);
  assert.equal(only(reading, "on").config.enabled, true);
  assert.equal(only(reading, "both").config.enabled, false);
  assert.equal(only(reading, "stays").config.enabled, false);
});

Deno.test("a list that is none is warned about", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.omp/mcp.json", { mcpServers: {}, disabledServers: { a: true } });
  assert.match(
    report(await machine.read(ohMyPi), "home/.omp/mcp.json").warnings.join(),
    /an object/,
  );
});

Deno.test("enabled and timeout are taken as text; what means nothing is ignored and said", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.omp/mcp.json", {
    mcpServers: {
      text: { command: "a", enabled: "FALSE", timeout: "2500", requestIdFormat: "string" },
      one: { command: "a", enabled: "1" },
      bad: { command: "a", enabled: "maybe", timeout: "soon" },
    },
  });
  const reading = await machine.read(ohMyPi);
  const text = only(reading, "text");
  assert.equal(text.config.enabled, false);
  assert.equal(text.config.startupTimeout, 2500);
  assert.equal(text.config.callTimeout, 2500);
  assert.deepEqual(text.warnings, []);
  assert.notEqual(only(reading, "one").config.enabled, false);
  const bad = only(reading, "bad");
  assert.notEqual(bad.config.enabled, false);
  assert.equal(bad.config.callTimeout, undefined);
  assert.deepEqual(bad.problems, []);
  assert.deepEqual(bad.warnings, [
    `"enabled" is ignored: its value has no meaning`,
    `"timeout" is ignored: its value has no meaning`,
  ]);
});

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of oh-my-pi are read on ${platform} [A32]`, async () => {
    const row = { state: "run", source: "oh-my-pi", scope: "user" } as const;
    const file = "home/.omp/agent/mcp.json";
    await assertPlan({
      platform,
      files: {
        [file]: {
          mcpServers: {
            db: { command: "db-mcp", args: ["--stdio"], env: { KEY: "${DB_KEY}" }, timeout: 2500 },
            docs: { type: "http", url: "https://h.example/mcp", headers: { A: "Bearer ${T}" } },
            idle: { type: "sse", url: "https://h.example/sse", enabled: false },
          },
          disabledServers: ["theirs"],
        },
        "home/.omp/mcp.json": { mcpServers: { old: { command: "old-mcp" } } },
        "home/work/project/.omp/mcp.json": {
          mcpServers: { theirs: { command: "t" }, local: { command: "l", cwd: "sub" } },
        },
      },
      env: { DB_KEY: "k", T: "t" },
    }, [
      {
        ...row,
        name: "db",
        file,
        config: {
          type: "stdio",
          command: "db-mcp",
          args: ["--stdio"],
          env: { KEY: "${DB_KEY}" },
          startupTimeout: 2500,
          callTimeout: 2500,
        },
      },
      {
        ...row,
        name: "docs",
        file,
        config: {
          type: "streamable_http",
          url: "https://h.example/mcp",
          headers: { A: "Bearer ${T}" },
        },
      },
      {
        ...row,
        name: "idle",
        file,
        state: "disabled",
        config: { type: "sse", url: "https://h.example/sse", enabled: false },
      },
      {
        ...row,
        name: "old",
        file: "home/.omp/mcp.json",
        config: { type: "stdio", command: "old-mcp" },
      },
      {
        ...row,
        name: "local",
        file: "home/work/project/.omp/mcp.json",
        scope: "project",
        state: "untrusted",
        config: { type: "stdio", command: "l", cwd: "sub" },
      },
      {
        ...row,
        name: "theirs",
        file: "home/work/project/.omp/mcp.json",
        scope: "project",
        state: "disabled",
        config: { type: "stdio", command: "t", enabled: false },
      },
    ]);
  });
}
