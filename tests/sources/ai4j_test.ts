import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ai4j } from "../../src/sources/ai4j.ts";
import { writeEntry } from "../../src/sources/written_entry.ts";
import { planRows } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

Deno.test("the store is trimmed as AI4J does, and repeated arguments stay", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.ai4j/mcp.json", {
    mcpServers: {
      " files ": {
        type: " ",
        command: " npx ",
        args: ["-v", " a ", "-v", "", "b"],
        env: { " KEY ": " value ", EMPTY: " ", " ": "x" },
        cwd: "",
      },
    },
  });
  const { name, config, source, problems } = only(await machine.read(ai4j), "files");
  assert.equal(name, "files");
  assert.deepEqual(problems, []);
  assert.equal(config.type ?? "stdio", "stdio");
  assert.equal(config.command, "npx");
  assert.deepEqual(config.args, ["-v", "a", "-v", "b"]);
  assert.deepEqual(config.env, { KEY: "value" });
  assert.equal(config.cwd, undefined);
  assert.deepEqual([source.rank, source.dialect, source.store, source.scope], [
    30,
    "literal",
    true,
    "user",
  ]);
});

Deno.test("of names that are equal after trimming the last one counts", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.ai4j/mcp.json", {
    mcpServers: { "x": { command: "first" }, " x": { command: "last" }, "  ": { command: "y" } },
  });
  const reading = await machine.read(ai4j);
  assert.deepEqual(reading.definitions.map(({ config }) => config.command), ["last"]);
  assert.deepEqual(report(reading, "mcp.json").warnings, [
    `Two entries are named "x"; the last one counts`,
    `An entry without a name is left out`,
  ]);
});

Deno.test("types are spelled in any case, and http means Streamable HTTP", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.ai4j/mcp.json", {
    mcpServers: {
      http: { type: " HTTP ", url: "http://127.0.0.1:1/mcp" },
      sse: { type: "SSE", url: "http://127.0.0.1:1/sse" },
    },
  });
  const reading = await machine.read(ai4j);
  assert.equal(only(reading, "http").config.type, "streamable_http");
  assert.equal(only(reading, "sse").config.type, "sse");
});

Deno.test("what a transport lacks is the entry's problem", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.ai4j/mcp.json", {
    mcpServers: { a: { type: "stdio", command: " " }, b: { type: "sse", url: "" } },
  });
  const reading = await machine.read(ai4j);
  assert.match(only(reading, "a").problems[0]?.message ?? "", /stdio transport requires command/);
  assert.match(only(reading, "b").problems[0]?.message ?? "", /sse transport requires url/);
});

Deno.test("the workspace file switches AI4J's servers alone, and its other keys are its own", async () => {
  await using machine = await TempMachine.create();
  const path = await machine.write("home/work/project/.ai4j/workspace.json", {
    activeProfile: "p",
    enabledMcpServers: ["files"],
    disabledMcpServers: ["ignored"],
  });
  const reading = await machine.read(ai4j);
  assert.deepEqual(reading.switches, [{
    sourceId: "ai4j",
    path,
    governs: ["ai4j"],
    enabled: ["files"],
    disabled: [],
  }]);
  assert.deepEqual(report(reading, "workspace.json").warnings, []);
});

Deno.test("reading rewrites nothing", async () => {
  await using machine = await TempMachine.create();
  const text = `{ "mcpServers": { " x ": { "command": " a ", "unknown": 1 } } }`;
  await machine.write("home/.ai4j/mcp.json", text);
  await machine.read(ai4j);
  assert.equal(await readFile(join(machine.home, ".ai4j", "mcp.json"), "utf8"), text);
});

Deno.test("what is written for AI4J is read back the same", async () => {
  await roundTrip(ai4j, {
    type: "stdio",
    command: "npx",
    args: ["-y", "x", "${LITERAL}"],
    env: { A: "b" },
    cwd: "/srv",
  });
  const url = "https://a.example/mcp";
  const raw = await roundTrip(ai4j, { type: "streamable_http", url, headers: { A: "b" } });
  assert.equal(raw["type"], "streamable_http");
  await roundTrip(ai4j, { type: "sse", url });
});

Deno.test("what AI4J would change when it loads its file is not written", () => {
  const format = ai4j.writer?.format;
  assert.ok(format !== undefined);
  for (
    const config of [
      { command: "a", args: ["-v", "a", "-v", "b"] },
      { command: "a", args: [" b"] },
      { command: "a", env: { A: "" } },
      { url: "https://a.example", headers: { A: "b " } },
    ]
  ) {
    assert.equal(writeEntry("x", config, format).problems.length, 1, JSON.stringify(config));
  }
});

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the store and the switches of AI4J make its servers run on ${platform}`, async () => {
    const file = "home/.ai4j/mcp.json";
    const rows = await planRows({
      platform,
      files: {
        [file]: { mcpServers: { on: { command: "a" }, off: { command: "b" } } },
        "home/work/project/.ai4j/workspace.json": { enabledMcpServers: ["on"] },
      },
    });
    assert.deepEqual(
      rows.map(({ name, state, source, scope }) => [name, state, source, scope]).sort(),
      [
        ["off", "disabled", "ai4j", "user"],
        // That a file of the workspace enables it needs the user's word.
        ["on", "untrusted", "ai4j", "user"],
      ],
    );
  });
}
