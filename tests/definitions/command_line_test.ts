import assert from "node:assert/strict";
import { splitCommandLine } from "../../src/definitions/command_line.ts";

Deno.test("a line is split into words as a shell would split plain text [A37]", () => {
  const cases: [string, string[]][] = [
    ["npx -y some-mcp /tmp", ["npx", "-y", "some-mcp", "/tmp"]],
    [`run  "my server.ts"\t--x='a "b"'`, ["run", "my server.ts", `--x=a "b"`]],
    [`a\\ b "c\\"d" ''`, ["a b", 'c"d', ""]],
    ["C:\\dir\\x.exe -f", ["C:\\dir\\x.exe", "-f"]],
    [`"open quote`, ["open quote"]],
    ["  ", []],
  ];
  for (const [line, words] of cases) assert.deepEqual(splitCommandLine(line), words);
});
