import assert from "node:assert/strict";
import type { TextChange } from "../../src/formats/edit_text.ts";
import { checkEdits } from "./edit_cases.ts";
import { edited, editingRules } from "./editing_rules.ts";
import { writeYaml } from "./random_yaml.ts";

const FORMAT = "yaml";

const GOOSE = `GOOSE_PROVIDER: anthropic
GOOSE_MODEL: claude-sonnet-4-5
extensions:
  # built in
  developer:
    bundled: true
    enabled: true
    name: developer
    timeout: 300
    type: builtin
  fetch:
    args:
    - mcp-server-fetch
    cmd: uvx
    enabled: true
    env_keys: []
    envs: {}
    name: fetch
    timeout: 300 # seconds
    type: stdio
# telemetry
GOOSE_TELEMETRY_ENABLED: false
`;

const CONTINUE = `name: Local Agent
version: 1.0.0
schema: v1

models:
  - name: Sonnet
    provider: anthropic
    model: claude-sonnet-4-5
    roles: [chat, edit]

mcpServers:
  # files
  - name: filesystem
    command: npx
    args:
      - "-y"
      - "@modelcontextprotocol/server-filesystem"
      - /home/me
    env:
      TOKEN: \${{ secrets.TOKEN }}
  - name: remote # shared
    type: streamable-http
    url: https://mcp.example.com/mcp
`;

checkEdits(FORMAT, "Goose's config.yaml", GOOSE, [
  {
    name: "an extension is added after the last one, its lists written as there",
    changes: [{
      path: ["extensions", "x"],
      value: { type: "stdio", cmd: "uvx", args: ["-b", "@c/d"], envs: { K: "yes" }, timeout: 300 },
    }],
    replaced: [[
      "    type: stdio\n",
      `    type: stdio
  x:
    type: stdio
    cmd: uvx
    args:
    - -b
    - "@c/d"
    envs:
      K: "yes"
    timeout: 300
`,
    ]],
  },
  {
    name: "an extension is removed and another switched off",
    changes: [
      { path: ["extensions", "fetch"], value: undefined },
      { path: ["extensions", "developer", "enabled"], value: false },
    ],
    replaced: [
      [GOOSE.slice(GOOSE.indexOf("  fetch:"), GOOSE.indexOf("# telemetry")), ""],
      ["    enabled: true\n", "    enabled: false\n"],
    ],
  },
  {
    name: "an empty map gets its first key on a line of its own",
    changes: [
      { path: ["extensions", "fetch", "envs", "K"], value: "v" },
      { path: ["extensions", "fetch", "timeout"], value: 60 },
    ],
    replaced: [["envs: {}", "envs:\n      K: v"], ["300 # seconds", "60 # seconds"]],
  },
]);

checkEdits(FORMAT, "Continue's config.yaml", CONTINUE, [
  {
    name: "a server is appended to the list",
    changes: [{
      path: ["mcpServers", "2"],
      value: { name: "new", command: "npx", env: { A: "1" } },
    }],
    replaced: [[
      "https://mcp.example.com/mcp\n",
      `https://mcp.example.com/mcp
  - name: new
    command: npx
    env:
      A: "1"
`,
    ]],
  },
  {
    name: "a server is removed from the list, and the comment above it stays",
    changes: [{ path: ["mcpServers", "0"], value: undefined }],
    replaced: [[
      CONTINUE.slice(
        CONTINUE.indexOf("  - name: filesystem"),
        CONTINUE.indexOf("  - name: remote"),
      ),
      "",
    ]],
  },
  {
    name: "keys in items of the list are set, added and removed",
    changes: [
      { path: ["mcpServers", "0", "name"], value: "files" },
      { path: ["mcpServers", "0", "args", "0"], value: undefined },
      { path: ["mcpServers", "0", "env"], value: undefined },
      { path: ["mcpServers", "1", "name"], value: undefined },
      { path: ["models", "0", "roles", "2"], value: "apply" },
    ],
    replaced: [
      ["name: filesystem", "name: files"],
      ['      - "-y"\n', ""],
      ["    env:\n      TOKEN: ${{ secrets.TOKEN }}\n", ""],
      ["- name: remote # shared\n    type:", "- type:"],
      ["[chat, edit]", "[chat, edit, apply]"],
    ],
  },
  {
    name: "missing parents are made",
    changes: [{
      path: ["mcpServers", "1", "requestOptions", "headers", "X"],
      value: "${{ secrets.X }}",
    }],
    replaced: [[
      "https://mcp.example.com/mcp\n",
      `https://mcp.example.com/mcp
    requestOptions:
      headers:
        X: "\${{ secrets.X }}"
`,
    ]],
  },
]);

/** Small texts: before, change, after. */
const SMALL: readonly (readonly [text: string, change: TextChange, after: string])[] = [
  ["a: {}\n", { path: ["a", "b"], value: 1 }, "a:\n  b: 1\n"],
  ["a:\n  b: 1 # one\n", { path: ["a", "b"], value: undefined }, "a: {}\n"],
  ["a:\n# note\n", { path: ["a", "b"], value: 1 }, "a:\n  b: 1\n# note\n"],
  ["a: null # note\n", { path: ["a", "b"], value: 1 }, "a: # note\n  b: 1\n"],
  ["a: { b: 1 }\n", { path: ["a", "c"], value: "x, y" }, 'a: { b: 1, c: "x, y" }\n'],
  ["a: 'x' # one\n", { path: ["a"], value: "it's" }, "a: 'it''s' # one\n"],
  ['a: "x"\n', { path: ["a"], value: "y" }, 'a: "y"\n'],
  ["a: x\n", { path: ["a"], value: "no" }, 'a: "no"\n'],
  ["a: x\n", { path: ["a"], value: "1.0" }, 'a: "1.0"\n'],
  ["a: x\n", { path: ["a"], value: "two\nlines" }, 'a: "two\\nlines"\n'],
  ["a: |\n  x\n  y\nb: 1\n", { path: ["a"], value: "z" }, "a: z\nb: 1\n"],
  ["a: []\n", { path: ["a", "0"], value: "x" }, "a: [x]\n"],
  ["a: []\n", { path: ["a", "0"], value: { b: 1, c: 2 } }, "a:\n  - b: 1\n    c: 2\n"],
  ["- a: 1\n  b: 2\n- c: 3\n", { path: ["0", "a"], value: undefined }, "- b: 2\n- c: 3\n"],
  ["- a: 1\n", { path: ["0"], value: undefined }, "[]\n"],
  [
    "a: &x { b: 1 }\nc:\n  <<: *x\n",
    { path: ["c", "b"], value: 2 },
    "a: &x { b: 1 }\nc:\n  <<: *x\n  b: 2\n",
  ],
  ["# only\n", { path: ["a"], value: 1 }, "# only\na: 1\n"],
  ["a: 1\r  \rb: 2\r", { path: ["c"], value: 3 }, "a: 1\r  \rb: 2\rc: 3\r"],
];

Deno.test(`small ${FORMAT} texts are changed as a person would`, async () => {
  for (const [text, change, after] of SMALL) {
    assert.equal(await edited(text, FORMAT, [change]), after, JSON.stringify(text));
  }
});

editingRules(FORMAT, writeYaml, true);
