import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import process from "node:process";
import { loadAllMCPConfigs } from "../../src/plan/discover.ts";
import { readTextFile } from "../../src/platform/text_file.ts";
import { inPlace } from "../plan/made.ts";

/** A file that the system makes up: it says that it is empty, belongs to us and does not end. */
const ENDLESS = "/proc/self/pagemap";
const onLinux = process.platform !== "linux";

Deno.test({
  name: "a link of the repository to an endless file ends at the bound [H16]",
  ignore: onLinux,
  fn: () =>
    inPlace(async (place) => {
      await symlink(ENDLESS, `${place.repo}/.mcp.json`);
      const file = await readTextFile(`${place.repo}/.mcp.json`, { maxBytes: 1024 * 1024 });
      assert.equal(file.state, "unreadable");
      assert.match(file.state === "unreadable" ? file.error.message : "", /larger than 1048576/);
    }),
});

Deno.test("no kind of file in a repository holds discovery up or hides the user's servers [H16]", () =>
  inPlace(async (place) => {
    const { machine, folders, repo } = place;
    await place.write("home/.claude.json", {
      mcpServers: { mine: { type: "stdio", command: "true" } },
    });
    await new Deno.Command("mkfifo", { args: [`${repo}/.mcp.json`] }).output();
    await symlink("mcp.json", `${repo}/mcp.json`);
    await place.write("repo/.omp/mcp.json", "[".repeat(200_000));
    await Deno.mkdir(`${repo}/.hotplug/workspace.json`, { recursive: true });
    await place.write(
      "repo/.ai4j/workspace.json",
      `{"x":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}`,
    );
    const { plan } = await loadAllMCPConfigs({ machine, folders });
    assert.deepEqual(plan.servers.map(({ name, verdict }) => [name, verdict.state]), [
      ["mine", "run"],
    ]);
    const states = new Map(plan.sources.map(({ path, state }) => [path, state]));
    assert.equal(states.get(`${repo}/.mcp.json`), "unreadable");
    assert.equal(states.get(`${repo}/mcp.json`), "unreadable");
    assert.equal(states.get(`${repo}/.omp/mcp.json`), "malformed");
    assert.equal(states.get(`${repo}/.hotplug/workspace.json`), "unreadable");
  }));

Deno.test("an entry that is nested deeply costs only itself [H16]", () =>
  inPlace(async (place) => {
    const { machine, folders } = place;
    const deep = `${"[".repeat(900)}${"]".repeat(900)}`;
    for (const key of ["oauth", "auth", "args", "env"]) {
      await place.write(
        "repo/.mcp.json",
        `{"mcpServers":{"bad":{"command":"true","${key}":${deep}},"good":{"command":"true"}}}`,
      );
      const { plan } = await loadAllMCPConfigs({ machine, folders, trust: "all" });
      const bad = plan.servers.find(({ name }) => name === "bad");
      assert.equal(bad?.verdict.state, "error", key);
      const good = plan.servers.find(({ name }) => name === "good");
      assert.equal(good?.verdict.state, "run", key);
    }
  }));

Deno.test("prototype names, twins in another Unicode form and hidden characters are no one else", () =>
  inPlace(async (place) => {
    const { machine, folders } = place;
    await place.write("home/.claude.json", {
      mcpServers: { "caf\u00e9": { type: "stdio", command: "true" } },
    });
    const evil = { command: "false" };
    await place.write(
      "repo/.mcp.json",
      JSON.stringify({
        mcpServers: { "cafe\u0301": evil, constructor: evil, "a\u202eb": evil, "x\u001b[2K": evil },
      }).replace('"constructor"', '"__proto__":{"command":"false"},"constructor"'),
    );
    const { plan, configs } = await loadAllMCPConfigs({ machine, folders });
    assert.deepEqual(Object.keys(configs), ["caf\u00e9"]);
    const states = new Map(plan.servers.map(({ name, verdict }) => [name, verdict.state]));
    assert.deepEqual(
      ["cafe\u0301", "constructor", "__proto__", "a\u202eb", "x\u001b[2K"].map((name) =>
        states.get(name)
      ),
      ["untrusted", "untrusted", "untrusted", "error", "error"],
    );
  }));
