import assert from "node:assert/strict";

import {
  afterFailure,
  afterHandshake,
  afterItems,
  afterListChanged,
  afterTools,
  type HandshakeFacts,
} from "../../src/cache/entry_update.ts";
import type { ErrorInfo } from "../../src/model/errors.ts";
import { madeEntry, madeItem, madeListing, madeTool } from "./made.ts";

const FAILURE: ErrorInfo = { code: "start-timeout", message: "Not ready", hint: null };
const MODERN = { era: "modern", version: "2026-07-28" } as const;

Deno.test("a list read in full replaces the old one whole and ends staleness and failure", () => {
  const before = madeEntry({ stale: true, failure: { error: FAILURE, at: 5 } });
  const listing = madeListing([madeTool("three")], { ttlMs: 7, cacheScope: "private" });
  assert.deepEqual(afterTools(before, listing, 2000), {
    ...before,
    tools: listing.items,
    readAt: 2000,
    ttlMs: 7,
    cacheScope: "private",
    stale: false,
    failure: null,
  });
  assert.deepEqual(afterTools(before, madeListing([]), 2000).tools, []);
});

Deno.test("a failure keeps the last good lists and says when it was [D17]", () => {
  const before = madeEntry({ resources: [madeItem("doc://1")] });
  assert.deepEqual(afterFailure(before, FAILURE, 2000), {
    ...before,
    eraAt: 0,
    failure: { error: FAILURE, at: 2000 },
  });
  assert.equal(afterFailure(null, FAILURE, 2000).tools, null);
});

Deno.test("only the end of a failed server's stderr is kept", () => {
  const stderr = `${"x".repeat(10_000)}end`;
  const kept = afterFailure(null, { ...FAILURE, stderr }, 1).failure?.error.stderr ?? "";
  assert.equal(kept, stderr.slice(-4096));
});

Deno.test("another version of a server makes its lists stale, not gone", () => {
  const before = madeEntry();
  const next = afterHandshake(before, {
    server: { name: "srv", version: "2" },
    protocol: MODERN,
    at: 2000,
  });
  assert.equal(next.stale, true);
  assert.equal(next.tools, before.tools);
  assert.deepEqual([next.server?.version, next.protocol, next.eraAt], ["2", MODERN, 2000]);
  const same = afterHandshake(before, {
    server: { name: "srv", version: "1" },
    protocol: MODERN,
    at: 2000,
  });
  assert.equal(same.stale, false);
});

Deno.test("a handshake alone does not forget a failure", () => {
  const before = afterFailure(madeEntry(), FAILURE, 5);
  const facts = { server: { name: "srv", version: "1" }, protocol: MODERN, at: 2000 };
  assert.deepEqual(afterHandshake(before, facts).failure, { error: FAILURE, at: 5 });
});

Deno.test("other lists of another version of the server have no time any more", () => {
  const before = madeEntry({ resources: [], itemReads: { resources: { at: 1, ttlMs: null } } });
  const facts = (version: string): HandshakeFacts => ({
    server: { name: "srv", version },
    protocol: MODERN,
    at: 2000,
  });
  assert.deepEqual(afterHandshake(before, facts("1")).itemReads, before.itemReads);
  assert.deepEqual(afterHandshake(before, facts("2")).itemReads, {});
});

Deno.test("other lists leave the tools and their time alone", () => {
  const before = madeEntry({ stale: true });
  const items = [madeItem("doc://1")];
  for (const kind of ["resources", "resourceTemplates", "prompts"] as const) {
    assert.deepEqual(afterItems(before, kind, madeListing(items, { ttlMs: 9 }), 2000), {
      ...before,
      [kind]: items,
      itemReads: { [kind]: { at: 2000, ttlMs: 9 } },
    });
  }
});

Deno.test("an announced change makes the lists stale", () => {
  assert.deepEqual(afterListChanged(madeEntry()), madeEntry({ stale: true }));
});
