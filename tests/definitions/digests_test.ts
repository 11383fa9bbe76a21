import assert from "node:assert/strict";
import { canonicalJson } from "../../src/definitions/canonical_json.ts";
import { hmacHex, sha256Hex } from "../../src/definitions/digest.ts";
import { type FingerprintInput, runFingerprint } from "../../src/definitions/run_fingerprint.ts";
import { trustDigest } from "../../src/definitions/trust_digest.ts";
import type { ServerConfig } from "../../src/model/definition.ts";

/** Digest of the server "s" with {@linkcode CONFIG}, in the dialect of Hotplug. */
const OLD_DIGEST = "929165b10da2b2ab9799ec60de35f4be2e1fb9190860d411c62be526bc52f881";

const CONFIG: ServerConfig = { type: "stdio", command: "deno", args: ["a", "b"], env: { A: "1" } };

Deno.test("canonical JSON does not depend on the order of keys and keeps that of lists", () => {
  assert.equal(
    canonicalJson({ b: [2, 1, null], a: { d: "x", c: undefined } }),
    '{"a":{"d":"x"},"b":[2,1,null]}',
  );
  const odd = JSON.parse('{"__proto__":1,"a":2}') as Record<string, number>;
  assert.equal(canonicalJson(odd), '{"__proto__":1,"a":2}');
});

Deno.test("digests are the standard ones", async () => {
  assert.equal(
    await sha256Hex("abc"),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  const key = new TextEncoder().encode("key");
  assert.equal(
    await hmacHex(key, "The quick brown fox jumps over the lazy dog"),
    "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8",
  );
});

Deno.test("an approval holds for the same definition however it is written [H02]", async () => {
  const digest = await trustDigest("s", CONFIG, "hotplug", null);
  assert.match(digest, /^[0-9a-f]{64}$/);
  const same: ServerConfig = {
    env: { A: "1" },
    args: ["a", "b"],
    command: "deno",
    type: "stdio",
    description: "new words",
    callTimeout: 1,
    enabled: false,
    disabledTools: ["x"],
  };
  assert.equal(await trustDigest("s", same, "hotplug", null), digest);
});

Deno.test("an approval ends with any change of what runs or where data goes [H02]", async () => {
  const changes: [string, ServerConfig, string | null][] = [
    ["other", CONFIG, null],
    ["s", { ...CONFIG, command: "node" }, null],
    ["s", { ...CONFIG, args: ["b", "a"] }, null],
    ["s", { ...CONFIG, args: ["a b"] }, null],
    ["s", { ...CONFIG, env: { A: "!echo" } }, null],
    ["s", { ...CONFIG, env: { A: null } }, null],
    ["s", { ...CONFIG, cwd: "/x" }, null],
    ["s", { ...CONFIG, url: "https://h/" }, null],
    ["s", { ...CONFIG, headers: { H: "1" } }, null],
    ["s", { ...CONFIG, envFile: ".env" }, null],
    ["s", { ...CONFIG, envFile: ".env" }, "A=1"],
    ["s", { ...CONFIG, envFile: ".env" }, "A=2"],
    ["s", { ...CONFIG, auth: { a: 1 } }, null],
    ["s", { ...CONFIG, oauth: { a: 1 } }, null],
    ["s", { ...CONFIG, inheritEnv: true }, null],
    ["s", { ...CONFIG, inheritEnv: ["A"] }, null],
    ["s", { ...CONFIG, autoApprove: ["x"] }, null],
    ["s", { command: "deno", args: ["a", "b"], env: { A: "1" } }, null],
  ];
  const digests = new Set([await trustDigest("s", CONFIG, "hotplug", null)]);
  for (const [name, config, text] of changes) {
    digests.add(await trustDigest(name, config, "hotplug", text));
  }
  assert.equal(digests.size, changes.length + 1);
});

Deno.test("an approval ends when a file that placeholders name changes, and older ones stay valid [H02]", async () => {
  const config: ServerConfig = { ...CONFIG, inheritEnv: true, env: { A: "{file:key}" } };
  const digests = await Promise.all([
    trustDigest("s", config, "env-braces", null),
    trustDigest("s", config, "env-braces", null, ["one"]),
    trustDigest("s", config, "env-braces", null, ["two"]),
    trustDigest("s", config, "env-braces", null, [null]),
    trustDigest("s", config, "env-braces", null, ["one", null]),
    trustDigest("s", config, "env-braces", "one"),
  ]);
  assert.equal(new Set(digests).size, digests.length);
  // What an earlier version wrote down for a definition without such files.
  assert.equal(await trustDigest("s", CONFIG, "hotplug", null), OLD_DIGEST);
  assert.equal(await trustDigest("s", CONFIG, "hotplug", null, []), OLD_DIGEST);
});

Deno.test("a run fingerprint changes with what is started and not with what is only shown", async () => {
  const input: FingerprintInput = {
    name: "s",
    config: CONFIG,
    cwd: "/w",
    program: { path: "/bin/deno", size: 1, modifiedAt: 2 },
    files: [{ path: "/w/a.ts", size: 3, modifiedAt: 4 }],
    capabilities: { roots: {} },
    secretDigest: "d",
  };
  const first = await runFingerprint(input);
  const shown = { ...CONFIG, description: "x", enabled: true, autoApprove: ["y"], callTimeout: 1 };
  assert.equal(await runFingerprint({ ...input, config: shown }), first);
  const others = await Promise.all([
    { ...input, name: "t" },
    { ...input, config: { ...CONFIG, args: [] } },
    { ...input, cwd: "/v" },
    { ...input, program: null },
    { ...input, program: { path: "/bin/deno", size: 1, modifiedAt: 3 } },
    { ...input, files: [] },
    { ...input, capabilities: {} },
    { ...input, secretDigest: "e" },
  ].map((other) => runFingerprint(other)));
  assert.equal(new Set([first, ...others]).size, others.length + 1);
});
