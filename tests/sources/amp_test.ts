import assert from "node:assert/strict";
import { amp } from "../../src/sources/amp.ts";
import { assertPlan, type GoldenRow } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const SETTINGS = {
  "amp.showCosts": true,
  "amp.mcpServers": {
    "playwright": {
      command: "npx",
      args: ["-y", "@playwright/mcp@latest"],
      env: { TOKEN: "${PLAYWRIGHT_TOKEN}" },
      includeTools: ["browser_*"],
    },
    "linear": {
      url: "https://mcp.linear.app/sse",
      headers: { Authorization: "Bearer ${LINEAR_TOKEN}" },
    },
    "jira": { command: "jira", disabled: true },
  },
};

function userRows(file: string): readonly GoldenRow[] {
  const row = { state: "run", source: "amp", scope: "user", file } as const;
  return [
    {
      ...row,
      name: "playwright",
      config: {
        type: "stdio",
        command: "npx",
        args: ["-y", "@playwright/mcp@latest"],
        env: { TOKEN: "${PLAYWRIGHT_TOKEN}" },
        enabledTools: ["browser_*"],
      },
    },
    { ...row, name: "linear", config: SETTINGS["amp.mcpServers"].linear },
    {
      ...row,
      name: "jira",
      state: "disabled",
      config: { type: "stdio", command: "jira", enabled: false },
    },
  ];
}

const ENV = { PLAYWRIGHT_TOKEN: "a", LINEAR_TOKEN: "b" };

for (const platform of ["linux", "darwin", "win32"] as const) {
  for (const name of ["settings.json", "settings.jsonc"]) {
    Deno.test(`${name} of Amp is read on ${platform}`, async () => {
      await assertPlan({
        platform,
        sources: [amp],
        env: ENV,
        files: {
          [`home/.config/amp/${name}`]: SETTINGS,
          [`home/work/project/.amp/${name}`]: {
            "amp.mcpServers": { docs: { command: "node", args: ["docs.js"] } },
          },
        },
        cwd: "src",
      }, [
        ...userRows(`home/.config/amp/${name}`),
        {
          name: "docs",
          state: "untrusted",
          source: "amp",
          scope: "project",
          file: `home/work/project/.amp/${name}`,
          config: { type: "stdio", command: "node", args: ["docs.js"] },
        },
      ]);
    });
  }
}

Deno.test("on Windows the folder that the documentation names is read, too", async () => {
  const file = "home/AppData/Roaming/amp/settings.json";
  const golden = { sources: [amp], env: ENV, files: { [file]: SETTINGS } };
  await assertPlan({ platform: "win32", ...golden }, userRows(file));
  await assertPlan({ platform: "linux", ...golden }, []);
});

Deno.test("AMP_SETTINGS_FILE takes the place of the user's settings", async () => {
  await assertPlan({
    platform: "linux",
    sources: [amp],
    env: { ...ENV, AMP_SETTINGS_FILE: "root:own.json" },
    files: {
      "own.json": SETTINGS,
      "home/.config/amp/settings.json": { "amp.mcpServers": { no: { command: "a" } } },
    },
  }, userRows("own.json"));
});

Deno.test("an editor's settings are read, and what else stands in them says nothing", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.config/Code/User/settings.json", SETTINGS);
  await machine.write("home/.config/Cursor/User/settings.json", {
    "mcp": { servers: { x: { command: "a" } } },
  });
  const reading = await machine.read(amp);
  assert.equal(only(reading, "playwright").config.command, "npx");
  const code = report(reading, "Code/User/settings.json");
  assert.deepEqual([code.state, code.confirmed], ["loaded", false]);
  const cursor = report(reading, "Cursor/User/settings.json");
  assert.deepEqual([cursor.state, cursor.error, cursor.warnings], ["empty", null, []]);
});

Deno.test("a new server never goes into an editor's settings", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.config/Code/User/settings.json", "{}");
  assert.equal(
    amp.writer?.fileFor(machine.context(), "user")?.path,
    `${machine.home}/.config/amp/settings.json`,
  );
});

Deno.test("a key without its dot is named, a bad entry costs only itself [A05] [A30]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.config/amp/settings.json", { mcpServers: { x: { command: "a" } } });
  await machine.write("home/work/project/.amp/settings.json", {
    "amp.mcpServers": { bad: { args: [] }, good: { command: "a" } },
  });
  const reading = await machine.read(amp);
  const { error } = report(reading, ".config/amp/settings.json");
  assert.match(error?.hint ?? "", /Rename "mcpServers" to "amp.mcpServers"/);
  assert.equal(only(reading, "bad").problems.length, 1);
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("what is written for Amp is read back the same", async () => {
  await roundTrip(amp, { type: "stdio", command: "npx", args: ["a"], env: { A: "${B}" } });
  await roundTrip(
    amp,
    { url: "https://example.com/mcp", headers: { A: "${B}" } },
    { scope: "project" },
  );
});
