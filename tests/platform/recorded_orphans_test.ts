import assert from "node:assert/strict";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { ownIdentity } from "../../src/platform/process_identity.ts";
import { startOfNew } from "../../src/platform/process_starts.ts";
import { endRecorded, type Processes } from "../../src/platform/recorded_orphans.ts";
import { endShell, eventually, isRunning, startShell, withTempFolder } from "./real_processes.ts";

/** A host that is gone: no process has such an id. */
const GONE = { ...ownIdentity(), pid: 4_194_304, started: "1" };

type Server = readonly [pid: number, started: string];

/** Writes a record as a host does. */
function writeRecord(folder: string, host: object, servers: readonly Server[], name = "1-a"): void {
  const lines = [{ host }, ...servers.map(([pid, started]) => ({ pid, started }))];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(folder, `${name}.jsonl`), text);
}

/** Processes of another system: the ids that exist and their starts; the signals it was sent. */
function fakeProcesses(
  starts: Readonly<Record<number, string | null>>,
): Processes & { readonly signals: string[] } {
  const signals: string[] = [];
  const left = new Map(Object.entries(starts).map(([pid, start]) => [Number(pid), start]));
  return {
    space: "here",
    signals,
    exists: (pid) => left.has(Math.abs(pid)),
    starts: (pids) =>
      Promise.resolve(
        new Map(pids.flatMap((pid) => {
          const start = left.get(pid) ?? null;
          return start === null ? [] : [[pid, start] as const];
        })),
      ),
    signal: (pid, name) => {
      signals.push(`${name} ${pid}`);
      left.delete(pid);
    },
  };
}

Deno.test("recorded servers of a host that is gone are ended without any mark [B03]", async () => {
  await withTempFolder(async (folder) => {
    const script = `trap "" TERM; echo ready; while :; do sleep 60; done`;
    const groups = await Promise.all([startShell(script, ""), startShell("exec cat", "")]);
    await new Promise((resolve) => groups[0].stdout.once("data", resolve));
    writeRecord(folder, GONE, groups.map(({ pid }) => [pid, startOfNew(pid)]));
    assert.equal(await endRecorded(folder, { graceMs: 50 }), 2);
    await eventually(() => !groups.some(({ pid }) => isRunning(pid)));
    assert.deepEqual(readdirSync(folder), []);
    for (const group of groups) await endShell(group, "");
  });
});

Deno.test("nothing of a live host is ended, nor a process that took an old id [B03]", async () => {
  await withTempFolder(async (folder) => {
    const group = await startShell("exec cat", "");
    writeRecord(folder, ownIdentity(), [[group.pid, startOfNew(group.pid)]], "live");
    writeRecord(folder, GONE, [[group.pid, "1"]], "old");
    assert.equal(await endRecorded(folder), 0);
    assert.equal(group.isAlive(), true);
    assert.deepEqual(readdirSync(folder), ["live.jsonl"]);
    await endShell(group, "");
  });
});

Deno.test("where the clock tells of starts, a host is spared and a server ended by likeness", async () => {
  const near = (pid: number, at: number): { space: string; pid: number; started: string } => ({
    space: "here",
    pid,
    started: `@${at}`,
  });
  const cases: readonly [string, object, Readonly<Record<number, string | null>>, string[]][] = [
    ["host gone, same start", near(10, 0), { 20: "@1500" }, ["SIGTERM 20"]],
    ["host gone, server's id taken later", near(10, 0), { 20: "@9000" }, []],
    ["host gone, start not told", near(10, 0), { 20: null }, []],
    ["host runs", near(10, 0), { 10: "@30000", 20: "@1500" }, []],
    ["host's start not told", near(10, 0), { 10: null, 20: "@1500" }, []],
    ["host's id taken later", near(10, 0), { 10: "@90000", 20: "@1500" }, ["SIGTERM 20"]],
    ["another machine", { ...near(10, 0), space: "there" }, { 20: "@1500" }, []],
  ];
  for (const [what, host, starts, expected] of cases) {
    await withTempFolder(async (folder) => {
      writeRecord(folder, host, [[20, "@2000"]]);
      const processes = fakeProcesses(starts);
      assert.equal(await endRecorded(folder, { processes }), expected.length, what);
      assert.deepEqual(processes.signals, expected, what);
      const isKept = /not told|host runs|another machine/.test(what);
      assert.equal(readdirSync(folder).length, isKept ? 1 : 0, what);
    });
  }
});

Deno.test("a server that outlives the grace is killed, unless its id is another process by then", async () => {
  for (const [later, expected] of [["@2000", ["SIGKILL 20"]], ["@99000", []]] as const) {
    await withTempFolder(async (folder) => {
      writeRecord(folder, { space: "here", pid: 10, started: "@0" }, [[20, "@2000"]]);
      const signals: string[] = [];
      let start = "@2000";
      await endRecorded(folder, {
        graceMs: 1,
        processes: {
          space: "here",
          exists: (pid) => Math.abs(pid) === 20,
          starts: () => Promise.resolve(new Map([[20, start]])),
          signal: (pid, name) => {
            signals.push(`${name} ${pid}`);
            start = later;
          },
        },
      });
      assert.deepEqual(signals, ["SIGTERM 20", ...expected]);
    });
  }
});

Deno.test("what cannot be read, and records of elsewhere, are removed when they are old", async () => {
  await withTempFolder(async (folder) => {
    writeRecord(folder, { ...GONE, space: "elsewhere" }, [], "elsewhere");
    writeFileSync(join(folder, "torn.jsonl"), '{"host":{');
    writeFileSync(join(folder, "1-a.jsonl.tmp"), "");
    assert.equal(await endRecorded(folder), 0);
    assert.equal(readdirSync(folder).length, 3);
    const old = Date.now() / 1_000 - 31 * 86_400;
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), old, old);
    assert.equal(await endRecorded(folder), 0);
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(await endRecorded(join(folder, "nowhere")), 0);
  });
});
