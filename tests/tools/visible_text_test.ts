import assert from "node:assert/strict";
import { mock } from "node:test";

import { cutToWidth, displayWidth } from "../../src/tools/display_width.ts";
import { printable } from "../../src/tools/visible_text.ts";

Deno.test("control, direction and invisible characters are shown escaped [H04]", () => {
  assert.equal(printable("a\x1b[31mb\x07"), "a\\x1b[31mb\\u{7}");
  assert.equal(printable("x\u202ey\u200bz\u{e0041}"), "x\\u{202e}y\\u{200b}z\\u{e0041}");
  assert.equal(printable("1\r\n2\t3\u2028"), "1\\r\\n2\\t3\\u{2028}");
  assert.equal(printable("\x9b31m \ud800"), "\\u{9b}31m \\u{d800}");
});

Deno.test("what a reader sees stays as it is", () => {
  for (const text of ["plain", "Grüße 日本語", "👩‍👩‍👧"]) assert.equal(printable(text), text);
});

Deno.test("multiline texts keep line breaks and tabs and nothing else", () => {
  assert.equal(printable("a\r\nb\n\tc\rd\x1b", { multiline: true }), "a\nb\n\tc\\rd\\x1b");
});

Deno.test("long texts are cut by display width [D18]", () => {
  assert.equal(printable("abcdef", { maxWidth: 4 }), "abc…");
  assert.equal(printable("日本語日本語", { maxWidth: 5 }), "日本…");
  assert.equal(printable("ab\ncdefg", { multiline: true, maxWidth: 3 }), "ab\ncd…");
  assert.equal(printable("x".repeat(200_000), { maxWidth: 10 }), `${"x".repeat(9)}…`);
  assert.equal(printable("e" + "\u0301".repeat(5000), { maxWidth: 10 }).at(-1), "…");
});

Deno.test("display width counts what a terminal shows", () => {
  const widths: Record<string, number> = {
    "": 0,
    "abc": 3,
    "日本": 4,
    "é": 1,
    "e\u0301": 1,
    "👍": 2,
    "👩‍👩‍👧": 2,
    "❤️": 2,
    "✓": 1,
    "ｆ": 2,
  };
  for (const [text, width] of Object.entries(widths)) assert.equal(displayWidth(text), width, text);
});

Deno.test("cutting never goes over the width and keeps what fits", () => {
  assert.equal(cutToWidth("日本語", 6), "日本語");
  assert.equal(cutToWidth("日本語", 5), "日本…");
  assert.equal(cutToWidth("日本語", 4), "日…");
  assert.equal(cutToWidth("abc", 0), "");
  assert.equal(cutToWidth("👩‍👩‍👧abc", 3), "👩‍👩‍👧…");
});

Deno.test("European scripts, quotes and line drawing are measured without a segmenter", async () => {
  // A second copy of the module, which has made no segmenter yet.
  const fresh: typeof import("../../src/tools/display_width.ts") = await import(
    `../../src/tools/display_width.ts${"#fresh"}`
  );
  const segmenter = mock.method(Intl, "Segmenter", () => {
    throw new Error("A segmenter was made");
  });
  try {
    assert.equal(fresh.displayWidth("Grüße – „Ωμέγα“ → Москва…"), 25);
    assert.equal(fresh.cutToWidth("a long description", 8), "a long …");
    assert.equal(fresh.displayWidth("a long …"), 8);
    assert.throws(() => fresh.displayWidth("日本"), /A segmenter was made/);
  } finally {
    segmenter.mock.restore();
  }
});

Deno.test("a character is as wide alone as beside one that needs a segmenter", () => {
  // The blocks of which some characters are measured without one.
  for (const [first, last] of [[0x20, 0x52f], [0x2000, 0x25ff]] as const) {
    for (let code = first; code <= last; code++) {
      const character = String.fromCodePoint(code);
      const beside = displayWidth(`漢${character}漢`) - displayWidth("漢漢");
      assert.equal(displayWidth(character), beside, `U+${code.toString(16)}`);
    }
  }
});
