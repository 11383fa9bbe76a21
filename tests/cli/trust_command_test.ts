import assert from "node:assert/strict";
import type { TrustDocument } from "../../src/cli/trust_documents.ts";
import { inPlace, type Place } from "./in_memory.ts";

const TWO = JSON.stringify({
  mcpServers: {
    first: { command: "node", args: ["server.mjs"], env: { KEY: "${API_KEY}" } },
    second: { url: "https://example.com/mcp?key=${API_KEY}" },
  },
});

/** The state of each row, as `status --plain` says it. */
async function states({ run }: Place): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await run(["status", "--cached", "--plain"]);
  const rows = stdout.split("\n").filter((line) => line.includes(" workspace="));
  return Object.fromEntries(
    rows.map((line) => [line.split(" ")[0] ?? "", line.split(" ")[2] ?? ""]),
  );
}

Deno.test("trust shows what would run, from which files, with which variables", async () => {
  await inPlace(async (place) => {
    await place.write(".mcp.json", TWO);
    await place.write("server.mjs", "");
    const { code, stdout, stderr } = await place.run(["trust"]);
    assert.equal(code, 2);
    assert.match(
      stdout,
      /^first \(this project wants to run it; \.mcp\.json:\d+\)\n {2}runs: node server\.mjs\n/,
    );
    assert.match(stdout, /from this repository: server\.mjs\n {2}reads variables: API_KEY\n/);
    assert.match(stdout, /^second .*\n {2}runs: https:\/\/example\.com\/mcp/m);
    assert.match(stderr, /Cannot approve anything: there is no terminal to ask at/);
    assert.deepEqual(await states(place), { first: "untrusted", second: "untrusted" });
  });
});

Deno.test("trust asks for each server, and only yes approves", async () => {
  await inPlace(async (place) => {
    await place.write(".mcp.json", TWO);
    const { code, stdout, stderr } = await place.run(["trust"], { answers: ["", "y"] });
    assert.equal(code, 1);
    assert.match(stderr, /Approve "first"\? \[y\/N\] Approve "second"\? \[y\/N\] /);
    assert.match(stdout, /^approved: second$/m);
    assert.doesNotMatch(stdout, /approved: first/);
    assert.equal((await states(place))["first"], "untrusted");
    assert.notEqual((await states(place))["second"], "untrusted");
  });
});

Deno.test("trust --yes approves what is named, and untrust takes it back", async () => {
  await inPlace(async (place) => {
    await place.write(".mcp.json", TWO);
    assert.equal((await place.run(["trust", "first", "--yes"])).code, 0);
    assert.equal((await states(place))["second"], "untrusted");
    const again = await place.run(["trust", "first"]);
    assert.equal(again.code, 0);
    assert.match(again.stdout, /first: does not wait for an approval/);
    const back = await place.run(["untrust", "first"]);
    assert.deepEqual([back.code, back.stdout], [0, "withdrawn: first\n"]);
    assert.deepEqual(await states(place), { first: "untrusted", second: "untrusted" });
    assert.equal((await place.run(["untrust"])).stdout, "Nothing was approved here.\n");
  });
});

Deno.test("a changed definition waits again and says so", async () => {
  await inPlace(async (place) => {
    await place.write(".mcp.json", TWO);
    await place.run(["trust", "--yes"]);
    await place.write(".mcp.json", TWO.replace("server.mjs", "other.mjs"));
    const { stdout } = await place.run(["trust", "first"]);
    assert.match(stdout, /it changed since you approved it/);
  });
});

Deno.test("trust --folder approves the folder alone", async () => {
  await inPlace(async (place) => {
    await place.write(".mcp.json", TWO);
    const { code, stdout } = await place.run(["trust", "--folder", "--yes"]);
    assert.equal(code, 0);
    assert.equal(
      stdout,
      `folder ${place.workspace}\n\napproved: folder ${place.workspace}\n`,
    );
    assert.deepEqual(await states(place), { first: "untrusted", second: "untrusted" });
    const back = await place.run(["untrust", "--folder"]);
    assert.equal(back.stdout, `withdrawn: folder ${place.workspace}\n`);
  });
});

