import assert from "node:assert/strict";

import {
  areItemsFresh,
  freshUntil,
  isFresh,
  knownProtocol,
  listAge,
} from "../../src/cache/freshness.ts";
import { madeEntry } from "./made.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

Deno.test("a list is fresh for 15 minutes when its server says nothing", () => {
  assert.equal(isFresh(madeEntry(), 1000), true);
  assert.equal(isFresh(madeEntry(), 1000 + 15 * MINUTE - 1), true);
  assert.equal(isFresh(madeEntry(), 1000 + 15 * MINUTE), false);
});

Deno.test("a list is fresh for as long as its server says, a day at most", () => {
  assert.equal(isFresh(madeEntry({ ttlMs: 0 }), 1000), false);
  assert.equal(isFresh(madeEntry({ ttlMs: 20 * MINUTE }), 1000 + 19 * MINUTE), true);
  assert.equal(isFresh(madeEntry({ ttlMs: 20 * MINUTE }), 1000 + 20 * MINUTE), false);
  assert.equal(isFresh(madeEntry({ ttlMs: 400 * DAY }), 1000 + DAY), false);
});

Deno.test("stale, failed, missing and future lists are never fresh", () => {
  const error = { code: "server-exited", message: "Ended", hint: null } as const;
  assert.equal(isFresh(madeEntry({ stale: true }), 1000), false);
  assert.equal(isFresh(madeEntry({ failure: { error, at: 1000 } }), 1000), false);
  assert.equal(isFresh(madeEntry({ tools: null }), 1000), false);
  assert.equal(isFresh(madeEntry(), 999), false);
});

Deno.test("until when a list is fresh is told beforehand, by the same rule", () => {
  assert.equal(freshUntil(madeEntry()), 1000 + 15 * MINUTE);
  assert.equal(freshUntil(madeEntry({ ttlMs: 20 * MINUTE })), 1000 + 20 * MINUTE);
  assert.equal(freshUntil(madeEntry({ ttlMs: 400 * DAY })), 1000 + DAY);
  const error = { code: "server-exited", message: "Ended", hint: null } as const;
  for (const parts of [{ stale: true }, { tools: null }, { failure: { error, at: 1000 } }]) {
    assert.equal(freshUntil(madeEntry(parts)), null);
  }
});

Deno.test("an empty list is a list", () => {
  assert.equal(isFresh(madeEntry({ tools: [] }), 1000), true);
});

Deno.test("the age of a list is told only when there is one", () => {
  assert.equal(listAge(madeEntry(), 3500), 2500);
  assert.equal(listAge(madeEntry(), 500), 0);
  assert.equal(listAge(madeEntry({ tools: null }), 3500), null);
});

Deno.test("a protocol is known for seven days", () => {
  const entry = madeEntry();
  assert.deepEqual(knownProtocol(entry, 1000 + 7 * DAY - 1), entry.protocol);
  assert.equal(knownProtocol(entry, 1000 + 7 * DAY), null);
  assert.equal(knownProtocol(null, 1000), null);
});

Deno.test("other lists are fresh by their own time, all of them, and not after a failure", () => {
  const both = madeEntry({
    resources: [],
    prompts: [],
    itemReads: { resources: { at: 2000, ttlMs: null }, prompts: { at: 5000, ttlMs: 10 } },
  });
  assert.equal(areItemsFresh(both, ["resources"], 2000 + 15 * MINUTE - 1), true);
  assert.equal(areItemsFresh(both, ["resources"], 2000 + 15 * MINUTE), false);
  assert.equal(areItemsFresh(both, ["resources", "prompts"], 5009), true);
  assert.equal(areItemsFresh(both, ["resources", "prompts"], 5010), false);
  assert.equal(areItemsFresh(both, ["resourceTemplates"], 2000), false);
  assert.equal(areItemsFresh({ ...both, stale: true }, ["resources"], 2000), false);
  const error = { code: "server-exited", message: "Ended", hint: null } as const;
  assert.equal(areItemsFresh({ ...both, failure: { error, at: 1 } }, ["resources"], 2000), false);
});

Deno.test("a list that was remembered before its time was is not fresh", () => {
  assert.equal(areItemsFresh(madeEntry({ resources: [] }), ["resources"], 1000), false);
});
