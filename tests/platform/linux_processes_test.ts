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
