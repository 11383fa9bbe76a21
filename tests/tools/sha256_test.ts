import assert from "node:assert/strict";

import { sha256HexNow } from "../../src/tools/sha256.ts";

async function reference(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

Deno.test("sha256HexNow() gives the digest of the standard's own examples", () => {
  assert.equal(
    sha256HexNow("abc"),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  assert.equal(
    sha256HexNow(""),
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
});

Deno.test("sha256HexNow() agrees with Web Crypto at every length around the block borders", async () => {
  for (let length = 0; length <= 200; length++) {
    const text = "é\0x".repeat(length).slice(0, length);
    assert.equal(sha256HexNow(text), await reference(text), `length ${length}`);
  }
});
