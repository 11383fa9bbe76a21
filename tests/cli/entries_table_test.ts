import assert from "node:assert/strict";
import type { EntryServer, ListedEntry } from "../../src/cli/documents.ts";
import { entriesLines } from "../../src/cli/entries_table.ts";

const SINK = { colour: false, columns: null };

function entry(key: string, description = ""): ListedEntry {
  return { server: "s", key, name: key, description, item: {} };
}

function server(name: string, cachedAgeMs: number | null): EntryServer {
  return { name, state: "connected", cachedAgeMs, error: null, warnings: [] };
}

const uris = (entries: readonly ListedEntry[]): Parameters<typeof entriesLines>[0] => [
  { title: "URI", words: ["resource", "resources"], entries },
  { title: "TEMPLATE", words: ["template", "templates"], entries: [] },
];

Deno.test("lists stand under their headings, an empty one is a count alone", () => {
  assert.deepEqual(entriesLines(uris([entry("file:///a", "About a")]), [server("s", null)], SINK), [
    "SERVER  URI        DESCRIPTION",
    "s       file:///a  About a",
    "",
    "1 resource, 0 templates",
  ]);
  assert.deepEqual(entriesLines(uris([]), [], SINK), ["0 resources, 0 templates"]);
});

Deno.test("what was only remembered is told with its age", () => {
  const text = (...servers: readonly EntryServer[]): string | undefined =>
    entriesLines(uris([]), servers, SINK).at(-1);
  assert.equal(text(server("a", 5_000)), "0 resources, 0 templates (a: read 5.0s ago)");
  assert.equal(
    text(server("a", 5_000), server("b", null), server("c", 61_000)),
    "0 resources, 0 templates (a, c: read up to 1m01s ago)",
  );
});

Deno.test("on a narrow terminal the key stays and the description goes", () => {
  const long = entry("file:///a/very/long/path/of/a/file.txt", "What is in it");
  const lines = entriesLines(uris([long]), [], { colour: false, columns: 40 });
  assert.ok(lines.every((line) => line.length <= 40), lines.join("\n"));
  assert.match(lines[1] ?? "", /file:\/\/\/a\/very\/long/);
  assert.doesNotMatch(lines.join(), /What is/);
});