Deno.test("trust --json asks nothing: it lists, or approves with --yes", async () => {
  await inPlace(async (place) => {
    await place.write(".mcp.json", TWO);
    const listed = await place.run(["trust", "--json"], { answers: ["y", "y"] });
    assert.equal(listed.code, 2);
    const document = JSON.parse(listed.stdout) as TrustDocument;
    assert.deepEqual(document.pending.map(({ name }) => name), ["first", "second"]);
    assert.deepEqual(document.approved, []);
    assert.equal(document.error?.code, "usage");
    const approved = await place.run(["trust", "--json", "--yes"]);
    assert.equal(approved.code, 0);
    const after = JSON.parse(approved.stdout) as TrustDocument;
    assert.deepEqual(after.approved.map(({ name }) => name), ["first", "second"]);
    assert.deepEqual(after.pending, []);
  });
});

Deno.test("where nothing waits, trust says so", async () => {
  await inPlace(async ({ run }) => {
    assert.deepEqual(await run(["trust"]), {
      code: 0,
      stdout: "Nothing waits for an approval here.\n",
      stderr: "",
    });
  });
});

const HOOKS = JSON.stringify({
  "before-call": [{ command: "./check.sh", args: ["\u001b[2Jx"], tools: ["write_*"] }],
  "server-state": [{ command: 7 }],
});

Deno.test("trust shows a project's hooks, asks once for all, and only yes approves", async () => {
  await inPlace(async (place) => {
    await place.write(".mcp.json", TWO);
    await place.write(".hotplug/hooks.json", HOOKS);
    await place.write("check.sh", "");
    const { code, stdout, stderr } = await place.run(["trust"], { answers: ["y", "y", "n"] });
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^hooks \(this project wants to run them; \.hotplug\/hooks\.json\)\n {2}before-call .*: \.\/check\.sh /m,
    );
    assert.match(stdout, /^ {4}with: tools=write_\*\n {4}from this repository: check\.sh$/m);
    assert.match(stdout, /^ {2}warning: "server-state\[0\]\.command" must be .*; it never runs$/m);
    // deno-lint-ignore no-control-regex -- nothing of the file may reach a terminal raw
    assert.doesNotMatch(stdout, /\u001b/);
    assert.match(stderr, /Approve the project's hooks\? \[y\/N\] $/);
    assert.doesNotMatch(stdout, /approved: the project's hooks/);
    const again = await place.run(["trust"], { answers: ["yes"] });
    assert.equal(again.code, 0);
    assert.match(again.stdout, /^approved: the project's hooks$/m);
    assert.equal((await place.run(["trust"])).stdout, "Nothing waits for an approval here.\n");
  });
});

Deno.test("trust --hooks says what is wrong with a file of hooks that cannot be read", async () => {
  await inPlace(async ({ run, write }) => {
    assert.deepEqual((await run(["trust", "--hooks", "--yes"])).code, 0);
    await write(".hotplug/hooks.json", '{ "before-call": [');
    const { code, stderr } = await run(["trust", "--hooks", "--yes"]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /Cannot parse ".*hooks\.json": .*\n {2}hint: Correct the file; until then/,
    );
  });
});

Deno.test("trust --hooks approves nothing else, and untrust --hooks takes only that back", async () => {
  await inPlace(async (place) => {
    await place.write(".mcp.json", TWO);
    await place.write(".hotplug/hooks.json", HOOKS);
    const listed = JSON.parse((await place.run(["trust", "--hooks", "--json"])).stdout);
    assert.deepEqual([listed.hooks.approved, listed.pending], [false, []]);
    assert.equal((await place.run(["trust", "--hooks", "--yes"])).code, 0);
    assert.deepEqual(await states(place), { first: "untrusted", second: "untrusted" });
    await place.run(["trust", "first", "--yes"]);
    const back = await place.run(["untrust", "--hooks"]);
    assert.equal(back.stdout, "withdrawn: the project's hooks\n");
    assert.notEqual((await states(place))["first"], "untrusted");
    const listedAgain = JSON.parse((await place.run(["trust", "--json"])).stdout);
    assert.equal(listedAgain.hooks.approved, false);
  });
});
