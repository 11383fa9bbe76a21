import assert from "node:assert/strict";
import fc from "fast-check";
import { normaliseConfig, type NormaliseOptions } from "../../src/definitions/normalise.ts";
import type { ServerConfig } from "../../src/model/definition.ts";

/** The config of an entry that must be valid and without warnings. */
function clean(raw: unknown, options?: NormaliseOptions): ServerConfig {
  const { config, problems, warnings } = normaliseConfig("s", raw, options);
  assert.deepEqual({ problems, warnings }, { problems: [], warnings: [] });
  return config;
}

function problems(raw: unknown): readonly string[] {
  return normaliseConfig("s", raw).problems.map(({ message }) => message);
}

/** Config and warnings of an entry that must be valid. */
function warned(raw: unknown, options?: NormaliseOptions): [ServerConfig, readonly string[]] {
  const result = normaliseConfig("s", raw, options);
  assert.deepEqual(result.problems, []);
  return [result.config, result.warnings];
}

Deno.test("a whole canonical entry is kept as it is", () => {
  const entry = {
    type: "stdio",
    command: "deno",
    args: ["run", "", "-A", "-A"],
    env: { TOKEN: " x ", EMPTY: "", GONE: null },
    envFile: ".env",
    cwd: "sub/dir",
    enabled: true,
    startupTimeout: 5_000,
    callTimeout: 7_000,
    enabledTools: ["read_*"],
    disabledTools: ["read_secret"],
    autoApprove: ["read_file"],
    protocol: "2026-07-28",
    inheritEnv: false,
    share: false,
    auth: { kind: "none" },
    oauth: { clientId: "c" },
    description: "d",
  };
  assert.deepEqual(clean(entry), entry);
});

Deno.test("inheritEnv may name variables; what cannot be one is told and left out", () => {
  const read = (inheritEnv: unknown): unknown => {
    const { config, problems, warnings } = normaliseConfig("s", { command: "x", inheritEnv });
    assert.deepEqual(problems, []);
    return [config.inheritEnv, warnings];
  };
  const bad = (index: number): string =>
    `"inheritEnv[${index}]" is ignored: it must be the name of a variable`;
  assert.deepEqual(read(["A", " B ", "A"]), [["A", "B"], []]);
  assert.deepEqual(read(["A=1", 7, "", "C", null, { name: "D" }]), [
    ["C"],
    [0, 1, 2, 4, 5].map(bad),
  ]);
  assert.deepEqual(read([]), [undefined, []]);
  assert.deepEqual(read(true), [true, []]);
});

Deno.test("a command alone means stdio, and a url alone leaves the type open [A14]", () => {
  assert.deepEqual(clean({ command: "deno" }), { type: "stdio", command: "deno" });
  assert.deepEqual(clean({ url: "http://127.0.0.1:3000/mcp" }), {
    url: "http://127.0.0.1:3000/mcp",
  });
});

Deno.test("every spelling of a type is read, and an unknown one names the accepted ones [A13]", () => {
  const http = ["http", "HTTP", "streamableHttp", "streamable-http", "STREAMABLE_HTTP", "remote"];
  for (const type of http) {
    assert.equal(clean({ type, url: "http://h/" }).type, "streamable_http", type);
  }
  for (const type of ["sse", "SSE", "server-sent-events", "EventStream"]) {
    assert.equal(clean({ type, url: "http://h/" }).type, "sse", type);
  }
  for (const type of ["stdio", "local", "Process"]) {
    assert.equal(clean({ type, command: "x" }).type, "stdio", type);
  }
  assert.deepEqual(problems({ type: "ws", url: "http://h/" }), [
    'Unknown type "ws": accepted are stdio, streamable_http, sse',
  ]);
});

Deno.test("a typed entry without what its transport needs says so in the agreed words", () => {
  assert.deepEqual(problems({ type: "stdio" }), ["stdio transport requires command"]);
  assert.deepEqual(problems({ type: "stdio", command: " " }), ["stdio transport requires command"]);
  assert.deepEqual(problems({ type: "stdio", url: "http://h/" }), [
    "stdio transport requires command",
  ]);
  assert.deepEqual(problems({ type: "sse", command: "x" }), ["sse transport requires url"]);
  assert.deepEqual(problems({ type: "http", url: "" }), ["streamable_http transport requires url"]);
});

Deno.test("an entry that only holds settings says what is missing [A31] [A05]", () => {
  const message = 'Cannot start this server: the entry holds neither "command" nor "url"';
  assert.deepEqual(problems({ timeout: 60_000 }), [message]);
  assert.deepEqual(problems({ args: ["x.py"] }), [message]);
  const off = normaliseConfig("s", { enabled: false });
  assert.equal(off.config.enabled, false);
  assert.deepEqual(off.problems.map((problem) => problem.message), [message]);
});

