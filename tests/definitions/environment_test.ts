import assert from "node:assert/strict";
import { serverEnvironment } from "../../src/definitions/environment.ts";
import type { ResolvedConfig } from "../../src/model/definition.ts";
import type { EnvironmentPolicy } from "../../src/model/source.ts";

const SHELL_ENV = {
  HOME: "/home/u",
  PATH: "/bin",
  LANG: "C",
  LC_ALL: "C.UTF-8",
  TMPDIR: "/t",
  TERM: "xterm",
  SHELL: "/bin/sh",
  USER: "u",
  LOGNAME: "u",
  TZ: "UTC",
  HTTPS_PROXY: "http://p",
  "https_proxy": "http://p",
  "no_proxy": "x",
  NODE_EXTRA_CA_CERTS: "/ca",
  SSL_CERT_FILE: "/ca",
  SSL_CERT_DIR: "/ca.d",
  DENO_CERT: "/ca",
  XDG_CONFIG_HOME: "/c",
};
const SOCKETS = { XDG_RUNTIME_DIR: "/run/u", SSH_AUTH_SOCK: "/run/ssh" };
const SECRETS = {
  AWS_SECRET_ACCESS_KEY: "s",
  GITHUB_TOKEN: "s",
  path: "lower case is another name",
};
const OWN = { HOTPLUG_TRUST: "all", HOTPLUG_SERVER: "1", HOTPLUG_CHAIN: "a" };
const FUNCTIONS = { "BASH_FUNC_f%%": "() { :; }", f: "() { :; }", "=C:": "C:\\", GONE: undefined };
const ALL = { ...SHELL_ENV, ...SOCKETS, ...SECRETS, ...OWN, ...FUNCTIONS };

function given(
  policy: EnvironmentPolicy,
  config: Partial<ResolvedConfig> = {},
  env: Readonly<Record<string, string | undefined>> = ALL,
): Record<string, string> {
  return serverEnvironment(policy, { env: {}, headers: {}, ...config }, env);
}

Deno.test("safe servers inherit what programs and networks need, and no socket [B25]", () => {
  assert.deepEqual(given("safe"), { ...SHELL_ENV, HOTPLUG_CHAIN: "a" });
});

Deno.test("base adds the sockets of agents, and all adds the rest [B25]", () => {
  assert.deepEqual(given("base"), { ...SHELL_ENV, ...SOCKETS, HOTPLUG_CHAIN: "a" });
  assert.deepEqual(given("all"), {
    ...SHELL_ENV,
    ...SOCKETS,
    ...SECRETS,
    HOTPLUG_CHAIN: "a",
  });
});

Deno.test("inheritEnv overrides the source's rule", () => {
  assert.equal(given("safe", { inheritEnv: true })["GITHUB_TOKEN"], "s");
  assert.deepEqual(given("all", { inheritEnv: false }), given("base"));
  assert.deepEqual(given("safe", { inheritEnv: false }), given("safe"));
});

Deno.test("variables that are named are inherited beyond the source's rule, when they are set", () => {
  const inheritEnv = ["GITHUB_TOKEN", "NOT_SET", "HOTPLUG_SERVER", "HOTPLUG_TRUST", "f", "PATH"];
  const { GITHUB_TOKEN } = SECRETS;
  assert.deepEqual(given("safe", { inheritEnv }), { ...given("safe"), GITHUB_TOKEN });
  assert.deepEqual(given("base", { inheritEnv }), { ...given("base"), GITHUB_TOKEN });
  assert.deepEqual(given("all", { inheritEnv }), given("all"));
  assert.equal(given("safe", { inheritEnv, env: { GITHUB_TOKEN: "own" } })["GITHUB_TOKEN"], "own");
  const windows = { SystemRoot: "C:\\Windows", "GitHub_Token": "s" };
  assert.deepEqual(given("safe", { inheritEnv }, windows), windows);
});

Deno.test("servers of Codex inherit what Codex gives them, and no proxy [B25]", () => {
  const { HOME, PATH, LANG, LC_ALL, TMPDIR, TERM, SHELL, USER, LOGNAME, TZ } = SHELL_ENV;
  const expected = { HOME, PATH, LANG, LC_ALL, TMPDIR, TERM, SHELL, USER, LOGNAME, TZ };
  const env = { ...ALL, LC_CTYPE: "C", COLORTERM: "x", __CF_USER_TEXT_ENCODING: "0x1F5" };
  assert.deepEqual(given("codex", {}, env), {
    ...expected,
    __CF_USER_TEXT_ENCODING: "0x1F5",
    HOTPLUG_CHAIN: "a",
  });
  assert.deepEqual(given("codex", { inheritEnv: false }, env), given("codex", {}, env));
  assert.equal(given("codex", { inheritEnv: ["HTTPS_PROXY"] }, env)["HTTPS_PROXY"], "http://p");
  const windows = { SystemRoot: "C:\\Windows", Path: "C:\\p", TEMP: "C:\\t", HTTPS_PROXY: "p" };
  assert.deepEqual(Object.keys(given("codex", {}, windows)), ["SystemRoot", "Path", "TEMP"]);
});

Deno.test("an entry's env is added to what is inherited and does not replace it [B24]", () => {
  const env = given("safe", { env: { TOKEN: "x", PATH: "/mine" } });
  assert.deepEqual([env["TOKEN"], env["PATH"], env["HOME"]], ["x", "/mine", "/home/u"]);
});

Deno.test("an empty value is passed as empty and null unsets [B26]", () => {
  const env = given("safe", { env: { KEY: "", LANG: null, NOPE: null } });
  assert.equal(env["KEY"], "");
  assert.ok(!Object.hasOwn(env, "LANG") && !Object.hasOwn(env, "NOPE"));
});

Deno.test("HOTPLUG_TRUST reaches no server under any name or policy", () => {
  for (const policy of ["all", "base", "safe"] as const) {
    const env = given(policy, { env: { HOTPLUG_TRUST: "all", Hotplug_Trust: "all" } });
    assert.deepEqual(Object.keys(env).filter((name) => /trust/i.test(name)), []);
  }
});

Deno.test("Windows names have no case, and its own essentials are inherited", () => {
  const windows = {
    SystemRoot: "C:\\Windows",
    Path: "C:\\p",
    ComSpec: "cmd.exe",
    PATHEXT: ".EXE",
    AppData: "C:\\a",
    "ProgramFiles(x86)": "C:\\x",
    SECRET: "s",
  };
  const { SECRET: _, ...essentials } = windows;
  assert.deepEqual(given("safe", {}, windows), essentials);
  const env = given("safe", { env: { PATH: "C:\\mine", comspec: null } }, windows);
  assert.deepEqual([env["PATH"], env["Path"], env["ComSpec"]], ["C:\\mine", undefined, undefined]);
});

Deno.test("prototype names are variables like any other", () => {
  const env = given("all", { env: Object.fromEntries([["__proto__", "x"]]) }, {});
  assert.deepEqual(Object.entries(env), [["__proto__", "x"]]);
});
