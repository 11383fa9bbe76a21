import assert from "node:assert/strict";
import { join } from "node:path";
import { pi } from "../../src/sources/pi.ts";
import { writeEntry } from "../../src/sources/written_entry.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.pi/agent/mcp.json";
const PROJECT = "home/work/project/.pi/mcp.json";

const USER_FILE = {
  autoEnableCodemode: true,
  mcpServers: {
    files: {
      command: "~/bin/files-mcp",
      args: ["-y", "~/data", "${LITERAL}"],
      env: { TOKEN: "$FILES_TOKEN-${REGION}", PRICE: "5$$ or $!", KEY: "!pass show key" },
      cwd: "~/work",
      timeout: 90,
      exposure: "deferred",
      toolExposure: { search: "direct" },
    },
    docs: {
      type: "streamable-http",
      url: "https://a.example/mcp",
      headers: { Authorization: "Bearer ${DOCS_TOKEN}" },
      description: "Search",
    },
    off: { url: "https://off.example/mcp", enabled: false },
  },
};

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of pi are read on ${platform}`, async () => {
    const user = { source: "pi", scope: "user", file: FILE } as const;
    await assertPlan({
      platform,
      sources: [pi],
      env: { FILES_TOKEN: "t", REGION: "eu", DOCS_TOKEN: "d" },
      files: {
        [FILE]: USER_FILE,
        [PROJECT]: { mcpServers: { local: { command: "local-mcp" }, off: { exposure: "direct" } } },
      },
    }, [
      {
        ...user,
        name: "files",
        state: "run",
        config: {
          type: "stdio",
          command: "${userHome}/bin/files-mcp",
          args: ["-y", "${userHome}/data", "$${LITERAL}"],
          env: {
            TOKEN: "${env:FILES_TOKEN}-${env:REGION}",
            PRICE: "5$ or !",
            KEY: "!pass show key",
          },
          cwd: "~/work",
          startupTimeout: 90_000,
          callTimeout: 90_000,
        },
      },
      {
        ...user,
        name: "docs",
        state: "run",
        config: {
          type: "streamable_http",
          url: "https://a.example/mcp",
          headers: { Authorization: "Bearer ${env:DOCS_TOKEN}" },
          description: "Search",
        },
      },
      {
        name: "off",
        state: "disabled",
        source: "pi",
        scope: "project",
        file: PROJECT,
        config: { url: "https://off.example/mcp", enabled: false },
      },
      {
        name: "local",
        state: "untrusted",
        source: "pi",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "local-mcp" },
      },
    ]);
  });
}

Deno.test("a project can switch a server of the user's off, and change nothing else of it [A31]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, {
    mcpServers: { a: { command: "a" }, b: { command: "b", env: { KEY: "k" } } },
  });
  await machine.write(PROJECT, {
    mcpServers: {
      a: { enabled: false },
      b: { enabled: true, env: { KEY: "stolen" } },
      nobody: { enabled: false },
    },
  });
  const reading = await machine.read(pi);
  const changes = reading.definitions.filter(({ source }) => source.scope === "project");
  assert.deepEqual(changes.map(({ name, config }) => [name, config.command, config.enabled]), [
    ["a", "a", false],
    ["b", "b", true],
  ]);
  assert.deepEqual(changes[0]?.problems, []);
  assert.match(changes[1]?.problems[0]?.message ?? "", /Cannot change "env"/);
  const [warning] = report(reading, PROJECT).warnings;
  assert.match(warning ?? "", /"nobody" holds neither a command nor a url/);
});

Deno.test("a value that only looks like a command is never run", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, {
    mcpServers: { bad: { command: "a", env: { A: "$!rm" } }, good: { command: "b" } },
  });
  const reading = await machine.read(pi);
  assert.match(only(reading, "bad").problems[0]?.message ?? "", /"env.A".* plain sign/);
  assert.equal(only(reading, "bad").config.env?.["A"], "");
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("a login of pi's is not used elsewhere, and is told", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, {
    mcpServers: { x: { url: "https://a.example", auth: { provider: "radius" } } },
  });
  const { config, warnings } = only(await machine.read(pi), "x");
  assert.equal(config.auth, undefined);
  assert.deepEqual(warnings, [`"auth" names a login of pi's, which is not used here`]);
});

Deno.test("a variable moves pi's folder, and servers one folder too high are a near miss [A45]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("moved/mcp.json", { mcpServers: { x: { command: "a" } } });
  await machine.write("home/.pi/mcp.json", { mcpServers: { y: { command: "a" } } });
  const env = { PI_CODING_AGENT_DIR: join(machine.root, "moved") };
  const reading = await machine.read(pi, { env });
  assert.deepEqual(reading.definitions.map(({ name }) => name), ["x"]);
  assert.equal(report(reading, "home/.pi/mcp.json").state, "near-miss");
});

Deno.test("what is written for pi is read back the same", async () => {
  const raw = await roundTrip(pi, {
    type: "stdio",
    command: "${userHome}/bin/x",
    args: ["${userHome}/data", "$${LITERAL}", "$5"],
    env: { A: "b$c", T: "x${env:TOKEN}", C: "!pass show a" },
    cwd: "/srv",
    startupTimeout: 2_000,
    callTimeout: 90_000,
    description: "d",
    enabled: false,
  }, {
    expected: {
      type: "stdio",
      command: "${userHome}/bin/x",
      args: ["${userHome}/data", "$${LITERAL}", "$5"],
      env: { A: "b$c", T: "x${env:TOKEN}", C: "!pass show a" },
      cwd: "/srv",
      // pi has one limit for the start and for every call.
      startupTimeout: 90_000,
      callTimeout: 90_000,
      description: "d",
      enabled: false,
    },
  });
  assert.deepEqual(raw["args"], ["~/data", "${LITERAL}", "$5"]);
  assert.deepEqual(raw["env"], { A: "b$$c", T: "x${TOKEN}", C: "!pass show a" });
  assert.equal(raw["timeout"], 90);
  await roundTrip(pi, { url: "https://a.example", headers: { A: "${env:B}" } }, {
    scope: "project",
  });
});

Deno.test("what pi cannot say is not written for it", () => {
  const format = pi.writer?.format;
  assert.ok(format !== undefined);
  for (
    const [name, config] of [
      ["sp ace", { command: "a" }],
      ["x", { command: "a", env: { A: "${B:-c}" } }],
      ["x", { command: "a", env: { A: null } }],
      ["x", { command: "a", args: ["${B}"] }],
      ["x", { type: "sse", url: "https://a.example" }],
    ] as const
  ) {
    assert.notEqual(writeEntry(name, config, format).problems.length, 0, JSON.stringify(config));
  }
});
