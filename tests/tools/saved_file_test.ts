import assert from "node:assert/strict";
import { readFile, stat, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import fc from "fast-check";

import { safeFileName, saveNewFile } from "../../src/tools/saved_file.ts";

function nameFrom(from: string, mimeType: string | null = null): string {
  return safeFileName({ from, mimeType, fallback: "result" });
}

Deno.test("a file name never leads out of its folder [E11]", () => {
  assert.equal(nameFrom("file:///../../.bashrc"), "bashrc");
  assert.equal(nameFrom("..\\..\\evil.exe"), "evil.exe");
  assert.equal(nameFrom("file:///%2e%2e%2fetc%2Fpasswd"), "passwd");
  assert.equal(nameFrom("../.."), "result");
  assert.equal(nameFrom("https://x.org/a/b.png?size=1/2#c"), "b.png");
});

Deno.test("control and hidden characters, device names and long names are made harmless [E11]", () => {
  assert.equal(nameFrom("a\n\x1bb\u202egnp.txt"), "abgnp.txt");
  assert.equal(nameFrom("CON.txt"), "_CON.txt");
  assert.equal(nameFrom("a:b*c?.txt"), "a_b_c_.txt");
  const long = nameFrom(`${"名".repeat(300)}.png`);
  assert.ok(new TextEncoder().encode(long).length <= 120);
  assert.ok(long.endsWith("名.png"));
});

Deno.test("a name without ending gets one by media type", () => {
  assert.equal(nameFrom("chart", "image/png"), "chart.png");
  assert.equal(nameFrom("", "text/plain; charset=utf-8"), "result.txt");
  assert.equal(nameFrom("chart.gif", "image/png"), "chart.gif");
});

Deno.test("every name is a short plain part of a path", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 400 }), (from) => {
    const name = nameFrom(from, "image/png");
    assert.equal(basename(name), name);
    assert.ok(name !== "" && !name.startsWith(".") && !/[/\\\0]/.test(name));
    assert.ok(new TextEncoder().encode(name).length <= 120);
  }));
});

Deno.test("saving never writes over a file or through a link [E11]", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const outside = join(folder, "outside");
    await symlink(outside, join(folder, "a.png"));
    const first = await saveNewFile(folder, "a.png", "1");
    const second = await saveNewFile(folder, "a.png", new Uint8Array([50]));
    assert.deepEqual([first, second].map((path) => basename(path)), ["a-2.png", "a-3.png"]);
    assert.equal(await readFile(second, "utf8"), "2");
    assert.equal((await stat(first)).mode & 0o777, 0o600);
    await assert.rejects(stat(outside));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("saving into a folder that is not there says so", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await assert.rejects(saveNewFile(join(folder, "none"), "a.png", ""), { code: "write-failed" });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
