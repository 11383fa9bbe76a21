import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cutForTerminal } from "../../src/cli/long_text.ts";
import { progressText } from "../../src/cli/progress_line.ts";
import { saveFiles } from "../../src/cli/result_files.ts";
import { fileNote, resultPieces } from "../../src/cli/result_text.ts";
import type { JsonObject, JsonValue } from "../../src/model/json.ts";
import type { CallToolResult } from "../../src/model/tool.ts";

function result(content: readonly JsonObject[], structuredContent?: JsonValue): CallToolResult {
  return {
    content,
    isError: false,
    raw: {},
    ...(structuredContent === undefined ? {} : { structuredContent }),
  };
}

/** What is printed for some content. */
function printed(content: readonly JsonObject[]): readonly string[] {
  return resultPieces(result(content)).map((piece) =>
    piece.kind === "text" ? piece.text : fileNote(piece, null)
  );
}

Deno.test("bytes are a note with kind, type and size [E05]", () => {
  const megabyte = btoa("x".repeat(1_024 * 1_024));
  assert.deepEqual(
    printed([
      { type: "text", text: "look" },
      { type: "image", data: megabyte, mimeType: "image/png" },
      { type: "audio", data: "AAAA" },
      { type: "resource", resource: { uri: "file:///a.bin", blob: "AAAA" } },
      { type: "image", data: "no base64!", mimeType: "image/png" },
    ]),
    [
      "look",
      "[image image/png 1.0 MB]",
      "[audio application/octet-stream 3 B]",
      "[resource file:///a.bin application/octet-stream 3 B]",
      "[image image/png 10 characters that are no base64]",
    ],
  );
});

Deno.test("resources give their text, links their address, unknown kinds their JSON", () => {
  assert.deepEqual(
    printed([
      { type: "resource", resource: { uri: "a://b", text: "inside" } },
      { type: "resource_link", name: "n", uri: "a://b", mimeType: "text/plain" },
      { type: "hologram", x: 1 },
      { type: "text" },
    ]),
    [
      "inside",
      "[resource link n a://b text/plain]",
      '{"type":"hologram","x":1}',
      '{"type":"text"}',
    ],
  );
});

Deno.test("structured content is shown when there is no other", () => {
  assert.deepEqual(resultPieces(result([], { a: 1 })), [{ kind: "text", text: '{\n  "a": 1\n}' }]);
  assert.equal(resultPieces(result([{ type: "text", text: "a is 1" }], { a: 1 })).length, 1);
  assert.deepEqual(resultPieces(result([])), []);
});

Deno.test("files are saved inside the folder, under harmless names, over nothing [E11]", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hotplug-files-"));
  try {
    const out = join(folder, "deep", "out");
    const pieces = resultPieces(result([
      { type: "text", text: "no file" },
      { type: "resource", resource: { uri: "file:///../../.bashrc", blob: btoa("one") } },
      { type: "resource", resource: { uri: "file:///x/.bashrc", blob: btoa("two") } },
      { type: "image", data: btoa("three"), mimeType: "image/png" },
      { type: "image", data: "???", mimeType: "image/png" },
    ]));
    const paths = await saveFiles(pieces, out);
    assert.deepEqual([paths[0], paths[4]], [null, null]);
    assert.equal(new Set(paths.slice(1, 4)).size, 3);
    assert.deepEqual(await readdir(folder), ["deep"]);
    assert.equal((await readdir(out)).length, 3);
    for (const [index, text] of [[1, "one"], [2, "two"], [3, "three"]] as const) {
      const path = paths[index] ?? "";
      assert.ok(path.startsWith(`${out}/`), path);
      assert.equal(await readFile(path, "utf8"), text);
      assert.equal((await stat(path)).mode & 0o777, 0o600);
    }
    assert.equal(
      fileNote(pieces[3] as Extract<typeof pieces[number], { kind: "file" }>, "/out/image-4.png"),
      "[image image/png 5 B saved to /out/image-4.png]",
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

Deno.test("a folder that cannot be made is a write failure", async () => {
  const pieces = resultPieces(result([{ type: "image", data: "AAAA" }]));
  await assert.rejects(saveFiles(pieces, "/dev/null/x"), { code: "write-failed" });
});

Deno.test("a terminal gets the beginning of a huge text and a notice [E07]", () => {
  assert.deepEqual(cutForTerminal("short"), { text: "short", cut: null });
  const { text, cut } = cutForTerminal("0123456789\n".repeat(10_000));
  assert.ok(text.length <= 50_000 && text.endsWith("9"));
  assert.equal(cut, "the first 48.8 KB of 107.4 KB are shown; write to a file or pipe for all");
});

Deno.test("progress is shown with its share and an escaped message", () => {
  assert.equal(
    progressText({ progress: 3, total: 12, message: "copy\x1b[2J" }),
    "3/12 (25%) copy\\x1b[2J",
  );
  assert.equal(progressText({ progress: 3 }), "3");
});
