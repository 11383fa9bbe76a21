import assert from "node:assert/strict";
import { join } from "node:path";
import { policyFile, policyPlace, readPolicyFile } from "../../src/plan/policy_file.ts";
import { policyOf, type PolicyReading } from "../../src/plan/policy_reading.ts";
import { readTextFile } from "../../src/platform/text_file.ts";

/** Reads a text as a policy. */
async function read(text: string): Promise<PolicyReading> {
  return await policyOf({ state: "loaded", path: "/managed.json", text, notes: [] });
}

/** Why a text cannot be used. */
async function faultOf(text: string): Promise<string> {
  const { policy, report } = await read(text);
  assert.equal(policy.state, "unusable", text);
  assert.equal(report.state, "malformed");
  assert.equal(report.error?.hint, "Correct that file, as root; until then no server runs");
  assert.ok(policy.state === "unusable");
  assert.deepEqual(policy.error, report.error);
  return policy.error.message;
}

Deno.test("a policy lies where its system's managers put files, whatever the environment says", () => {
  assert.equal(policyFile({ platform: "linux" }), "/etc/hotplug/managed.json");
  assert.equal(policyFile({ platform: "freebsd" }), "/etc/hotplug/managed.json");
  assert.equal(
    policyFile({ platform: "darwin" }),
    "/Library/Application Support/hotplug/managed.json",
  );
  const env = { PROGRAMDATA: "D:\\mine", ProgramData: "D:\\mine", HOTPLUG_POLICY: "D:\\mine" };
  const windows = { platform: "win32", env };
  assert.equal(policyFile(windows), "C:\\ProgramData\\hotplug\\managed.json");
  assert.equal(policyPlace({ platform: "linux" }).ownerUid, 0);
  assert.equal(policyPlace(windows).ownerUid, null);
});

Deno.test("rules are read with their places, comments and all", async () => {
  const { policy, report } = await read(`// whoever manages this machine
{
  "$schema": "https://example.com/schema.json",
  "allowedServers": [
    { "url": "https://*.example.com/*" },
    { "name": "x", "command": ["npx", "-y", "pkg"] },
    { "name": "only-a-name" },
  ],
  "deniedServers": [{ "name": "x*" }],
}`);
  assert.ok(policy.state === "usable");
  assert.deepEqual(policy.allowed?.map(({ place, name, command }) => ({ place, name, command })), [
    { place: "allowedServers[0] (line 5)", name: null, command: null },
    { place: "allowedServers[1] (line 6)", name: "x", command: ["npx", "-y", "pkg"] },
    { place: "allowedServers[2] (line 7)", name: "only-a-name", command: null },
  ]);
  assert.equal(policy.denied[0]?.place, "deniedServers[0] (line 9)");
  assert.equal(report.state, "loaded");
  assert.equal(report.scope, "managed");
  assert.deepEqual(report.warnings, [
    'allowedServers[2] (line 7) has only a name, which anybody can give: it allows nothing; add "url" or "command"',
  ]);
});

Deno.test("the keys of Claude Code's managed settings mean the same", async () => {
  const own = await read(`{
  "allowedServers": [{ "url": "https://a.example/*" }, { "command": ["npx", "*"] }, { "name": "x" }],
  "deniedServers": [{ "name": "x" }]
}`);
  const other = await read(`{
  "allowedMcpServers": [{ "serverUrl": "https://a.example/*" }, { "serverCommand": ["npx", "*"] }, { "serverName": "x" }],
  "deniedMcpServers": [{ "serverName": "x" }]
}`);
  assert.ok(own.policy.state === "usable" && other.policy.state === "usable");
  const rules = ({ allowed, denied }: typeof own.policy): unknown =>
    [...allowed ?? [], ...denied].map(({ place: _, ...rule }) => rule);
  assert.deepEqual(rules(other.policy), rules(own.policy));
  assert.equal(other.policy.allowed?.[1]?.place, "allowedMcpServers[1] (line 2)");
  assert.equal(other.policy.allowedKey, "allowedMcpServers");
  assert.match(other.report.warnings.join(), /^allowedMcpServers\[2\] .*it allows nothing/);
});

Deno.test("Claude Code's switch for managed lists alone is ignored, and that is told", async () => {
  for (const value of [true, false]) {
    const { policy, report } = await read(`{
  "allowManagedMcpServersOnly": ${value},
  "deniedMcpServers": [{ "serverName": "x" }]
}`);
    assert.ok(policy.state === "usable");
    assert.deepEqual([policy.allowed, policy.denied.length], [null, 1]);
    assert.equal(report.state, "loaded");
    assert.deepEqual(report.warnings, [
      '"allowManagedMcpServersOnly" (line 2) is ignored: no file but this one says what may run',
    ]);
  }
});

Deno.test("who may write the file is told to correct it", async () => {
  const hint = async (path: string): Promise<string | null | undefined> => {
    const { report } = await policyOf({ state: "loaded", path, text: "", notes: [] });
    return report.error?.hint;
  };
  const windows = policyFile({ platform: "win32" });
  assert.match(await hint(windows) ?? "", /^Correct that file, as an administrator; /);
  assert.match(await hint("/etc/hotplug/managed.json") ?? "", /^Correct that file, as root; /);
});

