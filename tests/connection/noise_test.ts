import assert from "node:assert/strict";
import { Noise, quoted } from "../../src/connection/noise.ts";

Deno.test("noise is one sentence with count and first line [I06]", () => {
  const noise = new Noise();
  assert.equal(noise.warning(), null);
  noise.add("hello");
  assert.match(noise.warning() ?? "", /^Skipped 1 line on stdout .*"hello"$/);
  noise.add("again");
  assert.match(noise.warning() ?? "", /^Skipped 2 lines .*"hello"$/);
});

Deno.test("a quoted text is escaped and cut", () => {
  assert.equal(quoted("a\u001b[1m\u202eb\u200b\u0085"), '"a\\u001b[1m\\u202eb\\u200b\\u0085"');
  assert.equal(quoted("x".repeat(200)).length, 123);
});
