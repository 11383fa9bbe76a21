import assert from "node:assert/strict";
import { relative } from "node:path";
import { translateConfig } from "../../src/definitions/placeholder_translation.ts";
import { exportServers } from "../../src/edit/export_servers.ts";
import { importServers } from "../../src/edit/import_servers.ts";
import { hostNamed } from "../../src/edit/target.ts";
import type { ServerConfig } from "../../src/model/definition.ts";
import { cachedReader } from "../../src/sources/cached_reader.ts";
import { readSources } from "../../src/sources/read_all.ts";
import { type EditPlace, inEditPlace, STORE } from "./made.ts";

/** A local and a remote server, in the words of the store. */
const SERVERS = {
  plain: { type: "stdio", command: "npx", args: ["-y", "some-mcp", "--flag=a b"] },
  web: { type: "streamable_http", url: "https://mcp.example/mcp?x=1" },
  local: { type: "stdio", command: "uvx", args: ["m"], env: { TOKEN: "${TOKEN}", MODE: "fast" } },
  login: {
    type: "streamable_http",
    url: "https://mcp.example/login",
    headers: { Authorization: "Bearer ${TOKEN}" },
  },
} as const satisfies Readonly<Record<string, ServerConfig>>;

/** What each agent cannot be told, by its own means. */
const REFUSED: Readonly<Record<string, readonly (keyof typeof SERVERS)[]>> = {
  "claude-code": [],
  "cursor": [],
  "vscode": [],
  "codex": [],
  "gemini-cli": [],
  "opencode": [],
  // Texts of these are literal, but for Goose's own secrets.
  "zed": ["local", "login"],
  "goose": ["login"],
  // The file of its command line holds no placeholders.
  "cline": ["local", "login"],
  "continue": [],
  "windsurf": [],
  "crush": [],
};

/** Writes the servers to the store, as its own edits would. */
async function fillStore({ write }: EditPlace): Promise<void> {
  const entries = Object.entries(SERVERS).map(([name, { type, ...rest }]) => [
    name,
    type === "stdio" ? rest : { type: "http", ...rest },
  ]);
  await write(STORE, { mcpServers: Object.fromEntries(entries) });
}

/** What an agent's source reads now, by name, in the store's placeholders. */
async function readBack(
  agent: string,
  { given, path }: EditPlace,
): Promise<Readonly<Record<string, ServerConfig>>> {
  const context = {
    ...given,
    workspacePath: path("home/work/project"),
    readFile: cachedReader(),
    lines: false,
  };
  const { definitions } = await readSources(context, [hostNamed(agent)]);
  return Object.fromEntries(definitions.map(({ name, config, source, problems, warnings }) => {
    assert.deepEqual([problems, warnings], [[], []], `${agent}: ${name}`);
    const { config: translated, problems: lost } = translateConfig(
      config,
      source.dialect,
      "hotplug",
    );
    assert.deepEqual(lost, [], `${agent}: ${name}`);
    return [name, translated];
  }));
}

/** A server by what it runs or reaches; some hosts cannot tell the kinds of remote servers apart. */
function essence(config: ServerConfig): ServerConfig {
  const { command, args, env, url, headers, inheritEnv } = config;
  // A variable that is inherited by its name is the same as one that is set to itself.
  const inherited = typeof inheritEnv === "object" ? inheritEnv : [];
  const given = { ...env, ...Object.fromEntries(inherited.map((name) => [name, `\${${name}}`])) };
  return {
    ...(command === undefined ? {} : { command, args: args ?? [] }),
    ...(Object.keys(given).length === 0 ? {} : { env: given }),
    ...(url === undefined ? {} : { url }),
    ...(headers === undefined ? {} : { headers }),
  };
}

