import assert from "node:assert/strict";
import type { ServerConfig } from "../../src/model/definition.ts";
import { copilotEditors } from "../../src/sources/copilot_editors.ts";
import { mcpJson } from "../../src/sources/mcp_json.ts";
import { readSources } from "../../src/sources/read_all.ts";
import { writeEntry } from "../../src/sources/written_entry.ts";
import { assertPlan, type GoldenRow } from "./golden.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const JETBRAINS = "home/.config/github-copilot/intellij/mcp.json";
const JETBRAINS_ON_WINDOWS = "home/AppData/Local/github-copilot/intellij/mcp.json";
const XCODE = "home/.config/github-copilot/xcode/mcp.json";
const VISUAL_STUDIO = "home/.mcp.json";
const PROJECT = "home/work/project/.vs/mcp.json";

/** As the documentation of GitHub's server for JetBrains and Xcode shows it. */
const WITH_REQUEST = {
  servers: {
    github: {
      url: "https://api.githubcopilot.com/mcp/",
      requestInit: { headers: { Authorization: "Bearer token" } },
    },
  },
};

function github(file: string): GoldenRow {
  return {
    name: "github",
    state: "run",
    source: "copilot-editors",
    scope: "user",
    file,
    config: {
      url: "https://api.githubcopilot.com/mcp/",
      headers: { Authorization: "Bearer token" },
    },
  };
}

const PROJECT_ROW: GoldenRow = {
  name: "db",
  state: "untrusted",
  source: "copilot-editors",
  scope: "project",
  file: PROJECT,
  config: { type: "stdio", command: "db", args: ["x"] },
};

const PROJECT_FILE = { servers: { db: { type: "stdio", command: "db", args: ["x"] } } };

for (const platform of ["linux", "darwin"] as const) {
  Deno.test(`the files of Copilot in JetBrains and Xcode are read on ${platform}`, async () => {
    await assertPlan({
      platform,
      sources: [copilotEditors],
      files: {
        [JETBRAINS]: WITH_REQUEST,
        [XCODE]: { servers: { local: { type: "stdio", command: "cupertino" } } },
        // Visual Studio is there on Windows alone.
        [VISUAL_STUDIO]: { servers: { no: { command: "no" } } },
        [PROJECT]: PROJECT_FILE,
      },
    }, [
      github(JETBRAINS),
      PROJECT_ROW,
      ...(platform === "linux" ? [] : [
        {
          ...github(XCODE),
          name: "local",
          config: { type: "stdio", command: "cupertino" },
        } as const,
      ]),
    ]);
  });
}

Deno.test("the files of Copilot in Visual Studio and JetBrains are read on win32 [A19]", async () => {
  await assertPlan({
    platform: "win32",
    sources: [copilotEditors],
    files: {
      [JETBRAINS_ON_WINDOWS]: WITH_REQUEST,
      [JETBRAINS]: { servers: { no: { command: "no" } } },
      [VISUAL_STUDIO]: {
        inputs: [{ id: "pat", type: "promptString", password: true }],
        servers: { docker: { type: "stdio", command: "docker", env: { PAT: "${input:pat}" } } },
      },
      [PROJECT]: PROJECT_FILE,
    },
  }, [
    github(JETBRAINS_ON_WINDOWS),
    PROJECT_ROW,
    {
      ...github(VISUAL_STUDIO),
      name: "docker",
      state: "needs-input",
      config: { type: "stdio", command: "docker", env: { PAT: "${input:pat}" } },
    },
  ]);
});

Deno.test("the folders of the system can be moved, and each editor has its label", async () => {
  await using machine = await TempMachine.create();
  await machine.write("xdg/github-copilot/intellij/mcp.json", WITH_REQUEST);
  await machine.write("local/github-copilot/intellij/mcp.json", WITH_REQUEST);
  await machine.write(VISUAL_STUDIO, { servers: { vs: { command: "a" } } });
  const linux = { env: { XDG_CONFIG_HOME: `${machine.root}/xdg` } };
  const windows = { platform: "win32", env: { LOCALAPPDATA: `${machine.root}/local` } };
  const { source } = only(await machine.read(copilotEditors, linux), "github");
  assert.deepEqual([source.label, source.rank], ["Copilot in JetBrains", 30]);
  const reading = await machine.read(copilotEditors, windows);
  assert.equal(only(reading, "github").source.label, "Copilot in JetBrains");
  assert.equal(only(reading, "vs").source.label, "Copilot in Visual Studio");
});

Deno.test("a .mcp.json of the project is another source's, and the user's is no project file", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/work/project/.mcp.json", { servers: { x: { command: "a" } } });
  assert.deepEqual((await machine.read(copilotEditors)).definitions, []);
  // In the home folder the two meet.
  await machine.write(VISUAL_STUDIO, { servers: { vs: { command: "a" } } });
  const base = machine.context({ platform: "win32" });
  const atHome = {
    ...base,
    machine: { ...base.machine, cwd: machine.home },
    workspacePath: machine.home,
  };
  const reading = await readSources(atHome, [copilotEditors, mcpJson]);
  assert.deepEqual(reading.definitions.map(({ name, source }) => [name, source.scope]), [
    ["vs", "user"],
  ]);
});

Deno.test("a bad entry costs only itself, broken JSON is named [A05] [A10]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(JETBRAINS, {
    servers: { bad: { type: "http" }, pipe: { url: "pipe:///x" }, good: { command: "a" } },
  });
  const reading = await machine.read(copilotEditors);
  assert.deepEqual(reading.definitions.map(({ name, problems }) => [name, problems.length]), [
    ["bad", 1],
    ["pipe", 1],
    ["good", 0],
  ]);
  await machine.write(JETBRAINS, "{ servers");
  const broken = report(await machine.read(copilotEditors), "intellij/mcp.json");
  assert.equal(broken.state, "malformed");
});

Deno.test("what is written for Copilot in editors is read back as it was", async () => {
  const configs: Readonly<Record<string, ServerConfig>> = {
    local: { type: "stdio", command: "npx", args: ["x"], env: { A: "b" } },
    remote: { url: "https://h.example/mcp", headers: { A: "b" } },
  };
  await using machine = await TempMachine.create();
  const { writer } = copilotEditors;
  for (const platform of ["linux", "win32"] as const) {
    const file = writer?.fileFor(machine.context({ platform }), "user");
    assert.ok(writer !== undefined && file !== undefined && file !== null);
    const written = Object.entries(configs).map(([name, config]) => {
      const { raw, problems } = writeEntry(name, config, { ...writer.format, ...file.format });
      assert.deepEqual(problems, []);
      return [name, raw] as const;
    });
    const inRequest = written.map(([, raw]) => raw["requestInit"]);
    // Visual Studio takes them as VS Code does.
    assert.deepEqual(inRequest, [
      undefined,
      platform === "linux" ? { headers: { A: "b" } } : undefined,
    ]);
    await machine.write(file.path.slice(machine.root.length + 1), {
      servers: Object.fromEntries(written),
    });
    const reading = await machine.read(copilotEditors, { platform });
    for (const [name, config] of Object.entries(configs)) {
      assert.deepEqual(only(reading, name).config, config);
    }
  }
});

Deno.test("where JetBrains keeps its file is not confirmed, where the others do is", async () => {
  await using machine = await TempMachine.create();
  for (const platform of ["linux", "darwin", "win32"] as const) {
    const { reports } = await machine.read(copilotEditors, { platform });
    for (const { label, confirmed } of reports) {
      assert.equal(confirmed, label === "Copilot in JetBrains" ? false : undefined, label);
    }
  }
});
