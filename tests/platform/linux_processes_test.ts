import assert from "node:assert/strict";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";

import { processIds, processStat, processVariable } from "../../src/platform/linux_processes.ts";
import { spawnGroup } from "../../src/platform/process_group.ts";
import { endShell, withTempFolder } from "./real_processes.ts";

Deno.test("a process is described, whatever its program is called", async () => {
  await withTempFolder(async (folder) => {
    const program = join(folder, "a) Z (b");
    await copyFile("/bin/cat", program);
    const env = { FIRST: "1", SECOND: "two = 2", EMPTY: "" };
    const group = await spawnGroup({ program, args: [], cwd: "/", env, mark: "" });
    assert.equal(processIds().includes(group.pid), true);
    const stat = processStat(group.pid);
    assert.equal(stat?.ended, false);
    assert.equal(stat?.group, group.pid);
    assert.match(stat?.started ?? "", /^\d+$/);
    assert.equal(processVariable(group.pid, "FIRST"), "1");
    assert.equal(processVariable(group.pid, "SECOND"), "two = 2");
    assert.equal(processVariable(group.pid, "EMPTY"), "");
    assert.equal(processVariable(group.pid, "ECOND"), null);
    assert.equal(processVariable(group.pid, "two "), null);
    await endShell(group, "");
    assert.equal(processStat(group.pid), null);
    assert.equal(processVariable(group.pid, "FIRST"), null);
  });
});

/** Runs a program in a process namespace of its own that has the `/proc` of this one. */
const APART = ["--user", "--map-root-user", "--pid", "--fork"];
const CAN_BE_APART = await new Deno.Command("unshare", { args: [...APART, "true"] }).output()
  .then(({ success }) => success, () => false);

Deno.test({
  name: "where /proc tells of other processes than can be signalled, nothing is read of it",
  ignore: !CAN_BE_APART,
  fn: async () => {
    const source = (file: string): string =>
      JSON.stringify(new URL(`../../src/platform/${file}`, import.meta.url).href);
    const program = `
      import { endGroup } from ${source("end_group.ts")};
      import { newMark } from ${source("live_groups.ts")};
      import { processIds, processStat } from ${source("linux_processes.ts")};
      import { markedProcesses } from ${source("marked_processes.ts")};
      import { spawnGroup } from ${source("process_group.ts")};
      const mark = newMark();
      const group = await spawnGroup({
        program: "/bin/sh", args: ["-c", "cat; true"], cwd: "/", env: { PATH: "/usr/bin:/bin" }, mark,
      });
      const seen = [processIds(), processStat(Deno.pid), markedProcesses()];
      await endGroup(group, mark, { stdinGraceMs: 5_000 });
      console.log(JSON.stringify([...seen, group.isAlive()]));`;
    const { stdout, stderr } = await new Deno.Command("unshare", {
      args: [...APART, Deno.execPath(), "eval", program],
    }).output();
    const text = new TextDecoder();
    assert.equal(text.decode(stdout), "[[],null,[],false]\n", text.decode(stderr));
  },
});
