import assert from "node:assert/strict";
import type { TextChange } from "../../src/formats/edit_text.ts";
import { checkEdits } from "./edit_cases.ts";
import { edited, editingRules } from "./editing_rules.ts";
import { writeToml } from "./random_toml.ts";

const FORMAT = "toml";

const CODEX = `# Codex CLI configuration
model = "gpt-5-codex"   # the default
approval_policy = "on-request"

[projects."/home/me/code"]
trust_level = "trusted"

# Documentation lookup
[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]
startup_timeout_sec = 20 # slow on first start

[mcp_servers.github]
url = "https://api.githubcopilot.com/mcp/"
bearer_token_env_var = "GITHUB_TOKEN"
# enabled = false

# Runs locally
[mcp_servers.db]
command = 'C:\\tools\\db.exe'

[mcp_servers.db.env]
DB_URL = "postgres://localhost/x"

# Terminal looks
[tui]
notifications = true
`;

checkEdits(FORMAT, "Codex's config.toml", CODEX, [
  {
    name: "a server is added after the last one, with its env as the others have it",
    changes: [{
      path: ["mcp_servers", "x"],
      value: { command: "npx", args: ["-y", "pkg"], env: { A: "b" } },
    }],
    replaced: [[
      'DB_URL = "postgres://localhost/x"\n',
      `DB_URL = "postgres://localhost/x"

[mcp_servers.x]
command = "npx"
args = ["-y", "pkg"]

[mcp_servers.x.env]
A = "b"
`,
    ]],
  },
  {
    name: "a server is removed with its sub-table, and the next table's comment stays",
    changes: [{ path: ["mcp_servers", "db"], value: undefined }],
    replaced: [[
      CODEX.slice(CODEX.indexOf("[mcp_servers.db]"), CODEX.indexOf("\n# Terminal looks")),
      "",
    ]],
  },
  {
    name: "a server between others is removed, and comments on both sides stay",
    changes: [{ path: ["mcp_servers", "github"], value: undefined }],
    replaced: [[
      CODEX.slice(CODEX.indexOf("\n[mcp_servers.github]"), CODEX.indexOf("# enabled = false")),
      "",
    ]],
  },
  {
    name: "keys are set, added and removed beside comments",
    changes: [
      { path: ["mcp_servers", "github", "enabled"], value: false },
      { path: ["mcp_servers", "context7", "startup_timeout_sec"], value: 30 },
      { path: ["mcp_servers", "context7", "args", "2"], value: "--x" },
      { path: ["mcp_servers", "db", "command"], value: "D:\\db.exe" },
      { path: ["approval_policy"], value: undefined },
    ],
    replaced: [
      ['"GITHUB_TOKEN"\n', '"GITHUB_TOKEN"\nenabled = false\n'],
      ["= 20 #", "= 30 #"],
      ['context7-mcp"]', 'context7-mcp", "--x"]'],
      ["'C:\\tools\\db.exe'", "'D:\\db.exe'"],
      ['approval_policy = "on-request"\n', ""],
    ],
  },
  {
    name: "a table of its own is added at the end",
    changes: [{ path: ["features", "rmcp"], value: true }],
    replaced: [["notifications = true\n", "notifications = true\n\n[features]\nrmcp = true\n"]],
  },
  {
    name: "a key of the root is added before the first table",
    changes: [{ path: ["personality"], value: "none" }],
    replaced: [['"on-request"\n', '"on-request"\npersonality = "none"\n']],
  },
]);

Deno.test("Codex's config.toml: what is not TOML is refused", async () => {
  const { editText } = await import("../../src/formats/edit_text.ts");
  const change = { path: ["mcp_servers", "x"], value: { command: null } };
  const result = await editText(CODEX, FORMAT, [change]);
  assert.ok(!result.ok);
  assert.equal(result.message, "expected a value other than null, which TOML cannot hold");
});

