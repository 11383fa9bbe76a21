import assert from "node:assert/strict";

import {
  isSameStart,
  ownStart,
  processStarts,
  startOfNew,
} from "../../src/platform/process_starts.ts";
import { endShell, startShell } from "./real_processes.ts";

/** Whether this system has the `ps` that is asked where there is no `/proc`. */
const HAS_PS = await Deno.stat("/bin/ps").then(() => true, () => false);

Deno.test("the start of a process is told by /proc, and the same as when it was new [B03]", async () => {
  const group = await startShell("exec cat", "");
  const recorded = startOfNew(group.pid);
  const starts = await processStarts([Deno.pid, group.pid, 4_194_304]);
  assert.deepEqual([...starts], [[Deno.pid, ownStart()], [group.pid, recorded]]);
  assert.equal(isSameStart(recorded, ownStart(), 60_000), false);
  await endShell(group, "");
});

Deno.test({
  name: "ps tells the start of a process to the second [B03]",
  ignore: !HAS_PS,
  fn: async () => {
    const before = Date.now();
    const group = await startShell("exec cat", "");
    const asked = { platform: "darwin", proc: false };
    const starts = await processStarts([Deno.pid, group.pid, 4_194_304], asked);
    assert.deepEqual(new Set(starts.keys()), new Set([Deno.pid, group.pid]));
    const start = starts.get(group.pid) ?? "";
    assert.ok(isSameStart(`@${before}`, start, 2_000), `${before} and ${start}`);
    assert.equal(isSameStart(`@${before - 60_000}`, start, 2_000), false);
    await endShell(group, "");
  },
});

Deno.test("what ps prints is read in its own time zone, and an ended process is no running one", async () => {
  const starts = await processStarts([12, 345], {
    platform: "darwin",
    proc: false,
    ask: (file, args, env) => {
      assert.deepEqual([file, ...args], ["/bin/ps", "-o", "pid=,stat=,lstart=", "-p", "12,345"]);
      assert.deepEqual(env, { LC_ALL: "C", TZ: "UTC0" });
      return Promise.resolve(
        "   12 Ss+  Thu Sep  3 10:00:07 2026\n  345 Z    Thu Sep  3 10:00:07 2026    \n",
      );
    },
  });
  assert.equal(starts.get(12), `@${Date.UTC(2026, 8, 3, 10, 0, 7)}`);
  assert.equal(
    isSameStart(`@${Date.UTC(2026, 8, 3, 10, 0, 7)}`, starts.get(345) ?? "", 1e9),
    false,
  );
});

Deno.test("Windows is asked through its own PowerShell, by its absolute path", async () => {
  const starts = await processStarts([12], {
    platform: "win32",
    proc: false,
    systemRoot: "D:\\Windows",
    ask: (file, args) => {
      assert.equal(file, "D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe");
      assert.match(args.at(-1) ?? "", /Get-Process -Id 12 /);
      return Promise.resolve("12 2026-09-03T10:00:07.250Z\r\n");
    },
  });
  assert.deepEqual([...starts], [[12, `@${Date.UTC(2026, 8, 3, 10, 0, 7, 250)}`]]);
});

Deno.test("a system that does not answer tells of no process", async () => {
  const asked = { platform: "win32", proc: false, systemRoot: undefined };
  const answers = ["", "Get-Process : Access denied\r\n", "12 \r\n", "12 never\r\n"];
  for (const answer of answers) {
    const ask = (): Promise<string> => Promise.resolve(answer);
    assert.equal((await processStarts([12], { ...asked, ask })).size, 0, answer);
  }
  const ask = (): Promise<string> => assert.fail("nobody was asked for");
  assert.equal((await processStarts([], { ...asked, ask })).size, 0);
});
