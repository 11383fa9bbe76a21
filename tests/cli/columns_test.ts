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