Deno.test("an empty command or url is called empty, and not missing [A05]", () => {
  for (const command of ["", "  ", [], [""]]) {
    assert.deepEqual(
      normaliseConfig("s", { command }).problems,
      [{
        code: "config-invalid",
        message: 'Cannot start this server: "command" is empty',
        hint: 'Write the program into "command"',
      }],
    );
  }
  assert.deepEqual(problems({ url: " " }), ['Cannot start this server: "url" is empty']);
  assert.deepEqual(problems({ command: "", url: "http://h/" }), []);
  const typed = normaliseConfig("s", { type: "stdio", command: "" }).problems[0];
  assert.deepEqual([typed?.message, typed?.hint], [
    "stdio transport requires command",
    'Write the program into "command"',
  ]);
});

Deno.test("a mistyped word of another host is answered with the key that it means [A12]", () => {
  const told = (key: string, rename: Readonly<Record<string, string>> = {}): string | undefined =>
    normaliseConfig("s", { command: "x", [key]: {} }, { rename }).warnings[0];
  const cases = [["enviroment", "env"], ["enviornment", "env"], ["workingDirectroy", "cwd"]];
  for (const [key = "", meant] of cases) {
    assert.equal(told(key), `Unknown key "${key}" is ignored: did you mean "${meant}"`);
  }
  assert.match(told("enviroment", { environment: "env" }) ?? "", /did you mean "environment"$/);
});

Deno.test("command and url together are refused unless the type says which one counts", () => {
  assert.match(problems({ command: "x", url: "http://h/" }).join(), /both "command" and "url"/);
  assert.deepEqual(warned({ type: "local", command: "x", url: "http://h/" }), [
    { type: "stdio", command: "x" },
    ['"url" is ignored: the type is "stdio"'],
  ]);
  assert.deepEqual(warned({ type: "sse", command: "x", url: "http://h/" }), [
    { type: "sse", url: "http://h/" },
    ['"command" is ignored: the type is "sse"'],
  ]);
});

Deno.test("off wins, and words and digits for truth values are read with a warning", () => {
  for (const off of [{ enabled: false }, { disabled: true }, { enabled: true, disabled: true }]) {
    assert.equal(clean({ command: "x", ...off }).enabled, false);
  }
  assert.equal(clean({ command: "x", disabled: false }).enabled, undefined);
  for (const [enabled, expected] of [["true", true], ["False", false], [1, true], [0, false]]) {
    const [config, warnings] = warned({ command: "x", enabled });
    assert.equal(config.enabled, expected);
    assert.equal(warnings.length, 1);
  }
  const [config, warnings] = warned({ command: "x", disabled: "maybe" });
  assert.equal(config.enabled, undefined);
  assert.match(warnings.join(), /"disabled" is ignored/);
});

Deno.test("timeout stands in for whichever time is not given, in the dialect's unit", () => {
  const times = (raw: object, options?: NormaliseOptions): unknown[] => {
    const { startupTimeout, callTimeout } = clean({ command: "x", ...raw }, options);
    return [startupTimeout, callTimeout];
  };
  assert.deepEqual(times({ timeout: 1_000 }), [1_000, 1_000]);
  assert.deepEqual(times({ timeout: 1_000, callTimeout: 5 }), [1_000, 5]);
  assert.deepEqual(times({ timeout: 1.5, startupTimeout: 2 }, { timeoutUnit: "s" }), [
    2_000,
    1_500,
  ]);
  for (const timeout of [0, -5, "soon", true, [], Infinity]) {
    const [config, warnings] = warned({ command: "x", timeout });
    assert.deepEqual(config, { type: "stdio", command: "x" });
    assert.deepEqual(warnings, ['"timeout" is ignored: it must be a number above 0']);
  }
  const [config, warnings] = warned({ command: "x", timeout: "250" });
  assert.deepEqual([config.callTimeout, warnings.length], [250, 1]);
});

Deno.test("numbers and booleans in env become text, null unsets, the rest is named [A11] [B26]", () => {
  const [config, warnings] = warned({
    command: "x",
    env: { PORT: 5432, DEBUG: true, KEY: "", K2: null },
  });
  assert.deepEqual(config.env, { PORT: "5432", DEBUG: "true", KEY: "", K2: null });
  assert.deepEqual(warnings, [
    '"env.PORT" is a number and is passed as text',
    '"env.DEBUG" is a boolean and is passed as text',
  ]);
  assert.deepEqual(problems({ command: "x", env: { LIST: ["a"], MAP: {}, OK: "1" } }), [
    'Cannot use "env.LIST": it must be a string, not an array',
    'Cannot use "env.MAP": it must be a string, not an object',
  ]);
  assert.match(problems({ command: "x", env: ["A=b"] }).join(), /"env".*not an array/);
  assert.equal(clean({ command: "x", env: null }).env, undefined);
});