for (const [agent, refused] of Object.entries(REFUSED)) {
  Deno.test(`what is exported to ${agent} is read by it as the same server, and imported as such`, async () => {
    await inEditPlace(async (place) => {
      const { given, text, path } = place;
      await fillStore(place);
      const names = Object.keys(SERVERS);
      const machine = { ...given.machine, env: { TOKEN: "the-value-of-it" } };
      const options = { ...given, machine };
      const { servers, files } = await exportServers(agent, names, options);
      const done = Object.fromEntries(servers.map(({ name, done }) => [name, done]));
      const isRefused = (name: string): boolean => refused.some((one) => one === name);
      assert.deepEqual(
        done,
        Object.fromEntries(names.map((name) => [name, isRefused(name) ? "refused" : "added"])),
        JSON.stringify(servers.map(({ error }) => error)),
      );
      for (const { error } of servers) {
        if (error !== null) assert.ok(error.hint !== null && !error.message.includes("value-of"));
      }
      const [file] = files;
      assert.equal(files.length, 1);
      assert.doesNotMatch(file?.after ?? "", /the-value-of-it/, "values are never copied");
      const written = names.filter((name) => !isRefused(name)) as (keyof typeof SERVERS)[];
      const expected = Object.fromEntries(written.map((name) => [name, essence(SERVERS[name])]));
      const read = Object.entries(await readBack(agent, place));
      assert.deepEqual(
        Object.fromEntries(
          read.map(([name, config]) => [name, secretsAsVariables(essence(config))]),
        ),
        expected,
      );
      // Once more changes nothing.
      const again = await exportServers(agent, written, options);
      assert.deepEqual(again.servers.map(({ done }) => done), written.map(() => "unchanged"));
      assert.deepEqual(again.files, []);
      await Deno.remove(path(STORE));
      const back = await importServers(agent, [], options);
      assert.deepEqual(
        back.servers.map(({ name, done }) => [name, done]).sort(),
        written.map((name) => [name, "added"]).sort(),
        JSON.stringify(back.servers.map(({ error }) => error)),
      );
      assert.doesNotMatch(await text(STORE), /the-value-of-it/);
      const stored = Object.entries(await readBack("store", place));
      assert.deepEqual(
        Object.fromEntries(stored.map(([name, config]) => [name, essence(config)])),
        expected,
      );
      assert.ok(relative(place.path(""), file?.path ?? "").startsWith("home"));
    });
  });
}

/** What a host keeps in its keyring is the variable of that name elsewhere. */
function secretsAsVariables(config: ServerConfig): ServerConfig {
  return JSON.parse(JSON.stringify(config).replaceAll("${secret:", "${"));
}

Deno.test("what is off stays off where the host can say so, and is refused alone where it cannot", async () => {
  await inEditPlace(async (place) => {
    const { given, write } = place;
    const x = { command: "a", enabled: false };
    await write(STORE, { mcpServers: { x, on: { command: "b" } } });
    const { servers: [codex] } = await exportServers("codex", ["x"], given);
    assert.deepEqual(codex?.warnings, []);
    assert.equal((await readBack("codex", place))["x"]?.enabled, false);
    const cursor = await exportServers("cursor", ["x", "on"], given);
    assert.deepEqual(cursor.servers.map(({ done }) => done), ["refused", "added"]);
    assert.match(cursor.servers[0]?.error?.message ?? "", /it is off and would be on there/);
    assert.deepEqual(Object.keys(await readBack("cursor", place)), ["on"]);
  });
});

Deno.test("what a repository declares is copied once it is approved, and not before", async () => {
  await inEditPlace(async (place) => {
    const { given, write, path } = place;
    await write("home/work/project/.cursor/mcp.json", {
      mcpServers: { theirs: { command: "evil" }, both: { command: "evil" } },
    });
    await write("home/.cursor/mcp.json", { mcpServers: { both: { command: "mine" } } });
    const { servers, effective } = await importServers("cursor", [], { ...given, enable: true });
    assert.deepEqual(servers.map(({ name, done, error }) => [name, done, error?.hint ?? null]), [
      ["both", "added", null],
      ["theirs", "refused", "Look at it and approve it: mcp trust theirs"],
    ]);
    assert.deepEqual(effective.map(({ name, state }) => [name, state]), [["both", "run"]]);
    assert.equal((await readBack("store", place))["both"]?.command, "mine");
    const exported = await exportServers("cline", ["theirs"], given);
    assert.deepEqual(exported.servers.map(({ done }) => done), ["refused"]);
    await assert.rejects(Deno.stat(path("home/.cline")), Deno.errors.NotFound);
    const approved = await importServers("cursor", ["theirs"], { ...given, trust: "all" });
    assert.deepEqual(approved.servers.map(({ done }) => done), ["added"]);
  });
});

