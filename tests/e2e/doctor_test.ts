import assert from "node:assert/strict";
import { join } from "node:path";
import type { DoctorDocument, ErrorDocument } from "../../src/cli/documents.ts";
import { CHECKS, type Finding } from "../../src/doctor/finding.ts";
import { madeGitIndex } from "../doctor/git_index_made.ts";
import { e2e, ON_LINUX, succeeded, type World } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";

const SECRETS = {
  shared: "ghp_0123456789abcdefABCDEFghij",
  own: "sk-0123456789abcdefABCDEF",
  variable: "hunter2-in-a-variable",
  proxy: "hunter2-in-a-proxy",
} as const;

/** A home with many problems, none of which anything is started for. */
async function illHome(world: World): Promise<Readonly<Record<string, string>>> {
  await Deno.writeFile(join(world.project, ".git", "index"), madeGitIndex([".mcp.json", "a.txt"]));
  const config = `[core]\n\tfsmonitor = touch ${join(world.root, "ran")}\n`;
  await Deno.writeTextFile(join(world.project, ".git", "config"), config);
  await world.projectServers({
    shared: {
      command: "npx",
      args: ["-y", "@example/server"],
      env: { GITHUB_TOKEN: SECRETS.shared, OTHER: "{env:OTHER}" },
    },
    marker: {
      ...trap("marker", join(world.root, "ran")),
      env: { A: `!touch ${join(world.root, "ran")}` },
    },
  });
  const own = await world.userServers({
    missing: { command: "no-such-program-at-all", env: { API_KEY: ` ${SECRETS.own}` } },
    unset: { command: "true", env: { A: "${NOBODY_SETS_THIS}" } },
    spaced: { command: "true", args: ["1"], env: { A: "${WITH_LINE_END}" } },
    Spaced: { command: "true", args: ["2"] },
    local: { type: "http", url: "http://127.0.0.1:9/mcp" },
    twin: { command: "true", args: ["1"], env: { A: "${WITH_LINE_END}" } },
  });
  await Deno.chmod(own, 0o644);
  await Deno.chmod(world.root, 0o755);
  await Deno.chmod(world.home, 0o755);
  await world.write("home/.omp/mcp.json", "{ broken");
  return {
    WITH_LINE_END: `${SECRETS.variable}\n`,
    HTTP_PROXY: `me:${SECRETS.proxy}@proxy:8080`,
  };
}

/** Findings as `check server severity`, sorted. */
function kinds(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ check, server, severity }) => `${check} ${server ?? "-"} ${severity}`);
}

e2e("doctor finds what is wrong with a home, starts nothing and tells no secret", async (world) => {
  const env = await illHome(world);
  const run = succeeded(await world.mcp(["doctor", "--json"], { env }));
  const document = run.json<DoctorDocument>();
  const { findings, summary } = document;
  assert.deepEqual(document.checks, CHECKS);
  const found = kinds(findings);
  for (
    const expected of [
      "files - error",
      "program missing error",
      "placeholders unset error",
      "placeholders shared warning",
      "white-space missing warning",
      "white-space spaced warning",
      "tracked-secrets shared error",
      "file-rights - warning",
      "unpinned shared info",
      "names spaced warning",
      "names Spaced warning",
      "duplicates twin warning",
      "entries shared info",
      "entries marker info",
      "proxy - warning",
      "proxy local warning",
    ]
  ) assert.ok(found.includes(expected), `${expected} in\n${found.join("\n")}`);
  assert.ok(!found.some((kind) => kind.startsWith("clock")), "the clock is right");
  assert.equal(
    summary.errors + summary.warnings + summary.infos,
    findings.length,
  );
  const tracked = findings.find(({ check }) => check === "tracked-secrets");
  assert.deepEqual([tracked?.path, tracked?.line], [join(world.project, ".mcp.json"), 3]);
  assert.ok(findings.every(({ message, remedy }) => message !== "" && remedy !== ""));

  const text = succeeded(await world.mcp(["doctor"], { env }));
  assert.match(text.stdout, /^\d+ errors\n/);
  assert.match(text.stdout, /\n {6}→ /);
  assert.equal(text.stderr, "");
  for (const secret of Object.values(SECRETS)) {
    for (const output of [run.stdout, run.stderr, text.stdout]) {
      assert.ok(!output.includes(secret), `"${secret}" is told`);
    }
  }
  await world.mcp(["doctor"], { env: { ...env, HOTPLUG_TRUST: "all" } });
  await assert.rejects(Deno.stat(join(world.root, "ran")), "something was started");
}, ON_LINUX);

e2e(
  "doctor looks at the servers that are named, and --strict fails for an error",
  async (world) => {
    const env = await illHome(world);
    const one = (await world.mcp(["doctor", "--json", "unset"], { env })).json<DoctorDocument>();
    assert.deepEqual(one.servers, ["unset"]);
    assert.ok(one.findings.every(({ server }) => server === null || server === "unset"));
    assert.ok(!kinds(one.findings).includes("files - error"), "that file defines none of them");
    assert.equal((await world.mcp(["doctor", "--strict", "unset"], { env })).code, 1);
    assert.equal((await world.mcp(["doctor", "--strict", "Spaced"], { env })).code, 0);
    const unknown = await world.mcp(["doctor", "--json", "unsett"], { env });
    assert.equal(unknown.code, 2);
    assert.match(unknown.json<ErrorDocument>().error.hint ?? "", /Did you mean "unset"/);
  },
  ON_LINUX,
);

e2e("doctor goes by the lists in the cache, and is content with a healthy home", async (world) => {
  const healthy = await world.mcp(["doctor"]);
  assert.deepEqual(
    [healthy.code, healthy.stdout, healthy.stderr],
    [0, `No problem found. (${CHECKS.length} checks of 0 servers)\n`, ""],
  );
  const path = await world.userServers({
    odd: trap("odd-names"),
    deep: trap("dangling-schema"),
  });
  await Deno.chmod(path, 0o600);
  const before = (await world.mcp(["doctor", "--json"])).json<DoctorDocument>();
  assert.deepEqual(kinds(before.findings), ["schemas - info"]);
  assert.match(before.findings[0]?.remedy ?? "", /mcp tools --refresh odd deep$/);
  await world.mcp(["tools", "--json"]);
  const after = (await world.mcp(["doctor", "--json"])).json<DoctorDocument>();
  assert.deepEqual(
    after.findings.map(({ server, message }) => [server, message.replace(/a{70,}/, "a…")]),
    [
      ["odd", 'Names over 64 characters are cut for models: "a……"'],
      [
        "deep",
        'Tool "recursive" for Gemini: a recursive part of the schema was cut (list of a ' +
        "moment ago)",
      ],
    ],
  );
});
