import assert from "node:assert/strict";
import { parseText } from "../../src/formats/parse_text.ts";
import { isJsonObject } from "../../src/model/json.ts";
import { type HookReading, mayHoldVeto, readHooks } from "../../src/plan/hook_entries.ts";

const PATH = "/home/me/.config/hotplug/settings.json";

async function read(text: string, keyPath: readonly string[] = []): Promise<HookReading> {
  const parsed = await parseText(text, "jsonc");
  assert.ok(parsed.ok, text);
  const { value } = parsed.document;
  const [key] = keyPath;
  const hooks = key === undefined ? value : isJsonObject(value) ? value[key] : undefined;
  return await readHooks(hooks, {
    path: PATH,
    scope: "user",
    keyPath,
    document: parsed.document,
    folder: "/home/me",
    home: "/home/me",
  });
}

Deno.test("an entry is read with its defaults, its folder and its line", async () => {
  const { programs, broken, warnings } = await read(
    `{
      // What every call asks
      "hooks": {
        "before-call": [
          { "command": "check", },
          { "command": " ./x ", "args": ["a"], "cwd": "~/work", "env": { "A": "1", "B": null },
            "timeout": 2500, "servers": ["git*"], "tools": ["write_*"], "onError": "allow" },
        ],
        "discover": [{ "command": "find-servers", "cwd": "sub" }],
      },
    }`,
    ["hooks"],
  );
  assert.deepEqual(broken, []);
  assert.deepEqual(warnings, []);
  const common = { scope: "user", path: PATH } as const;
  assert.deepEqual(programs, [
    {
      ...common,
      event: "before-call",
      command: "check",
      args: [],
      cwd: "/home/me",
      env: {},
      timeoutMs: 10_000,
      servers: null,
      tools: null,
      onError: "deny",
      line: 5,
    },
    {
      ...common,
      event: "before-call",
      command: "./x",
      args: ["a"],
      cwd: "/home/me/work",
      env: { A: "1", B: null },
      timeoutMs: 2_500,
      servers: ["git*"],
      tools: ["write_*"],
      onError: "allow",
      line: 6,
    },
    {
      ...common,
      event: "discover",
      command: "find-servers",
      args: [],
      cwd: "/home/me/sub",
      env: {},
      timeoutMs: 10_000,
      servers: null,
      tools: null,
      onError: "deny",
      line: 9,
    },
  ]);
});

Deno.test("a bad entry names field, line and what was expected, and costs only itself", async () => {
  const bad: Readonly<Record<string, RegExp>> = {
    '"echo"': /^"after-call\[0\]" must be an object with "command", found a string, at line 1/,
    "{}": /^"after-call\[0\]\.command" must be the name or path of a program, found nothing/,
    '{"command": 3}': /\.command" must be the name or path of a program, found a number/,
    '{"command": "x", "args": "-v"}': /\.args" must be a list of texts, found a string/,
    '{"command": "x", "args": ["a", 1]}': /\.args\[1\]" must be a text, found a number/,
    '{"command": "x", "cwd": ""}': /\.cwd" must be a text that is not empty/,
    '{"command": "x", "env": {"A": 1}}': /\.env\.A" must be a text, or null/,
    '{"command": "x", "timeout": "5s"}': /\.timeout" must be a number of milliseconds from 1 to/,
    '{"command": "x", "timeout": 0}': /\.timeout" must be/,
    '{"command": "x", "timeout": 600001}': /\.timeout" must be/,
    '{"command": "x", "servers": []}': /\.servers" must be a list of one text or more/,
    '{"command": "x", "tools": "all"}': /\.tools" must be a list of texts/,
    '{"command": "x", "onError": "Allow"}': /\.onError" must be "deny" or "allow"/,
  };
  for (const [entry, said] of Object.entries(bad)) {
    const text = `{"after-call": [${entry}, {"command": "good"}]}`;
    const { programs, broken, warnings } = await read(text);
    assert.deepEqual(programs.map(({ command }) => command), ["good"], entry);
    assert.deepEqual(broken, [], entry);
    assert.equal(warnings.length, 1, entry);
    assert.match(warnings[0] ?? "", said);
    assert.match(warnings[0] ?? "", /; it never runs$/);
  }
});

Deno.test("a broken hook that may stop things stops what it is sure to be about", async () => {
  const text = `{
    "before-call": [
      { "command": "good" },
      { "command": 3, "servers": ["git*"], "tools": ["write_*"] }
    ],
    "before-connect": [{ "args": [], "servers": "all" }]
  }`;
  const { programs, broken, warnings } = await read(text);
  assert.deepEqual(programs.map(({ command }) => command), ["good"]);
  const [call, connect] = broken;
  assert.deepEqual([call?.events, call?.servers, call?.tools], [
    ["before-call"],
    ["git*"],
    ["write_*"],
  ]);
  assert.deepEqual([connect?.events, connect?.servers], [["before-connect"], null]);
  assert.equal(call?.reason.code, "hook-failed");
  assert.equal(
    call?.reason.message,
    `Cannot ask a hook: "before-call[1].command" must be the name or path of a program, ` +
      `found a number, at line 4 of "${PATH}"`,
  );
  assert.match(warnings[0] ?? "", /; until then it stops what it would be asked about$/);
});

Deno.test("a broken hook whose author lets things go on stops nothing", async () => {
  const { broken, warnings } = await read(`{"before-call": [{"args": [], "onError": "allow"}]}`);
  assert.deepEqual(broken, []);
  assert.equal(warnings.length, 1);
});

Deno.test("an event that is spelled like one that stops things, or holds one, stops them", async () => {
  const meant = [
    `{"beforeCall": [{"command": "x"}]}`,
    `{"before_connect": []}`,
    `{"PreToolUse": []}`,
    `{"hooks": {"before-call": []}}`,
    `{"before-call": {"command": "x"}}`,
    `{"before-call": [], "before-call": [{"command": "x"}]}`,
    `[]`,
    `"before-call"`,
  ];
  for (const text of meant) {
    const { broken, warnings } = await read(text);
    assert.ok(broken.length > 0, text);
    assert.ok(warnings.length > 0, text);
  }
  const { broken, warnings } = await read(`{"after-cal": [{"command": "x"}], "colour": "red"}`);
  assert.deepEqual(broken, []);
  assert.match(
    warnings[0] ?? "",
    /^"after-cal" is no event; did you mean "after-call"\?, at line 1/,
  );
  assert.match(warnings[1] ?? "", /^"colour" is no event; the events are "discover", /);
});

Deno.test("a key that is not known is told and costs nothing", async () => {
  const { programs, warnings } = await read(
    `{"before-connect": [{"command": "x", "server": ["a"], "tools": ["b"], "description": "ok"}]}`,
  );
  assert.equal(programs.length, 1);
  assert.equal(programs[0]?.tools, null);
  assert.match(
    warnings[0] ?? "",
    /\.server" is not known and is ignored; did you mean "servers"\?/,
  );
  assert.match(warnings[1] ?? "", /\.tools" means nothing for "before-connect"/);
});

Deno.test("a text that speaks of no such event holds no such hook", () => {
  assert.equal(mayHoldVeto(`{"watch": tru`), false);
  assert.equal(mayHoldVeto(`{"hooks": {"before-call": [`), true);
  assert.equal(mayHoldVeto(`{"hooks": {"\\u0062efore-call": [`), true);
});