Deno.test("relative folders mean the same after an import, and inheriting stays as it was", async () => {
  await inEditPlace(async (place) => {
    const { given, write, path } = place;
    await write("home/.codex/config.toml", '[mcp_servers.x]\ncommand = "a"\ncwd = "tools"\n');
    await write("home/.cursor/mcp.json", {
      mcpServers: { y: { command: "a", envFile: "${userHome}/y.env" } },
    });
    await importServers("codex", [], given);
    await importServers("cursor", [], given);
    const { x, y } = await readBack("store", place) as Record<string, ServerConfig>;
    assert.deepEqual([x?.cwd, x?.inheritEnv], [path("home/tools"), undefined]);
    assert.deepEqual([y?.envFile, y?.inheritEnv], ["${userHome}/y.env", true]);
  });
});

Deno.test("secrets that are written out are named when they are copied, and never shown [G15]", async () => {
  await inEditPlace(async ({ given, write }) => {
    await write("home/.cursor/mcp.json", {
      mcpServers: {
        x: { command: "a", env: { API_KEY: "s3cr3t-value", MODE: "fast", T: "${env:T}" } },
      },
    });
    const { servers: [row] } = await importServers("cursor", [], given);
    assert.match(row?.warnings.join() ?? "", /"env\.API_KEY" looks like a secret/);
    assert.doesNotMatch(JSON.stringify(row), /s3cr3t-value|env\.MODE|env\.T"/);
    assert.equal((await exportServers("claude-code", ["x"], given)).servers[0]?.done, "added");
    const shared = await exportServers("vscode", ["x"], { ...given, scope: "project" });
    assert.match(shared.servers[0]?.warnings.join() ?? "", /file of the repository/);
  });
});

Deno.test("without names, what runs here and does not come from that agent is exported", async () => {
  await inEditPlace(async (place) => {
    const { given, write } = place;
    await write("home/.cursor/mcp.json", { mcpServers: { mine: { command: "a" } } });
    await write("home/.codex/config.toml", '[mcp_servers.theirs]\ncommand = "b"\n');
    await write(STORE, { mcpServers: { waiting: { command: "c" } } });
    const { servers: [mine, ...others] } = await exportServers("codex", [], given);
    assert.deepEqual([mine?.name, mine?.done, others], ["mine", "added", []]);
    assert.match(mine?.warnings.join() ?? "", /never hands the whole environment on/);
    await assert.rejects(exportServers("codex", ["nothing"], given), { code: "unknown-server" });
    await assert.rejects(importServers("codxe", [], given), {
      code: "usage",
      hint: 'Did you mean "codex"?',
    });
    await assert.rejects(importServers("codex", ["nothing"], given), {
      code: "unknown-server",
      hint: "It defines theirs, mine",
    });
  });
});

Deno.test("a section of another shape is refused untouched, and a list is made where one belongs [G02]", async () => {
  await inEditPlace(async (place) => {
    const { given, text, write } = place;
    await fillStore(place);
    const file = "home/.continue/config.yaml";
    const before = "name: mine\n# servers\nmcpServers:\n  plain:\n    command: a\n";
    await write(file, before);
    await assert.rejects(exportServers("continue", ["plain"], given), /"mcpServers" is no list/);
    assert.equal(await text(file), before);
    await write(file, "name: mine # keep\nmcpServers:\n");
    await exportServers("continue", ["plain", "web"], given);
    assert.match(await text(file), /^name: mine # keep\nmcpServers:\n\s+- name: plain\n/);
    assert.deepEqual(Object.keys(await readBack("continue", place)), ["plain", "web"]);
  });
});