Deno.test("headers are read like env, but a null one is not sent", () => {
  const [config, warnings] = warned({ url: "http://h/", headers: { "X-N": 1, "X-Gone": null } });
  assert.deepEqual(config.headers, { "X-N": "1" });
  assert.equal(warnings.length, 2);
  assert.match(problems({ url: "http://h/", headers: { A: [] } }).join(), /"headers.A"/);
});

Deno.test("header names and values that HTTP cannot carry are refused without the value", () => {
  assert.match(problems({ url: "http://h/", headers: { "Bad Name": "x" } }).join(), /"Bad Name"/);
  for (const value of ["se\r\ncret", "se\0cret", "secr\u20act"]) {
    const found = problems({ url: "http://h/", headers: { "X-Key": value } });
    assert.deepEqual(found, [
      'Cannot use "headers.X-Key": it holds a line break or a character that HTTP cannot carry',
    ]);
  }
});

Deno.test("args as one string are refused with the array that was meant [A36]", () => {
  const { config, problems } = normaliseConfig("s", {
    command: "deno",
    args: `run -A "my server.ts" --token hunter22`,
  });
  assert.equal(config.args, undefined);
  assert.deepEqual(problems, [{
    code: "config-invalid",
    message: 'Cannot use "args": it must be an array of strings, not a string',
    hint: 'Did you mean "args": ["run", "-A", "my server.ts", "--token", "***"]',
  }]);
  const [read, warnings] = warned({ command: "x", args: ["-p", 80, false] });
  assert.deepEqual(read.args, ["-p", "80", "false"]);
  assert.equal(warnings.length, 2);
  assert.match(problems[0]?.code ?? "", /config-invalid/);
});

Deno.test("a command that is an array is split into program and arguments, with a warning", () => {
  const [config, warnings] = warned({ command: ["npx", "-y", "foo"], args: ["bar"] });
  assert.deepEqual(config, { type: "stdio", command: "npx", args: ["-y", "foo", "bar"] });
  assert.equal(warnings.length, 1);
});

Deno.test("a pasted wrapper inside of an entry is named [A09]", () => {
  for (const key of ["mcpServers", "servers"]) {
    assert.deepEqual(problems({ [key]: { pandoc: { command: "uvx" } } }), [
      `Cannot use this entry: it holds another "${key}" instead of a server`,
    ]);
  }
});

Deno.test("other hosts' names for a key are read with a warning [A12]", () => {
  const cases: [string, unknown, keyof ServerConfig][] = [
    ["environment", { K: "v" }, "env"],
    ["envs", { K: "v" }, "env"],
    ["transport", "stdio", "type"],
    ["transportType", "stdio", "type"],
    ["workingDirectory", "sub", "cwd"],
    ["working_directory", "sub", "cwd"],
  ];
  for (const [alias, value, key] of cases) {
    const [config, warnings] = warned({ command: "x", [alias]: value });
    assert.deepEqual(config[key], value, alias);
    assert.deepEqual(warnings, [`"${alias}" is read as "${key}"`]);
  }
  for (const alias of ["serverUrl", "httpUrl", "baseUrl"]) {
    assert.equal(warned({ [alias]: "http://h/" })[0].url, "http://h/");
  }
  assert.equal(warned({ cmd: "x" })[0].command, "x");
  assert.deepEqual(warned({ command: "x", cmd: "y" }), [{ type: "stdio", command: "x" }, [
    '"cmd" is ignored: "command" is given too',
  ]]);
});

Deno.test("unknown keys are warned about with what was meant, and notes are not [A12]", () => {
  assert.deepEqual(
    warned({ command: "x", enviroment: {}, wibble: 1, _comment: "n", $schema: "s" }),
    [{ type: "stdio", command: "x" }, [
      'Unknown key "enviroment" is ignored: did you mean "env"',
      'Unknown key "wibble" is ignored',
    ]],
  );
  assert.deepEqual(warned({ command: "x", evn: {}, Commnd: 1 })[1], [
    'Unknown key "evn" is ignored: did you mean "env"',
    'Unknown key "Commnd" is ignored: did you mean "command"',
  ]);
});

Deno.test("a dialect's own keys are translated or passed over in silence", () => {
  const options = { rename: { alwaysAllow: "autoApprove", tools: "enabledTools" }, ignore: ["ui"] };
  const config = clean({ command: "x", alwaysAllow: ["t"], tools: ["*"], ui: {} }, options);
  assert.deepEqual(config, {
    type: "stdio",
    command: "x",
    enabledTools: ["*"],
    autoApprove: ["t"],
  });
});

