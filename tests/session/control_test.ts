import assert from "node:assert/strict";
import { join } from "node:path";
import { createSession } from "../../src/session/create_session.ts";
import type { Machine } from "../../src/model/machine.ts";
import { liveSessions } from "../../src/control/live_sessions.ts";
import { hotplugFolders } from "../../src/platform/folders.ts";
import { machineOf, makeTempHome } from "../harness/temp_home.ts";

async function inHome(test: (machine: Machine) => Promise<void>): Promise<void> {
  const home = await makeTempHome();
  try {
    await test(machineOf(home));
  } finally {
    await home.remove();
  }
}

const live = (machine: Machine): ReturnType<typeof liveSessions> =>
  liveSessions({ machine, folders: hotplugFolders(machine) });

Deno.test("a session can be found and steered from its first moment to its last", async () => {
  await inHome(async (machine) => {
    const session = await createSession({ machine, host: "pi" });
    const [found] = await live(machine);
    assert.deepEqual(found?.info, session.info);
    assert.equal(found?.info.workspacePath, machine.cwd);
    assert.deepEqual(await found?.status(), session.status());
    assert.equal((await found?.reload())?.generation, session.generation);
    await session.close();
    assert.deepEqual(await live(machine), []);
  });
});

Deno.test("a session that is to be left alone leaves no record", async () => {
  await inHome(async (machine) => {
    await using _session = await createSession({ machine, control: false });
    assert.deepEqual(await live(machine), []);
    await assert.rejects(() => Deno.stat(join(hotplugFolders(machine).state, "sessions")));
  });
});

Deno.test("a session that is given up while it starts leaves no record", async () => {
  await inHome(async (machine) => {
    const given = new AbortController();
    const session = createSession({ machine, signal: given.signal });
    given.abort();
    await assert.rejects(session, { code: "aborted" });
    assert.deepEqual(await live(machine), []);
  });
});
