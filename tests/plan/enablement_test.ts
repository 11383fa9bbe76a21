import assert from "node:assert/strict";
import { enablementOf, missingNames } from "../../src/plan/enablement.ts";
import { made, PROJECT, STORE, switches, USER } from "./made.ts";

Deno.test("a store's definition is off until a file that governs its store enables it", () => {
  const db = made("db", { command: "db" }, STORE);
  const off = enablementOf(db, [switches(["other"])]);
  assert.equal(off.workspace, "disabled");
  assert.match(off.reason?.hint ?? "", /mcp enable db/);
  assert.equal(off.unclaimed, true);
  const on = enablementOf(db, [switches(["db"])]);
  assert.deepEqual([on.workspace, on.reason, on.needsRecord, on.unclaimed], [
    "enabled",
    null,
    true,
    false,
  ]);
  const foreign = enablementOf(made("db", {}, { ...STORE, id: "ai4j" }), [switches(["db"])]);
  assert.equal(foreign.unclaimed, true);
});

Deno.test("any other definition is on until its file or the workspace switches it off", () => {
  for (const source of [USER, PROJECT]) {
    assert.equal(enablementOf(made("x", {}, source), []).reason, null);
    assert.notEqual(enablementOf(made("x", { enabled: false }, source), []).reason, null);
    const off = enablementOf(made("x", {}, source), [switches([], ["x"])]);
    assert.equal(off.workspace, "disabled");
    assert.match(off.reason?.message ?? "", /workspace\.json/);
  }
});

Deno.test("off wins over on, in every combination [G16]", () => {
  const db = made("db", {}, STORE);
  assert.notEqual(enablementOf(db, [switches(["db"], ["db"])]).reason, null);
  assert.notEqual(enablementOf(db, [switches(["db"]), switches([], ["db"])]).reason, null);
  const own = made("db", { enabled: false }, STORE);
  assert.notEqual(enablementOf(own, [switches(["db"])]).reason, null);
});

Deno.test("a name is missing when it is enabled, not switched off, and defined nowhere", () => {
  const files = [switches(["a", "b", "a", "__proto__"], ["b"]), switches(["a", "c"])];
  const missing = missingNames(files, new Set(["c"]));
  assert.deepEqual(missing.map(({ name }) => name), ["a", "__proto__"]);
  assert.match(missing[0]?.reason.message ?? "", /defined nowhere/);
});
