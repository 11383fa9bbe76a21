import assert from "node:assert/strict";
import type { OffSwitch } from "../../src/model/definition.ts";
import type { SourceInfo } from "../../src/model/source.ts";
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

Deno.test("what switches a server off beside its entry is named, with a command only if it works", () => {
  const path = "/home/me/settings.json";
  const keyPath = ["mcp", "excluded"];
  const list: OffSwitch = { list: "mcp.excluded", path, remedy: 'Take "x" out of it' };
  const items = { kind: "items", scope: "user", keyPath, items: ["x"] } as const;
  const editable = { ...USER, keyPath: ["mcpServers", "x"] };
  const reason = (source: SourceInfo, ...switchedOffBy: readonly OffSwitch[]): unknown => {
    const off = { ...made("x", { enabled: false }, source), switchedOffBy };
    const { message, hint } = enablementOf(off, []).reason ?? {};
    return [message, hint];
  };
  const message = `Switched off by "mcp.excluded" of "${path}"`;
  const command = "To switch it on in that file: mcp enable --in-place x";
  assert.deepEqual(reason(editable, { ...list, undo: items }), [message, command]);
  assert.deepEqual(reason(editable, list), [message, list.remedy]);
  assert.deepEqual(reason(editable, { ...list, undo: items }, { ...list, remedy: "Ask" }), [
    message,
    "Ask",
  ]);
  // No edit touches what a package brings, nor what the machine's manager wrote.
  assert.deepEqual(reason(USER, { ...list, undo: items }), [message, list.remedy]);
  assert.deepEqual(reason({ ...editable, scope: "managed" }, { ...list, undo: items }), [
    message,
    list.remedy,
  ]);
  assert.deepEqual(reason(USER, { ...list, list: null }), [
    `Switched off by "${path}"`,
    list.remedy,
  ]);
  const own = enablementOf(made("x", { enabled: false }, editable), []).reason;
  assert.deepEqual([own?.message, own?.hint], [`Switched off in "${USER.path}"`, command]);
  const bundled = enablementOf(made("x", { enabled: false }, USER), []).reason;
  assert.equal(bundled?.hint, `Switch it on in "${USER.path}"`);
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
