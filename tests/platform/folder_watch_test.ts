import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { Logger } from "../../src/model/log.ts";
import {
  FolderWatch,
  type FolderWatchOptions,
  POLL_MS,
  type WatchOne,
} from "../../src/platform/folder_watch.ts";
import { machineClock } from "../../src/runtime/clock.ts";
import { FakeClock } from "../runtime/fake_clock.ts";

/** A folder of its own, and a watch that counts what it is told. */
interface Watched {
  readonly root: string;
  readonly watch: FolderWatch;
  readonly log: string[];
  /** Events since the last question; waits until there is one. */
  noticed(): Promise<void>;
  /** Lets what is under way arrive, and forgets it. */
  quiet(): Promise<void>;
  readonly count: () => number;
}

async function withWatch(
  test: (watched: Watched) => Promise<void>,
  options: Partial<FolderWatchOptions> = {},
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "hotplug-watch-" }));
  const log: string[] = [];
  const logger: Logger = { log: (_level, message) => void log.push(message) };
  let events = 0;
  const watch = new FolderWatch({
    clock: machineClock,
    log: logger,
    onEvent: () => events++,
    isSilent: () => false,
    ...options,
  });
  try {
    await test({
      root,
      watch,
      log,
      count: () => events,
      async noticed(): Promise<void> {
        await until(() => events > 0);
        await pause(60);
        events = 0;
      },
      async quiet(): Promise<void> {
        await pause(120);
        events = 0;
      },
    });
  } finally {
    watch.close();
    assert.equal(watch.size, 0);
    await Deno.remove(root, { recursive: true });
  }
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!holds()) {
    if (performance.now() > deadline) assert.fail("Nothing was noticed");
    await pause(5);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms));
}

Deno.test("a file that editors replace by another is seen each time [G03]", async () => {
  await withWatch(async ({ root, watch, noticed }) => {
    const path = join(root, "mcp.json");
    await Deno.writeTextFile(path, "1");
    assert.equal(watch.arm([{ path }]), true);
    assert.equal(watch.arm([{ path }]), false);
    const saves: readonly (() => Promise<void>)[] = [
      // jq . f > t && mv t f, VS Code, sed -i
      async () => {
        await Deno.writeTextFile(join(root, "t"), "2");
        await Deno.rename(join(root, "t"), path);
      },
      // vim with a backup
      async () => {
        await Deno.rename(path, `${path}~`);
        await Deno.writeTextFile(path, "3");
        await Deno.remove(`${path}~`);
      },
      () => Deno.writeTextFile(path, "4"),
      () => Deno.remove(path),
      () => Deno.writeTextFile(path, "5"),
    ];
    for (const save of [...saves, ...saves]) {
      await save();
      await noticed();
      assert.equal(watch.arm([{ path }]), false);
    }
  });
});

Deno.test("a file is seen that appears in folders which were not there [G03]", async () => {
  await withWatch(async ({ root, watch, noticed }) => {
    const path = join(root, "a", "b", "mcp.json");
    watch.arm([{ path }]);
    await Deno.mkdir(join(root, "a"));
    await noticed();
    assert.equal(watch.arm([{ path }]), true);
    await Deno.mkdir(dirname(path));
    await noticed();
    assert.equal(watch.arm([{ path }]), true);
    await Deno.writeTextFile(path, "1");
    await noticed();
  });
});

Deno.test("a folder that is removed, moved away or exchanged goes on being watched [G03]", async () => {
  await withWatch(async ({ root, watch, noticed, quiet }) => {
    const folder = join(root, "config");
    const path = join(folder, "mcp.json");
    await Deno.mkdir(folder);
    watch.arm([{ path }]);
    for (const away of [() => Deno.remove(folder, { recursive: true }), () => moved(folder)]) {
      await away();
      await noticed();
      watch.arm([{ path }]);
      await Deno.mkdir(folder);
      await noticed();
      assert.equal(watch.arm([{ path }]), true);
      await quiet();
      await Deno.writeTextFile(path, "1");
      await noticed();
    }
  });

  async function moved(folder: string): Promise<void> {
    await Deno.rename(folder, `${folder}.old`);
  }
});

Deno.test({
  name: "what a link leads to is watched, and the link itself [G03]",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withWatch(async ({ root, watch, noticed, quiet }) => {
      const path = join(root, "home", "mcp.json");
      const [first, second] = [join(root, "one", "a.json"), join(root, "two", "b.json")];
      for (const file of [path, first, second]) {
        await Deno.mkdir(dirname(file));
        if (file !== path) await Deno.writeTextFile(file, "1");
      }
      await Deno.symlink(first, path);
      watch.arm([{ path }]);
      await Deno.writeTextFile(first, "2");
      await noticed();
      await Deno.remove(path);
      await Deno.symlink(second, path);
      await noticed();
      assert.equal(watch.arm([{ path }]), true);
      await quiet();
      await Deno.writeTextFile(second, "2");
      await noticed();
    }),
});

