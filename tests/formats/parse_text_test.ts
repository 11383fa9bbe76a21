import assert from "node:assert/strict";
import fc from "fast-check";
import { editText } from "../../src/formats/edit_text.ts";
import { parseText, type TextFormat } from "../../src/formats/parse_text.ts";

const FORMATS: readonly TextFormat[] = ["jsonc", "toml", "yaml"];

/** Pieces of which texts are made that are nearly right. */
const piece = fc.constantFrom(
  ..."{}[],:\"'\\/*#=.&!|>%@`-?~ \t\n\r".split(""),
  "\r\n",
  "\n  ",
  "\n- ",
  "a: ",
  "b = ",
  "[t]\n",
  "[[t]]\n",
  '"k"',
  "1",
  "true",
  "null",
  "<<: ",
  "*x ",
  "&x ",
  "---\n",
  "...\n",
  "'''",
  '"""',
  "//",
  "/*",
  "2026-01-31",
  "\u0000",
  "\ud800",
  "é",
  "\ufeff",
);

Deno.test("no text makes a parser or an editor throw, and every fault has a place in the text", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 25 }),
      fc.constantFrom(...FORMATS),
      async (pieces, format) => {
        const text = pieces.join("");
        const result = await parseText(text, format);
        for (const value of [1, undefined, { a: ["x"] }]) {
          const edit = await editText(text, format, [{ path: ["a", "b"], value }]);
          if (!result.ok) assert.ok(!edit.ok, "a text that does not parse is never changed");
        }
        if (result.ok) return void JSON.stringify(result.document.value);
        const lines = text.split(/\r\n|\r|\n/);
        const { line, column } = result.place;
        assert.ok(line >= 1 && line <= lines.length, `line ${line} of ${lines.length}`);
        assert.ok(column >= 1 && column <= (lines[line - 1] ?? "").length + 1, `column ${column}`);
      },
    ),
    { numRuns: 2_000 },
  );
});

Deno.test("the parsers that strict JSON does not need are not loaded for it", async () => {
  const info = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "src/formats/parse_text.ts"],
    cwd: new URL("../../", import.meta.url),
    env: { NO_COLOR: "1" },
  }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(info.stdout)) as {
    readonly modules: readonly {
      readonly specifier: string;
      readonly dependencies?: readonly {
        readonly isDynamic?: boolean;
        readonly code?: { readonly specifier?: string };
      }[];
    }[];
  };
  const start = modules.find(({ specifier }) => specifier.endsWith("/formats/parse_text.ts"));
  const reached = new Set([start?.specifier]);
  for (const specifier of reached) {
    const found = modules.find((module) => module.specifier === specifier);
    for (const { isDynamic, code } of found?.dependencies ?? []) {
      if (isDynamic !== true && code?.specifier !== undefined) reached.add(code.specifier);
    }
  }
  const names = [...reached].join("\n");
  assert.match(names, /\/formats\/jsonc\.ts/);
  assert.doesNotMatch(
    names,
    /jsonc-parser|smol-toml|toml-eslint|npm:\/?yaml|\/formats\/(?:toml|yaml)/,
  );
});
