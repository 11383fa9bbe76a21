import assert from "node:assert/strict";
import fc from "fast-check";
import { LineBuffer, LineTooLongError } from "../../src/connection/line_buffer.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

Deno.test("lines are the same however the bytes are cut", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme" }).map((line) => line.replace(/[\r\n\ufeff]/g, ""))),
      fc.array(fc.nat(12)),
      (lines, cuts) => {
        const all = bytes(lines.map((line) => `${line}\n`).join(""));
        const buffer = new LineBuffer({ maxBytes: 10_000, overflow: "fail" });
        const got: string[] = [];
        let at = 0;
        for (const cut of cuts) {
          got.push(...buffer.push(all.subarray(at, at + cut)));
          at += cut;
        }
        got.push(...buffer.push(all.subarray(at)));
        assert.deepEqual(got, lines);
        assert.equal(buffer.flush(), null);
      },
    ),
  );
});

Deno.test("both line ends are cut off, and the rest is kept for the end", () => {
  const buffer = new LineBuffer({ maxBytes: 100, overflow: "fail" });
  assert.deepEqual(buffer.push(bytes("a\r\nb\n\nc\r")), ["a", "b", ""]);
  assert.deepEqual(buffer.push(bytes("\nd")), ["c"]);
  assert.equal(buffer.flush(), "d");
  assert.equal(buffer.flush(), null);
});

Deno.test("a line at the limit passes and one byte more fails [C03]", () => {
  const buffer = new LineBuffer({ maxBytes: 4, overflow: "fail" });
  assert.deepEqual(buffer.push(bytes("abcd\n")), ["abcd"]);
  assert.deepEqual(buffer.push(bytes("ž")), []);
  assert.throws(() => buffer.push(bytes("žž")), LineTooLongError);
});

Deno.test("with cut a line gives its start as soon as it is too long, and nothing more", () => {
  const buffer = new LineBuffer({ maxBytes: 4, overflow: "cut" });
  assert.deepEqual(buffer.push(bytes("abcd")), []);
  assert.deepEqual(buffer.push(bytes("efghij")), ["abcd"]);
  assert.deepEqual(buffer.push(bytes("k\nl\n\nmnopq")), ["l", "", "mnop"]);
  assert.equal(buffer.flush(), null);
  assert.deepEqual(buffer.push(bytes("r\ns")), []);
  assert.equal(buffer.flush(), "s");
});

Deno.test("a line of 32 MB in small chunks takes linear time [C03]", () => {
  const buffer = new LineBuffer({ maxBytes: 64 << 20, overflow: "fail" });
  const chunk = bytes("x".repeat(4096));
  const started = performance.now();
  for (let i = 0; i < 8192; i++) buffer.push(chunk);
  assert.equal(buffer.push(bytes("\n"))[0]?.length, 32 << 20);
  assert.ok(performance.now() - started < 3_000);
});
