import assert from "node:assert/strict";
import type { TextChange } from "../../src/formats/edit_text.ts";
import { checkEdits } from "./edit_cases.ts";
import { edited, editingRules } from "./editing_rules.ts";
import { writeJsonc } from "./random_jsonc.ts";

const FORMAT = "jsonc";

const ZED = `// Zed settings
//
// For information on how to configure Zed, see the documentation
{
  "ui_font_size": 16,
  "theme": {
    "mode": "system", // follows the desktop
    "light": "One Light",
    "dark": "One Dark",
  },
  "context_servers": {
    // Reads the database
    "postgres": {
      "source": "custom",
      "command": "npx",
      "args": ["-y", "@zed/postgres-mcp"],
      "env": {
        "DATABASE_URL": "postgres://localhost/x", // local only
      },
    },
  },
  /* keep last */
  "buffer_font_size": 15,
}
`;

const SERVER = { command: "npx", args: ["-y", "pkg"], env: { A: "b" } };

checkEdits(FORMAT, "Zed's settings.json", ZED, [
  {
    name: "a server is added after the last one, with its trailing comma",
    changes: [{ path: ["context_servers", "x"], value: SERVER }],
    replaced: [[
      `      },
    },
  },
`,
      `      },
    },
    "x": {
      "command": "npx",
      "args": ["-y", "pkg"],
      "env": {
        "A": "b"
      }
    },
  },
`,
    ]],
  },
  {
    name: "the only server is removed, and the comment above it stays",
    changes: [{ path: ["context_servers", "postgres"], value: undefined }],
    replaced: [[ZED.slice(ZED.indexOf('    "postgres"'), ZED.indexOf("  },\n  /* keep")), ""]],
  },
  {
    name: "scalars are replaced, added and removed beside comments",
    changes: [
      { path: ["theme", "mode"], value: "dark" },
      { path: ["theme", "dark"], value: undefined },
      { path: ["context_servers", "postgres", "env", "X"], value: "1" },
      { path: ["context_servers", "postgres", "args", "2"], value: "--x" },
    ],
    replaced: [
      ['"system", // follows', '"dark", // follows'],
      ['    "dark": "One Dark",\n', ""],
      ["// local only\n", '// local only\n        "X": "1",\n'],
      ['postgres-mcp"]', 'postgres-mcp", "--x"]'],
    ],
  },
  {
    name: "a whole server is set, and only what differs is written",
    changes: [{
      path: ["context_servers", "postgres"],
      value: {
        source: "custom",
        command: "node",
        args: ["-y", "@zed/postgres-mcp"],
        env: { DATABASE_URL: "postgres://localhost/y" },
      },
    }],
    replaced: [['"command": "npx"', '"command": "node"'], ["localhost/x", "localhost/y"]],
  },
  {
    name: "missing parents are made after the last key",
    changes: [{ path: ["agent", "tools", "a"], value: true }],
    replaced: [[
      '"buffer_font_size": 15,\n',
      '"buffer_font_size": 15,\n  "agent": {\n    "tools": {\n      "a": true\n    }\n  },\n',
    ]],
  },
]);

/** Small texts: before, change, after. */
const SMALL: readonly (readonly [text: string, change: TextChange, after: string])[] = [
  ["{}", { path: ["a", "b"], value: 1 }, '{\n  "a": {\n    "b": 1\n  }\n}'],
  ['{"a":1}', { path: ["b"], value: { c: [1, 2] } }, '{"a":1,"b":{"c":[1,2]}}'],
  ['{ "a": 1 }\n', { path: ["b"], value: 2 }, '{ "a": 1, "b": 2 }\n'],
  ['{ "a": 1, }', { path: ["b"], value: 2 }, '{ "a": 1, "b": 2, }'],
  ['{ "a": 1 /* one */ }', { path: ["b"], value: 2 }, '{ "a": 1, /* one */ "b": 2 }'],
  [
    '{\n\t"a": 1 // one\n}',
    { path: ["b"], value: { c: 2 } },
    '{\n\t"a": 1, // one\n\t"b": {\n\t\t"c": 2\n\t}\n}',
  ],
  ['{\r    "a": 1\r}\r', { path: ["b"], value: 2 }, '{\r    "a": 1,\r    "b": 2\r}\r'],
  [
    '{\n  "a": 1, // one\n  "b": 2 // two\n}',
    { path: ["a"], value: undefined },
    '{\n  "b": 2 // two\n}',
  ],
  [
    '{\n  "a": 1, // one\n  "b": 2 // two\n}',
    { path: ["b"], value: undefined },
    '{\n  "a": 1 // one\n}',
  ],
  [
    '{\n  // of a\n  "a": 1\n  // last\n}',
    { path: ["a"], value: undefined },
    "{\n  // of a\n  // last\n}",
  ],
  ['{ "a": 1, "b": 2, "c": 3 }', { path: ["b"], value: undefined }, '{ "a": 1, "c": 3 }'],
  ["[1, 2, 3]", { path: ["1"], value: undefined }, "[1, 3]"],
  ['{"a": [\n  1,\n  2\n]}', { path: ["a", "2"], value: 3 }, '{"a": [\n  1,\n  2,\n  3\n]}'],
  ["// nothing yet", { path: ["a"], value: 1 }, '// nothing yet\n{\n  "a": 1\n}\n'],
  ['{ "a": null }', { path: ["a", "b"], value: 1 }, '{ "a": { "b": 1 } }'],
];

Deno.test(`small ${FORMAT} texts are changed as a person would`, async () => {
  for (const [text, change, after] of SMALL) {
    assert.equal(await edited(text, FORMAT, [change]), after, JSON.stringify(text));
  }
});

editingRules(FORMAT, writeJsonc, true);