/** Small texts: before, change, after. */
const SMALL: readonly (readonly [text: string, change: TextChange, after: string])[] = [
  [
    "mcp_servers = {}\n",
    { path: ["mcp_servers", "a"], value: { command: "x" } },
    'mcp_servers = { a = { command = "x" } }\n',
  ],
  [
    "[mcp_servers]\n",
    { path: ["mcp_servers", "a b"], value: { command: "x" } },
    '[mcp_servers]\n\n[mcp_servers."a b"]\ncommand = "x"\n',
  ],
  ["a.b = 1\nc = 2\n", { path: ["a", "d"], value: 3 }, "a.b = 1\na.d = 3\nc = 2\n"],
  [
    '[[mcp_servers]]\nname = "a"\n\n[[mcp_servers]]\nname = "b"\n\n# z\n[z]\n',
    { path: ["mcp_servers", "2"], value: { name: "c" } },
    '[[mcp_servers]]\nname = "a"\n\n[[mcp_servers]]\nname = "b"\n\n[[mcp_servers]]\nname = "c"\n\n# z\n[z]\n',
  ],
  ['[[mcp_servers]]\nname = "a"\n\n[[mcp_servers]]\nname = "b"\n', {
    path: ["mcp_servers", "0"],
    value: undefined,
  }, '[[mcp_servers]]\nname = "b"\n'],
  ['[[mcp_servers]]\nname = "a"\n\n[[mcp_servers]]\nname = "b"\n', {
    path: ["mcp_servers", "0", "url"],
    value: "u",
  }, '[[mcp_servers]]\nname = "a"\nurl = "u"\n\n[[mcp_servers]]\nname = "b"\n'],
  [
    '[[mcp_servers]]\nname = "a"\n',
    { path: ["mcp_servers", "0"], value: undefined },
    "mcp_servers = []\n",
  ],
  [
    '[mcp_servers.a]\ncommand = "x"\n',
    { path: ["mcp_servers", "a"], value: undefined },
    "[mcp_servers]\n",
  ],
  [
    "# note\n\n[mcp_servers.a]\n",
    { path: ["model"], value: "m" },
    '# note\n\nmodel = "m"\n\n[mcp_servers.a]\n',
  ],
  [
    '[s.a]\ncommand = "x"\n',
    { path: ["s", "a", "env"], value: { K: "v" } },
    '[s.a]\ncommand = "x"\nenv = { K = "v" }\n',
  ],
  ["a=1", { path: ["b"], value: 2 }, "a=1\nb=2"],
  ["[a]\nx = 1\n[b]\ny = 1\n[a.c]\nz = 1\n", { path: ["a"], value: undefined }, "[b]\ny = 1\n"],
  [
    'a = [\n  "x", # one\n  "y", # two\n]\n',
    { path: ["a", "2"], value: "z" },
    'a = [\n  "x", # one\n  "y", # two\n  "z",\n]\n',
  ],
  ['a = """\nx\n"""\n', { path: ["a"], value: "two\nlines" }, 'a = "two\\nlines"\n'],
  ["a = 'x'\n", { path: ["a"], value: "it's" }, 'a = "it\'s"\n'],
];

Deno.test(`small ${FORMAT} texts are changed as a person would`, async () => {
  for (const [text, change, after] of SMALL) {
    assert.equal(await edited(text, FORMAT, [change]), after, JSON.stringify(text));
  }
});

editingRules(FORMAT, writeToml, false);

const VIBE = `# Mistral Vibe
active_model = "devstral"

[[mcp_servers]]
name = "fetch"
transport = "stdio"
command = "uvx"
args = ["mcp-server-fetch"]
`;

Deno.test("the last table of a list is removed and added again as it was", async () => {
  const path = ["mcp_servers", "0"];
  const value = {
    name: "fetch",
    transport: "stdio",
    command: "uvx",
    args: ["mcp-server-fetch"],
  };
  const tool = VIBE.replace("[[mcp_servers]]", "[tools]\nall = true\n\n[[tools.list]]");
  const alone = `# Mine\n${VIBE.slice(VIBE.indexOf("[["))}`;
  const cases: readonly (readonly [string, readonly string[]])[] = [
    [VIBE, path],
    [VIBE.replaceAll("\n", "\r\n"), path],
    [VIBE.slice(VIBE.indexOf("[[")), path],
    [`${tool}\n[other]\nx = 1\n`, ["tools", "list", "0"]],
  ];
  for (const [text, at] of cases) {
    const removed = await edited(text, FORMAT, [{ path: at, value: undefined }]);
    assert.match(removed, /(?:mcp_servers|list) = \[\]/);
    assert.equal(await edited(removed, FORMAT, [{ path: at, value }]), text);
  }
  const removed = await edited(alone, FORMAT, [{ path, value: undefined }]);
  const again = await edited(removed, FORMAT, [{ path, value }]);
  assert.match(again, /^# Mine\n+\[\[mcp_servers\]\]\nname = "fetch"\n/);
});

Deno.test("an empty list becomes tables where tables can stand, and loses no comment", async () => {
  const path = ["x", "0"];
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ["x = []\ny = 1\n", path, "y = 1\n\n[[x]]\na = 1\n"],
    ["x = [\n]\n", path, "[[x]]\na = 1\n"],
    ["[t]\nx = []\ny = 1\n", ["t", "x", "0"], "[t]\ny = 1\n\n[[t.x]]\na = 1\n"],
    // Neither in braces nor behind dots.
    ["t = { x = [] }\n", ["t", "x", "0"], "t = { x = [{ a = 1 }] }\n"],
    ["t.x = []\n", ["t", "x", "0"], "t.x = [{ a = 1 }]\n"],
    ["x = [] # mine\n", path, "x = [{ a = 1 }] # mine\n"],
    ["# mine\nx = []\ny = 1\n", path, "# mine\nx = [{ a = 1 }]\ny = 1\n"],
  ];
  for (const [text, at, wanted] of cases) {
    assert.equal(await edited(text, FORMAT, [{ path: at, value: { a: 1 } }]), wanted);
  }
  assert.equal(await edited("x = []\n", FORMAT, [{ path, value: 1 }]), "x = [1]\n");
});
