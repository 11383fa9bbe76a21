import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { shellWord, withCommandWords, withShellWords } from "../../src/sources/command_words.ts";

Deno.test("a command takes its arguments along where there are no others [A37]", () => {
  const words = { command: "npx", args: ["-y", "a b"] };
  assert.deepEqual(withCommandWords({ command: "npx -y 'a b'" }), words);
  assert.deepEqual(withCommandWords({ command: "npx -y 'a b'", args: [] }), words);
  for (
    const entry of [
      { command: "npx" },
      { command: "my program", args: ["a"] },
      { command: ["npx", "a b"] },
      { command: "a b", args: "c" },
      { url: "https://a.example" },
    ]
  ) {
    assert.deepEqual(withCommandWords(entry), entry);
  }
});

Deno.test("a line of a shell is taken apart whatever part of it stands where", () => {
  const words = { command: "npx", args: ["-y", "a b", "5"] };
  assert.deepEqual(withShellWords({ command: "npx -y", args: ["'a b'", 5] }), words);
  assert.deepEqual(withShellWords({ command: "npx" }), { command: "npx" });
  for (
    const entry of [{ command: "a", args: [{}] }, { command: " " }, { command: "a", args: "b" }]
  ) {
    assert.deepEqual(withShellWords(entry), entry);
  }
});

Deno.test("whatever the words are, a line of them gives the same words again", () => {
  const word = fc.string({ minLength: 1 }).filter((text) => !/[\0\r]/.test(text));
  fc.assert(fc.property(word, fc.array(word), (command, args) => {
    const line = { command: shellWord(command), args: args.map(shellWord) };
    const { command: read, args: others = [] } = withShellWords(line);
    assert.deepEqual([read, others], [command, args]);
  }));
});

Deno.test({
  name: "a real shell takes each word for one",
  ignore: Deno.build.os === "windows",
  fn: () => {
    const words = ["plain", "two words", "it's", '"', "$HOME", "`id`", "a;b", "*", "\\", ""];
    const line = `printf '%s\\0' ${words.map(shellWord).join(" ")}`;
    const printed = execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" });
    assert.deepEqual(printed.split("\0").slice(0, -1), words);
  },
});
