import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { HotplugError } from "../../src/model/errors.ts";
import { withFileLock } from "../../src/platform/file_lock.ts";
import { ownIdentity } from "../../src/platform/process_identity.ts";
import { withTempFolder } from "./real_processes.ts";

const NONCE = "00000000-0000-4000-8000-000000000000";

Deno.test("actions under one lock never overlap, and all of them run", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "guarded");
    let running = 0;
    let most = 0;
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, number) =>
        withFileLock(path, async () => {
          most = Math.max(most, ++running);
          await readdir(folder);
          running--;
          return number;
        })),
    );
    assert.equal(most, 1);
    assert.deepEqual(results, Array.from({ length: 12 }, (_, number) => number));
    assert.deepEqual(await readdir(folder), []);
  });
});

Deno.test("a lock file names its holder, belongs to its user alone and goes away", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "new", "guarded");
    await withFileLock(path, async () => {
      const holder = JSON.parse(await readFile(`${path}.lock`, "utf8"));
      assert.equal(holder.pid, Deno.pid);
      assert.equal((await stat(`${path}.lock`)).mode & 0o777, 0o600);
      assert.equal((await stat(join(folder, "new"))).mode & 0o777, 0o700);
    });
    assert.deepEqual(await readdir(join(folder, "new")), []);
  });
});

Deno.test("the lock is freed when its action throws", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "guarded");
    await assert.rejects(
      withFileLock(path, () => Promise.reject(new RangeError("on purpose"))),
      RangeError,
    );
    assert.deepEqual(await readdir(folder), []);
  });
});

Deno.test("the lock of a process that has ended is taken over, by one at a time", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "guarded");
    const stale = JSON.stringify({ ...ownIdentity(), started: "1", nonce: NONCE });
    for (let round = 0; round < 20; round++) {
      await writeFile(`${path}.lock`, stale);
      let running = 0;
      await Promise.all(Array.from({ length: 8 }, () =>
        withFileLock(path, async () => {
          assert.equal(++running, 1);
          await readdir(folder);
          running--;
        }, { timeoutMs: 5_000 })));
      assert.deepEqual(await readdir(folder), []);
    }
  });
});

Deno.test("a lock that names nobody is left over once it is old", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "guarded");
    for (const text of ["", "{", '{"pid":-1}', '{"pid":"1"}']) {
      await writeFile(`${path}.lock`, text);
      await assertTimesOut(path, "another program");
      await makeOlder(`${path}.lock`, 3);
      assert.equal(await withFileLock(path, () => Promise.resolve("mine")), "mine");
    }
  });
});

Deno.test("the lock of a process elsewhere counts until it is old", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "guarded");
    const holder = { space: "another container", pid: Deno.pid, started: "1", nonce: NONCE };
    await writeFile(`${path}.lock`, JSON.stringify(holder));
    await assertTimesOut(path, `process ${Deno.pid}`);
    await makeOlder(`${path}.lock`, 61);
    assert.equal(await withFileLock(path, () => Promise.resolve("mine")), "mine");
  });
});

Deno.test("waiting for a running holder ends at the time limit, and the lock stays", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "guarded");
    await withFileLock(path, async () => {
      await assertTimesOut(path, `process ${Deno.pid}`);
      assert.deepEqual(await readdir(folder), ["guarded.lock"]);
    });
  });
});

Deno.test("waiting ends when the caller gives up", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "guarded");
    await withFileLock(path, async () => {
      const caller = new AbortController();
      const waiting = withFileLock(path, () => assert.fail("it ran"), { signal: caller.signal });
      queueMicrotask(() => caller.abort());
      await assertRejects(waiting, "aborted");
    });
  });
});

Deno.test("a lock taken over meanwhile is not removed by its first holder", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "guarded");
    const other = JSON.stringify({ ...ownIdentity(), nonce: NONCE });
    await withFileLock(path, () => writeFile(`${path}.lock`, other));
    assert.equal(await readFile(`${path}.lock`, "utf8"), other);
  });
});

Deno.test("a lock that cannot be made is a failed write", async () => {
  await withTempFolder(async (folder) => {
    await writeFile(join(folder, "file"), "in the way");
    const path = join(folder, "file", "guarded");
    await assertRejects(withFileLock(path, () => assert.fail("it ran")), "write-failed");
  });
});

Deno.test("another program's lock, a folder, is waited for and never removed", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "guarded");
    await mkdir(`${path}.lock`);
    await makeOlder(`${path}.lock`, 3_600);
    await assertTimesOut(path, "another program");
    assert.deepEqual(await readdir(folder), ["guarded.lock"]);
    const waiting = withFileLock(path, () => Promise.resolve("ran"));
    await rm(`${path}.lock`, { recursive: true });
    assert.equal(await waiting, "ran");
  });
});

Deno.test({
  name: "a pipe in the place of a lock holds nobody up for ever",
  ignore: Deno.build.os === "windows",
  async fn(): Promise<void> {
    await withTempFolder(async (folder) => {
      const path = join(folder, "guarded");
      const made = await new Deno.Command("mkfifo", { args: [`${path}.lock`] }).output();
      assert.equal(made.code, 0);
      await makeOlder(`${path}.lock`, 3_600);
      await assertTimesOut(path, "another program");
    });
  },
});

async function assertTimesOut(path: string, holder: string): Promise<void> {
  const error = await assertRejects(
    withFileLock(path, () => assert.fail("it ran"), { timeoutMs: 30 }),
    "write-failed",
  );
  assert.equal(error.message, `Cannot lock "${path}.lock": ${holder} holds it`);
}

async function assertRejects(promise: Promise<unknown>, code: string): Promise<HotplugError> {
  try {
    await promise;
  } catch (thrown) {
    assert.ok(thrown instanceof HotplugError);
    assert.equal(thrown.code, code);
    return thrown;
  }
  return assert.fail("it did not fail");
}

async function makeOlder(path: string, seconds: number): Promise<void> {
  const then = new Date(Date.now() - seconds * 1_000);
  await utimes(path, then, then);
}