Deno.test("without a list of what is allowed, all that is not denied may run; an empty one allows nothing", async () => {
  const none = await read("{}");
  assert.ok(none.policy.state === "usable" && none.policy.allowed === null);
  const empty = await read('{ "allowedServers": [] }');
  assert.ok(empty.policy.state === "usable" && empty.policy.allowed?.length === 0);
});

/** What cannot be a policy, and what is said of it. */
const FAULTS: readonly (readonly [string, RegExp])[] = [
  ["", /it is empty$/],
  ["// nothing", /it is empty$/],
  ["[]", /it is an array, no object$/],
  ['{ "deniedServers": [ }', /at line 1, column \d+$/],
  [
    '{\n "denyServers": [] }',
    /"denyServers" is no key of a policy; known are "allowedServers" and "deniedServers" \(or "allowedMcpServers" and "deniedMcpServers", as in Claude Code\) \(line 2\)$/,
  ],
  ['{ "deniedServers": {} }', /"deniedServers" must be an array, found an object \(line 1\)$/],
  ['{ "deniedServers": null }', /"deniedServers" must be an array, found null/],
  ['{ "deniedServers": ["x"] }', /deniedServers\[0\] must be an object, found a string/],
  ['{ "deniedServers": [{}] }', /has neither "name" nor "url" nor "command"/],
  [
    '{ "deniedServers": [\n{ "name": "x", "Url": "*" }] }',
    /"Url" in .*is no key of a rule; known are "name", "url" and "command" \(or "serverName", "serverUrl" and "serverCommand", as in Claude Code\) \(line 2\)$/,
  ],
  ['{ "deniedServers": [{ "url": "*", "command": ["x"] }] }', /has both "url" and "command"/],
  ['{ "deniedServers": [{ "url": "example.com" }] }', /"url" in deniedServers\[0\] is no pattern/],
  ['{ "deniedServers": [{ "url": 1 }] }', /must be a text, found a number/],
  ['{ "deniedServers": [{ "name": "" }] }', /must be a text, found an empty one/],
  ['{ "deniedServers": [{ "command": "npx" }] }', /must be an array of words, found a string/],
  ['{ "deniedServers": [{ "command": [] }] }', /must be an array of words, found an empty one/],
  ['{ "deniedServers": [{ "command": ["x", 1] }] }', /must hold words, found a number/],
  ['{ "deniedServers": [{ "name": "x" }], "deniedServers": [] }', /stands twice, again at line 1$/],
  ['{ "deniedServers": [{ "name": "x", "name": "y" }] }', /"name" stands twice/],
  [
    '{ "deniedServers": [], "deniedMcpServers": [] }',
    /it has both "deniedServers" and "deniedMcpServers", which mean the same \(line 1\)$/,
  ],
  [
    '{ "deniedServers": [{ "name": "x", "serverName": "y" }] }',
    /deniedServers\[0\] has both "name" and "serverName", which mean the same/,
  ],
  [
    '{ "deniedMcpServers": [{ "serverUrl": "*", "command": ["x"] }] }',
    /deniedMcpServers\[0\] has both "serverUrl" and "command", which no server fits/,
  ],
  ['{ "deniedServers": [{ "serverCommand": "x" }] }', /"serverCommand" in .* must be an array/],
  [
    '{ "allowManagedMcpServersOnly": "yes" }',
    /"allowManagedMcpServersOnly" must be true or false, found a string \(line 1\)$/,
  ],
  ['{ "allowManagedHooksOnly": true }', /"allowManagedHooksOnly" is no key of a policy/],
  ['{ "__proto__": [] }', /"__proto__" is no key of a policy/],
];

for (const [text, message] of FAULTS) {
  Deno.test(`a policy ${JSON.stringify(text)} cannot be used, and it is said why`, async () => {
    const said = await faultOf(text);
    assert.match(said, /^Cannot use the policy "\/managed\.json": /);
    assert.match(said, message);
  });
}

Deno.test("a file that others could have written, or nobody can read, is no policy to go by", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "managed.json");
    const place = { path, ownerUid: Deno.uid() };
    const state = async (given = place): Promise<string> =>
      (await readPolicyFile(given, readTextFile)).state;
    assert.equal(await state(), "absent");
    await Deno.writeTextFile(path, "{}");
    await Deno.chmod(path, 0o644);
    assert.equal(await state(), "loaded");
    for (const mode of [0o664, 0o646, 0o666, 0o777]) {
      await Deno.chmod(path, mode);
      const file = await readPolicyFile(place, readTextFile);
      assert.ok(file.state === "unreadable", mode.toString(8));
      assert.match(file.error.message, /others than its owner may write it$/);
      assert.match(file.error.hint ?? "", /writable by root alone$/);
    }
    await Deno.chmod(path, 0o644);
    const others = await readPolicyFile({ path, ownerUid: 4242 }, readTextFile);
    assert.ok(others.state === "unreadable");
    assert.match(others.error.message, /it belongs to another user$/);
    await Deno.chmod(path, 0o666);
    assert.equal((await readPolicyFile({ path, ownerUid: null }, readTextFile)).state, "loaded");
    await Deno.remove(path);
    await Deno.mkdir(path);
    assert.equal(await state(), "unreadable");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