Deno.test({
  name: "a link's exchange that the system does not tell is seen at the next look [G03]",
  ignore: Deno.build.os === "windows",
  async fn(): Promise<void> {
    const clock = new FakeClock();
    const watchOne: WatchOne = () => ({ close(): void {} });
    await withWatch(async ({ root, watch, log, count }) => {
      const path = join(root, "mcp.json");
      const [first, second] = [join(root, "a.json"), join(root, "b.json")];
      for (const file of [first, second]) await Deno.writeTextFile(file, "1");
      await Deno.symlink(first, path);
      watch.arm([{ path }]);
      await clock.turn(POLL_MS);
      assert.equal(count(), 0);
      await Deno.remove(path);
      await Deno.symlink(second, path);
      await clock.turn(POLL_MS);
      assert.equal(count(), 1);
      assert.deepEqual(log, []);
      watch.close();
      await clock.turn(0);
      assert.equal(clock.waiting, 0);
    }, { clock, watchOne });
  },
});

Deno.test("other files of a folder are nobody's business, but of a folder of files the list is", async () => {
  await withWatch(async ({ root, watch, count, quiet, noticed }) => {
    const path = join(root, "mcp.json");
    watch.arm([{ path }]);
    for (let index = 0; index < 100; index++) {
      await Deno.writeTextFile(join(root, `other-${index}`), "1");
    }
    await pause(150);
    assert.equal(count(), 0);
    assert.equal(watch.arm([{ path }, { path: root, isFolder: true }]), true);
    await quiet();
    await Deno.writeTextFile(join(root, "other-1"), "2");
    await pause(150);
    assert.equal(count(), 0);
    await Deno.writeTextFile(join(root, "other"), "1");
    await noticed();
    await Deno.remove(join(root, "other"));
    await noticed();
  });
});

Deno.test("a change is not lost in a storm that the system cannot tell of one by one", async () => {
  await withWatch(async ({ root, watch, noticed }) => {
    const path = join(root, "mcp.json");
    watch.arm([{ path }]);
    storm(root, path);
    await noticed();
  });

  /** At once, so that no event can be taken meanwhile. */
  function storm(root: string, path: string): void {
    for (let index = 0; index < 1_000; index++) {
      Deno.writeTextFileSync(join(root, `other-${index}`), "1");
      if (index === 500) Deno.writeTextFileSync(path, "1");
    }
  }
});

Deno.test("a folder that cannot be watched is looked at every two seconds, which is said once", async () => {
  const clock = new FakeClock();
  const errors: ((error: unknown) => void)[] = [];
  const watchOne: WatchOne = (_folder, { error }) => {
    errors.push(error);
    if (errors.length === 1) throw Object.assign(new Error("full"), { code: "EMFILE" });
    return { close(): void {} };
  };
  await withWatch(async ({ root, watch, log, count }) => {
    const path = join(root, "mcp.json");
    watch.arm([{ path }]);
    for (const error of errors.slice(1)) {
      error(Object.assign(new Error("full"), { code: "ENOSPC" }));
    }
    assert.deepEqual(log, ["Cannot watch folders; they are looked at every 2 s"]);
    const before = count();
    await clock.turn(POLL_MS);
    assert.equal(count(), before);
    await Deno.writeTextFile(path, "1");
    await Deno.writeTextFile(join(root, "other"), "1");
    await clock.turn(POLL_MS - 1);
    assert.equal(count(), before);
    await clock.turn(1);
    assert.equal(count(), before + 1);
    await clock.turn(POLL_MS);
    assert.equal(count(), before + 1);
    watch.close();
    await clock.turn(0);
    assert.equal(clock.waiting, 0);
  }, { clock, watchOne });
});

Deno.test("folders on a network are looked at", async () => {
  const clock = new FakeClock();
  await withWatch(async ({ root, watch, log, count }) => {
    const path = join(root, "mcp.json");
    watch.arm([{ path }]);
    assert.equal(log.length, 1);
    await Deno.writeTextFile(path, "1");
    await clock.turn(POLL_MS);
    assert.equal(count(), 1);
    watch.close();
    await clock.turn(0);
  }, { clock, isSilent: () => true });
});

Deno.test("a change between two looks at a network's folder is told when it is armed", async () => {
  await withWatch(async ({ root, watch }) => {
    const path = join(root, "mcp.json");
    await Deno.writeTextFile(path, "1");
    assert.equal(watch.arm([{ path }]), true);
    assert.equal(watch.arm([{ path }]), false);
    await Deno.writeTextFile(path, "longer");
    assert.equal(watch.arm([{ path }]), true);
    assert.equal(watch.arm([{ path }]), false);
  }, { isSilent: () => true });
});
