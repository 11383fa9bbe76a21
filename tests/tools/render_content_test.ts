import assert from "node:assert/strict";

import type { JsonObject } from "../../src/model/json.ts";
import { renderContent } from "../../src/tools/render_content.ts";

const PNG = btoa("\x89PNG\r\n\x1a\n0123456789");

function rendered(block: JsonObject): unknown {
  return renderContent([block]).content[0];
}

function text(body: string): unknown {
  return { type: "text", text: body };
}

Deno.test("a picture stays a picture in clean base64 and of its real type [E05]", () => {
  assert.deepEqual(
    rendered({ type: "image", mimeType: "image/jpeg", data: `data:image/jpeg;base64,\n${PNG}` }),
    { type: "image", data: PNG, mimeType: "image/png" },
  );
  assert.deepEqual(
    rendered({ type: "image", mimeType: "image/svg+xml", data: "PHN2Zz4=" }),
    { type: "image", data: "PHN2Zz4=", mimeType: "image/svg+xml" },
  );
});

Deno.test("a picture of broken data becomes a line and a warning [E06]", () => {
  const { content, warnings } = renderContent([
    { type: "image", mimeType: "image/png", data: "!not base64!" },
    { type: "text", text: "after" },
  ]);
  assert.deepEqual(content[1], text("after"));
  assert.deepEqual(content[0], text("[image image/png, 12 characters that are not base64]"));
  assert.equal(warnings.length, 1);
});

Deno.test("audio is told by type and size", () => {
  assert.deepEqual(
    rendered({ type: "audio", mimeType: "audio/wav", data: btoa("x".repeat(2048)) }),
    text("[audio audio/wav, 2.0 KB]"),
  );
});

Deno.test("an embedded resource gives its text under its URI", () => {
  assert.deepEqual(
    rendered({ type: "resource", resource: { uri: "doc://1", text: "hello" } }),
    text("[resource doc://1]\nhello"),
  );
});

Deno.test("a resource of empty text falls to its blob, then to its URI [E10]", () => {
  assert.deepEqual(
    rendered({
      type: "resource",
      resource: { uri: "doc://1", text: "", blob: btoa("%PDF-"), mimeType: "application/pdf" },
    }),
    text("[resource doc://1 application/pdf, 5 B]"),
  );
  assert.deepEqual(
    rendered({ type: "resource", resource: { uri: "doc://1", text: "" } }),
    text("[resource doc://1]"),
  );
});

Deno.test("a picture in a resource is a picture", () => {
  assert.deepEqual(
    rendered({ type: "resource", resource: { uri: "doc://1", mimeType: "image/png", blob: PNG } }),
    { type: "image", data: PNG, mimeType: "image/png" },
  );
});

Deno.test("a link says name, place, type, size and description", () => {
  assert.deepEqual(
    rendered({
      type: "resource_link",
      uri: "file:///a.txt",
      name: "a.txt",
      mimeType: "text/plain",
      size: 2048,
      description: "the file",
    }),
    text("[resource link a.txt file:///a.txt (text/plain, 2.0 KB)]\nthe file"),
  );
});

Deno.test("unknown kinds and broken blocks are kept as JSON", () => {
  const odd: readonly JsonObject[] = [
    { type: "hologram", data: 1 },
    { type: "text" },
    { type: "image" },
    { type: "resource", resource: null },
    { type: "resource_link" },
    { text: "no type" },
  ];
  for (const block of odd) assert.deepEqual(rendered(block), text(JSON.stringify(block)));
});

Deno.test("hidden characters are taken out of what a model reads [H04]", () => {
  assert.deepEqual(rendered({ type: "text", text: "a\u{e0041}b" }), text("ab"));
});
