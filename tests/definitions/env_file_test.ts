import assert from "node:assert/strict";
import { parseEnvFile, withEnvFile } from "../../src/definitions/env_file.ts";

Deno.test("an env file gives its names and values with any quotes and line ends", () => {
  const text = [
    "# note",
    "",
    "A=1",
    "export B = two words # note",
    `C="x\\n\\"y\\" # kept" # note`,
    "D='\\n $A'",
    "E=",
    "F=a#b",
    "not a line",
    "A=last",
    "__proto__=p",
    'G="open',
  ].join("\r\n");
  assert.deepEqual(Object.entries(parseEnvFile(text)), [
    ["A", "last"],
    ["B", "two words"],
    ["C", 'x\n"y" # kept'],
    ["D", "\\n $A"],
    ["E", ""],
    ["F", "a#b"],
    ["__proto__", "p"],
    ["G", '"open'],
  ]);
});

Deno.test("an entry's own env wins over its file", () => {
  const config = { env: { A: "mine", GONE: null }, headers: {} };
  assert.deepEqual(withEnvFile(config, "A=file\nB=file\nGONE=file").env, {
    A: "mine",
    B: "file",
    GONE: null,
  });
});