Deno.test("a url must be http or https once placeholders are thought away", () => {
  for (
    const url of [
      "https://h.example/mcp",
      "http://[::1]:3000/",
      "${BASE}/mcp",
      "http${S}://h/",
      "https://${HOST}:${PORT:-8080}/x?k=${KEY}",
      "http://h:{env:PORT}/",
    ]
  ) assert.equal(clean({ url }).url, url);
  for (const url of ["localhost:3000/mcp", "h.example/mcp", "unix:///run/x", "-rf", "http://"]) {
    assert.deepEqual(problems({ url }), ['Cannot use "url": it must be an http or https URL'], url);
  }
  const [, warnings] = warned({ url: "https://bob:hunter2@h.example/mcp" });
  assert.deepEqual(warnings, ['"url" holds a user name or password: put it into "headers"']);
});

Deno.test("lists of tools fail safe: a deny list must be readable, an approval need not", () => {
  assert.match(problems({ command: "x", disabledTools: "a" }).join(), /"disabledTools"/);
  const [config, warnings] = warned({ command: "x", autoApprove: "*", enabledTools: [] });
  assert.equal(config.autoApprove, undefined);
  assert.equal(warnings.length, 2);
});

Deno.test("prototype names are data, in the entry and in its maps", () => {
  const raw: unknown = JSON.parse(
    `{"command":"x","__proto__":{"url":"http://h/"},"constructor":1,
      "env":{"__proto__":"a","toString":"b"}}`,
  );
  const { config, problems } = normaliseConfig("__proto__", raw);
  assert.deepEqual(problems, []);
  assert.equal(config.url, undefined);
  assert.deepEqual(Object.entries(config.env ?? {}), [["__proto__", "a"], ["toString", "b"]]);
  assert.equal(Object.getPrototypeOf(config.env), Object.prototype);
  assert.deepEqual(normaliseConfig("s", raw, { rename: {} }).problems, []);
});

Deno.test("what is no object is one problem", () => {
  for (const raw of [null, 1, "npx x", true, [], undefined]) {
    assert.match(
      problems(raw).join("|"),
      /^Cannot use this entry: it must be an object, not [^|]+$/,
    );
  }
});

Deno.test("free-form settings of 10,000 levels are refused, not walked", () => {
  const deep: unknown = JSON.parse("[".repeat(10_000) + "]".repeat(10_000));
  assert.deepEqual(problems({ command: "x", oauth: deep }), [
    'Cannot use "oauth": it is nested too deeply',
  ]);
});

Deno.test("no entry makes it throw, and the result is JSON of the canonical form alone", () => {
  const keys = [
    "type",
    "command",
    "args",
    "env",
    "envFile",
    "cwd",
    "url",
    "headers",
    "enabled",
    "disabled",
    "timeout",
    "startupTimeout",
    "callTimeout",
    "enabledTools",
    "disabledTools",
    "autoApprove",
    "protocol",
    "inheritEnv",
    "share",
    "auth",
    "oauth",
    "description",
    "transport",
    "environment",
    "mcpServers",
    "__proto__",
    "x",
  ];
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom("stdio", "http", "https://h/", "${A}", "", "{", 0, -1, 1e999),
    fc.array(fc.string()),
    fc.dictionary(fc.string(), fc.jsonValue()),
  );
  const entry = fc.array(fc.tuple(fc.constantFrom(...keys), value)).map(Object.fromEntries);
  fc.assert(
    fc.property(fc.oneof(entry, fc.jsonValue(), fc.anything()), fc.string(), (raw, name) => {
      const { config, problems, warnings } = normaliseConfig(name, raw);
      for (const key of Object.keys(config)) {
        assert.ok(keys.includes(key) && key !== "timeout", key);
      }
      for (const { message } of problems) assert.ok(message.length > 0 && !message.endsWith("."));
      for (const warning of warnings) assert.ok(warning.length > 0);
      if (config.args !== undefined) assert.ok(config.args.every((arg) => typeof arg === "string"));
      JSON.stringify(config);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("valid entries come out unchanged when they are read a second time", () => {
  const entry = fc.record({
    command: fc.string({ minLength: 1 }),
    args: fc.array(fc.string()),
    env: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.constant(null))),
    timeout: fc.integer({ min: 1, max: 1_000_000 }),
    disabled: fc.boolean(),
  }, { requiredKeys: ["command"] });
  fc.assert(fc.property(entry, (raw) => {
    const first = normaliseConfig("s", raw);
    if (first.problems.length > 0) return;
    const second = normaliseConfig("s", first.config);
    assert.deepEqual(second, { config: first.config, problems: [], warnings: [] });
  }));
});
