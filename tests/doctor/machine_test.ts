import assert from "node:assert/strict";
import { utimes } from "node:fs/promises";
import { clockFindings, OLDEST_NOW } from "../../src/doctor/clock.ts";
import { lookAtClock } from "../../src/doctor/look_clock.ts";
import { proxyFindings } from "../../src/doctor/proxy.ts";
import { inPlace } from "../plan/made.ts";
import { messages, of, running, told } from "./made.ts";

Deno.test("a clock before this program's day, or before its last use, is wrong", () => {
  const now = OLDEST_NOW + 1e9;
  assert.deepEqual(clockFindings({ now, lastWrite: null }), []);
  assert.deepEqual(clockFindings({ now, lastWrite: now + 60_000 }), [], "clocks of disks differ");
  const [late] = clockFindings({ now, lastWrite: now + 7_200_000 });
  assert.equal(late?.severity, "warning");
  assert.match(late?.message ?? "", /were written 2 hours later than it says/);
  const [old] = clockFindings({ now: OLDEST_NOW - 1, lastWrite: null });
  assert.equal(old?.severity, "error");
});

Deno.test("the clock is compared with the newest of Hotplug's own files", () =>
  inPlace(async ({ folders, write }) => {
    assert.deepEqual(lookAtClock(folders, 5), { now: 5, lastWrite: null });
    await write("home/.local/state/hotplug/trust.json", "{}");
    const entry = await write("home/.cache/hotplug/servers/ab.json", "{}");
    await utimes(entry, 4e9, 4e9);
    assert.deepEqual(lookAtClock(folders, 5), { now: 5, lastWrite: 4e12 });
  }));

Deno.test("proxy variables that cannot be used are told, and never their values", () => {
  const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp | null])[] = [
    [{}, null],
    [{ HTTPS_PROXY: "http://me:hunter2@proxy:8080" }, null],
    [{ HTTPS_PROXY: "socks5://proxy:1080", https_proxy: "socks5://proxy:1080" }, null],
    [{ HTTP_PROXY: "hunter2:80" }, /^warning: The variable "HTTP_PROXY" has no "http:\/\/" in/],
    [{ http_proxy: "http://" }, /"http_proxy" holds no address of a proxy/],
    [{ http_proxy: "ftp://hunter2" }, /"http_proxy" holds no address of a proxy/],
    [{ NO_PROXY: "a", no_proxy: "hunter2" }, /"NO_PROXY" and "no_proxy" differ/],
  ];
  for (const [env, expected] of cases) {
    const found = told(proxyFindings([], env)).join("\n");
    if (expected === null) assert.equal(found, "", JSON.stringify(env));
    else assert.match(found, expected);
    assert.doesNotMatch(found, /hunter2/);
  }
});

Deno.test("a server of this machine is not asked for through a proxy", () => {
  const find = (url: string, env: Readonly<Record<string, string>>): number =>
    proxyFindings([running(of("cursor", { url }))], env).length;
  const proxy = { HTTP_PROXY: "http://p:1" };
  assert.equal(find("http://localhost:3000/mcp", proxy), 1);
  assert.equal(find("http://127.0.0.1:3000/mcp", proxy), 1);
  assert.equal(find("http://[::1]:3000/mcp", proxy), 1);
  assert.equal(find("http://a.example/mcp", proxy), 0);
  assert.equal(find("https://localhost/mcp", proxy), 0, "that proxy is for http alone");
  for (const excluded of ["localhost", "*", "a,localhost", "LOCALHOST:3000", "x localhost"]) {
    assert.equal(find("http://localhost:3000", { ...proxy, NO_PROXY: excluded }), 0, excluded);
  }
  assert.equal(find("http://127.0.0.1", { ...proxy, no_proxy: "127.0.0.0/8" }), 0);
  assert.equal(find("http://127.0.0.1", { ...proxy, no_proxy: "localhost" }), 1);
});

Deno.test("local servers that a proxy does not reach are told once, with what to set", () => {
  const env = { HTTPS_PROXY: "http://p:1", PATH: "/usr/bin" };
  const node = running(of("store", { command: "npx" }, {}, "node"), env);
  const ready = running(
    of("store", { command: "npx", env: { NODE_USE_ENV_PROXY: "1" } }, {}, "ready"),
    env,
  );
  const python = running(of("store", { command: "uvx" }, {}, "python"), env);
  const codex = running(of("codex", { command: "npx" }, { environment: "codex" }, "codex"), env);
  assert.deepEqual(messages(proxyFindings([node, ready, python, codex], env)), [
    'A proxy is set, but its variables are not passed on to "codex"',
    'A proxy is set, which Node.js does not use by itself in "node"',
  ]);
  assert.deepEqual(proxyFindings([node, codex], {}), []);
});
