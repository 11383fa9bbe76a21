import assert from "node:assert/strict";
import fc from "fast-check";

import { entryText, parseEntry } from "../../src/cache/entry_json.ts";
import { afterFailure } from "../../src/cache/entry_update.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { madeEntry, madeItem, madeTool } from "./made.ts";

const KEY = "ab".repeat(32);

function changed(change: (value: Record<string, unknown>) => void): string {
  const value = JSON.parse(entryText(KEY, madeEntry())) as Record<string, unknown>;
  change(value);
  return JSON.stringify(value);
}

Deno.test("an entry comes back as it was written", () => {
  const entry = afterFailure(
    madeEntry({
      tools: [
        madeTool("plain"),
        {
          ...madeTool("repaired"),
          raw: { name: "repaired", description: null, inputSchema: null },
        },
        {
          ...madeTool("told"),
          title: "Told",
          annotations: { readOnlyHint: true },
          outputSchema: { type: "object" },
        },
        { ...madeTool("withheld", { title: "T", annotations: { a: 1 } }), title: null },
      ],
      resources: [madeItem("doc://1"), { ...madeItem("doc://2"), key: "other", name: "" }],
      resourceTemplates: [],
      itemReads: { resources: { at: 7, ttlMs: null }, resourceTemplates: { at: 8, ttlMs: 9 } },
      ttlMs: 5,
      cacheScope: "public",
      stale: true,
    }),
    {
      code: "server-exited",
      message: "Ended",
      hint: "Look",
      causes: ["a", "b"],
      processExitCode: 1,
      processSignal: "SIGTERM",
      stderr: "boom",
    },
    9,
  );
  assert.deepEqual(parseEntry(KEY, entryText(KEY, entry)), entry);
});

Deno.test("what a server's own item says is written once", () => {
  const text = entryText(KEY, madeEntry({ tools: [madeTool("one")] }));
  assert.equal(text.split("About one").length - 1, 1);
});

Deno.test("another version, another key, torn and foreign files are misses [D16]", () => {
  const text = entryText(KEY, madeEntry());
  assert.notEqual(parseEntry(KEY, text), null);
  assert.equal(parseEntry("cd".repeat(32), text), null);
  for (let end = 0; end < text.length; end += 7) {
    assert.equal(parseEntry(KEY, text.slice(0, end)), null);
  }
  for (const other of ["", "null", "[]", "{}", '"x"', "\0\0\0", `${text}}`]) {
    assert.equal(parseEntry(KEY, other), null);
  }
  for (const version of [0, 2, "1", null]) {
    assert.equal(parseEntry(KEY, changed((value) => value["schemaVersion"] = version)), null);
  }
});

Deno.test("a field of another kind is a miss [D16]", () => {
  const fields = [
    "tools",
    "resources",
    "resourceTemplates",
    "prompts",
    "server",
    "protocol",
    "readAt",
    "eraAt",
    "ttlMs",
    "cacheScope",
    "stale",
    "failure",
  ];
  for (const field of fields) {
    for (const value of [undefined, "text", [1], { a: 1 }]) {
      assert.equal(parseEntry(KEY, changed((entry) => entry[field] = value)), null, field);
    }
  }
});

Deno.test("nothing that can stand in a file makes reading fail [D16]", () => {
  const anything = fc.dictionary(
    fc.constantFrom("tools", "server", "protocol", "readAt", "failure", "__proto__", "stale"),
    fc.jsonValue(),
  );
  fc.assert(fc.property(anything, (fields) => {
    const text = changed((value) => Object.assign(value, fields as JsonObject));
    const entry = parseEntry(KEY, text);
    assert.ok(entry === null || typeof entry.readAt === "number");
  }));
});

Deno.test("times of other lists that are not sound are left out, the entry stays", () => {
  for (const itemReads of [undefined, 3, { resources: { at: "x", ttlMs: null } }]) {
    const entry = parseEntry(KEY, changed((value) => value["itemReads"] = itemReads));
    assert.deepEqual(entry?.itemReads, {});
    assert.equal(entry?.tools?.length, 2);
  }
});
