import assert from "node:assert/strict";
import { tableLines } from "../../src/cli/columns.ts";

Deno.test("columns are as wide as their widest cell and leave no space at the end", () => {
  const lines = tableLines(
    [{ title: "NAME" }, { title: "TOOLS", align: "right" }, { title: "TIME" }],
    [[{ text: "a" }, { text: "3" }, { text: "" }], [{ text: "longer" }, { text: "12" }, {
      text: "1.0s",
    }]],
  );
  assert.deepEqual(lines, ["NAME    TOOLS  TIME", "a           3", "longer     12  1.0s"]);
});

Deno.test("wide characters take two columns", () => {
  const lines = tableLines([{ title: "A" }, { title: "B" }], [
    [{ text: "日本" }, { text: "x" }],
    [{ text: "abcd" }, { text: "y" }],
  ]);
  assert.deepEqual(lines, ["A     B", "日本  x", "abcd  y"]);
});

Deno.test("a column's bound and the terminal's width cut with an ellipsis", () => {
  const lines = tableLines([{ title: "A", most: 4 }, { title: "B" }], [
    [{ text: "abcdefgh" }, { text: "a long description that does not fit" }],
  ], { width: 20 });
  assert.deepEqual(lines, ["A     B", "abc…  a long descri…"]);
});

Deno.test("paint is added after the padding, so that it changes no width", () => {
  const paint = (text: string): string => `<${text}>`;
  const lines = tableLines([{ title: "A" }, { title: "B" }], [
    [{ text: "x", paint }, { text: "y" }],
    [{ text: "long" }, { text: "z" }],
  ]);
  assert.deepEqual(lines, ["A     B", "<x>     y", "long  z"]);
});

Deno.test("where room is short columns are narrowed, then left out, the most spare first", () => {
  const columns = [
    { title: "NAME" },
    { title: "KIND", spare: 2 },
    { title: "PATH", least: 8, keep: "end" },
    { title: "TIME", spare: 1 },
  ] as const;
  const row = ["name", "kind", "/a/long/path/to.json", "12ms"].map((text) => ({ text }));
  const at = (width: number): readonly string[] => tableLines(columns, [row], { width });
  assert.deepEqual(at(40)[1], "name  kind  /a/long/path/to.json  12ms");
  assert.deepEqual(at(30)[1], "name  kind  …ath/to.json  12ms");
  assert.deepEqual(at(24)[1], "name  …ath/to.json  12ms");
  assert.deepEqual(at(14), ["NAME  PATH", "name  …to.json"]);
  assert.deepEqual(at(5), at(14), "what may not go stays");
});
