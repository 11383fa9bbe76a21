import assert from "node:assert/strict";

import { base64Bytes, readBase64, sizeText } from "../../src/tools/base64_data.ts";

Deno.test("a data: prefix, white space, the URL-safe alphabet and missing padding are read [E06]", () => {
  assert.deepEqual(readBase64("data:image/png;base64,AAAA"), {
    data: "AAAA",
    size: 3,
    mimeType: "image/png",
  });
  assert.equal(readBase64(" AA\r\nAA\n").data, "AAAA");
  assert.equal(readBase64("-_-_").data, "+/+/");
  assert.deepEqual(readBase64("QQ"), { data: "QQ==", size: 1, mimeType: null });
  assert.equal(readBase64("data:;base64,QUI=").data, "QUI=");
});

Deno.test("what is no base64 is told apart and never throws [E06]", () => {
  for (const text of ["***", "A", "AAAAA", "data:image/png;base64,%%", "日本"]) {
    assert.equal(readBase64(text).data, null, text);
  }
});

Deno.test("the picture's own bytes say its type", () => {
  const encode = (bytes: string): string => btoa(bytes);
  assert.equal(readBase64(encode("\x89PNG\r\n\x1a\n....")).mimeType, "image/png");
  assert.equal(readBase64(encode("\xff\xd8\xff\xe0....")).mimeType, "image/jpeg");
  assert.equal(readBase64(encode("GIF89a....")).mimeType, "image/gif");
  assert.equal(readBase64(encode("RIFF\x01\x02\x03\x04WEBPVP8 ")).mimeType, "image/webp");
  assert.equal(readBase64(encode("RIFF\x01\x02\x03\x04WAVEfmt ")).mimeType, null);
});

Deno.test("read base64 decodes to its bytes, of the size that was told", () => {
  const { data, size } = readBase64("_-8 ");
  assert.deepEqual(base64Bytes(data ?? ""), new Uint8Array([0xff, 0xef]));
  assert.equal(size, 2);
});

Deno.test("sizes are told in units that fit", () => {
  assert.deepEqual([512, 1536, 3 * 1024 * 1024].map(sizeText), ["512 B", "1.5 KB", "3.0 MB"]);
});
