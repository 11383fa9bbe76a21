import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { HotplugError } from "../../src/model/errors.ts";
import { until } from "../harness/until.ts";
import { report, steered, withControl } from "./steered.ts";

/** Whether something was refused with this code. */
const withCode = (code: string) => (thrown: unknown): boolean =>
  thrown instanceof HotplugError && thrown.code === code;

/** Says something over a socket; gives what came back once the other side has ended it. */
async function say(path: string, ...texts: readonly string[]): Promise<string> {
  const socket = connect(path);
  let heard = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk) => heard += chunk);
  socket.on("error", () => {});
  const over = new Promise((resolve) => socket.once("close", resolve));
  for (const text of texts) socket.write(text);
  await over;
  return heard;
}

async function tokenOf(folder: string): Promise<string> {
  for await (const { name } of Deno.readDir(join(folder, "sessions"))) {
    return JSON.parse(await Deno.readTextFile(join(folder, "sessions", name)))["token"];
  }
  throw new Error("no record");
}

withControl(
  "a live session is found and answers everything that it can be asked",
  async (world) => {
    const session = steered({ info: { host: "pi", workspacePath: world.home.project } });
    await world.start(session);
    const found = await world.only();
    assert.deepEqual(found.info, session.info);
    assert.deepEqual(await found.status(), session.status());
    assert.deepEqual(await found.tools(), []);
    assert.deepEqual(await found.logs(), []);
    assert.deepEqual(await found.reload(), report());
    await found.reload({ servers: ["a"], restart: true });
    await found.pause("a");
    await found.resume("a");
    await found.retry("a");
    assert.deepEqual(session.asked, [
      "reload {}",
      'reload {"servers":["a"],"restart":true}',
      "pause a",
      "resume a",
      "retry a",
    ]);
  },
);

withControl("sessions are found by their workspace, also by another name of it", async (world) => {
  const { project, root } = world.home;
  await world.start(steered({ info: { workspacePath: project } }));
  await world.start(steered({ info: { workspacePath: "/elsewhere" } }));
  await Deno.symlink(project, join(root, "link"));
  assert.equal((await world.live()).length, 2);
  for (const path of [project, join(root, "link")]) {
    const found = await world.live(path);
    assert.deepEqual(found.map(({ info }) => info.workspacePath), [project]);
  }
});

withControl("record and socket are the user's alone and gone after close [H10]", async (world) => {
  const control = await world.start(steered());
  const { socket } = control;
  assert.ok(socket !== null);
  const mode = async (path: string): Promise<number> =>
    ((await Deno.lstat(path)).mode ?? 0) & 0o777;
  assert.equal(await mode(join(socket, "..")), 0o700);
  assert.equal(await mode(socket), 0o600);
  const [record = ""] = (await world.left()).filter((name) => name.endsWith(".json"));
  assert.equal(await mode(join(world.folders.state, "sessions", record)), 0o600);
  await Promise.all([control.close(), control.close()]);
  assert.deepEqual(await world.left(), []);
});

withControl("what a session says of a failure arrives whole", async (world) => {
  await world.start(steered({
    reload: () =>
      Promise.reject(
        new HotplugError("unknown-server", 'Cannot find server "x": no', {
          hint: "Did you mean y?",
          details: { suggestion: "y" },
        }),
      ),
  }));
  await assert.rejects(
    (await world.only()).reload({ servers: ["x"] }),
    (thrown) => {
      assert.ok(thrown instanceof HotplugError);
      const { code, message, hint, details } = thrown;
      assert.deepEqual({ code, message, hint, details }, {
        code: "unknown-server",
        message: 'Cannot find server "x": no',
        hint: "Did you mean y?",
        details: { suggestion: "y" },
      });
      return true;
    },
  );
});

withControl("nobody is served without the token, nor told why", async (world) => {
  const { socket } = await world.start(steered(), { limits: { tokenMs: 50 } });
  assert.ok(socket !== null);
  const status = '{"jsonrpc":"2.0","id":1,"method":"status"}\n';
  assert.equal(await say(socket, "x".repeat(64) + "\n", status), "");
  assert.equal(await say(socket, "\n", status), "");
  assert.equal(await say(socket, status), "");
  // Who says nothing is not waited for.
  assert.equal(await say(socket), "");
});

withControl(
  "wrong, endless and torn requests cost their sender the connection only",
  async (world) => {
    const session = steered();
    const { socket } = await world.start(session, { limits: { longest: 1_000, idleMs: 100 } });
    assert.ok(socket !== null);
    const token = `${await tokenOf(world.folders.state)}\n`;
    assert.match(await say(socket, token, "no json\n"), /"code":-32600/);
    assert.match(await say(socket, token, '{"jsonrpc":"2.0","id":7}\n'), /"code":-32600/);
    assert.match(await say(socket, token, '{"id":7,"method":"call"}\n'), /"id":7,.*"code":-32601/);
    assert.match(await say(socket, token, '{"id":7,"method":"pause"}\n'), /"code":-32602/);
    const list = '{"id":7,"method":"reload","params":{"servers":"a"}}\n';
    assert.match(await say(socket, token, list), /"code":-32602/);
    assert.equal(await say(socket, token, "x".repeat(2_000)), "");
    assert.equal(await say(socket, token, '{"id":7,'), "");
    assert.deepEqual(session.asked, []);
    await (await world.only()).reload();
  },
);

withControl("a client that never reads is let go, and the others are served", async (world) => {
  const big = "x".repeat(200_000);
  const session = { ...steered(), tools: [{ name: big, description: "", server: "s", info: {} }] };
  const { socket } = await world.start(session as never, { limits: { unread: 1_000_000 } });
  assert.ok(socket !== null);
  const deaf = connect(socket);
  deaf.on("error", () => {});
  deaf.pause();
  await new Promise((resolve) => deaf.once("connect", resolve));
  deaf.write(`${await tokenOf(world.folders.state)}\n`);
  let isOver = false;
  deaf.once("close", () => isOver = true);
  await until(() => {
    if (!deaf.destroyed) deaf.write('{"id":1,"method":"tools"}\n');
    return isOver || deaf.destroyed || !deaf.writable;
  });
  deaf.destroy();
  assert.equal((await (await world.only()).tools())[0]?.name, big);
});

withControl(
  "more clients than are taken at once do no harm to those that are there",
  async (world) => {
    const { socket } = await world.start(steered(), { limits: { clients: 2, tokenMs: 100 } });
    assert.ok(socket !== null);
    const idle = [say(socket), say(socket)];
    assert.equal(await say(socket), "");
    await Promise.all(idle);
    await (await world.only()).reload();
  },
);

withControl("a hung session is named in time and holds no other", async (world) => {
  const never = steered({ reload: () => new Promise(() => {}) });
  const fine = steered();
  await world.start(never, { slowestMs: () => 100 });
  await world.start(fine);
  const begun = performance.now();
  const outcomes = await Promise.all((await world.live()).map(async (session) => {
    const error = await session.reload({}, { patienceMs: 100 }).then(
      () => null,
      (thrown) => thrown,
    );
    return { id: session.info.id, error, ms: performance.now() - begun };
  }));
  const hung = outcomes.find(({ id }) => id === never.info.id);
  const other = outcomes.find(({ id }) => id === fine.info.id);
  assert.equal(other?.error, null);
  assert.ok((other?.ms ?? Infinity) < (hung?.ms ?? 0));
  assert.equal(hung?.error.code, "session-silent");
  assert.match(hung?.error.message, new RegExp(`"${never.info.id}"`));
  assert.ok((hung?.ms ?? 0) >= 190, "it has what its slowest server may take, and the patience");
});

withControl("a session that takes its time is waited for as long as it said", async (world) => {
  let slowestMs = 50;
  let finish: () => void = () => {};
  const session = steered({
    reload: () => new Promise((resolve) => finish = () => resolve(report({ after: 7 }))),
  });
  await world.start(session, { slowestMs: () => slowestMs });
  const answer = (await world.only()).reload({}, { patienceMs: 700 });
  // A definition that was read meanwhile gives a server more time.
  slowestMs = 60_000;
  setTimeout(() => finish(), 1_500);
  assert.equal((await answer).after, 7);
});

withControl(
  "one that waits for others' reloads is told anew, and so not given up",
  async (world) => {
    const finish: (() => void)[] = [];
    const session = steered({
      reload: () => new Promise((resolve) => finish.push(() => resolve(report()))),
    });
    await world.start(session, { slowestMs: () => 0 });
    const found = await world.only();
    const three = [1, 2, 3].map(() => found.reload({}, { patienceMs: 400 }));
    await until(() => finish.length === 3);
    for (const done of finish) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      done();
    }
    assert.equal((await Promise.all(three)).length, 3);
  },
);

withControl("a caller that gives up leaves the session to what it began", async (world) => {
  let finish: () => void = () => {};
  let isDone = false;
  const session = steered({
    reload: async (_request, options) => {
      await new Promise<void>((resolve) => finish = resolve);
      isDone = options?.signal?.aborted === false;
      return report();
    },
  });
  await world.start(session);
  const caller = new AbortController();
  const answer = (await world.only()).reload({}, { signal: caller.signal });
  await until(() => session.asked.length === 1);
  caller.abort();
  await assert.rejects(answer, withCode("aborted"));
  finish();
  await until(() => isDone);
});

withControl(
  "a session that closes says so to those who wait, and closes in time",
  async (world) => {
    const deaf = steered({ reload: () => new Promise(() => {}) });
    const control = await world.start(deaf);
    const answer = (await world.only()).reload();
    const refused = assert.rejects(answer, withCode("no-session"));
    await until(() => deaf.asked.length === 1);
    const begun = performance.now();
    await control.close();
    assert.ok(performance.now() - begun < 2_000);
    await refused;
  },
);

withControl("what a killed session left is removed by the next reader", async (world) => {
  const { socket } = await world.start(steered());
  const [record = ""] = (await world.left()).filter((name) => name.endsWith(".json"));
  const file = join(world.folders.state, "sessions", record);
  const text = JSON.parse(await Deno.readTextFile(file));
  const id = "deadbeef";
  const gone = new Deno.Command("true").spawn();
  await gone.status;
  const dead = join(world.folders.runtime, `${id}.sock`);
  const other = join(world.folders.runtime, "other.sock");
  for (const path of [dead, other]) {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    // Renamed, so that its end does not remove it.
    await Deno.rename(path, `${path}.kept`);
    await new Promise((resolve) => server.close(resolve));
    await Deno.rename(`${path}.kept`, path);
  }
  const write = (name: string, socketPath: string): Promise<void> =>
    Deno.writeTextFile(
      join(world.folders.state, "sessions", `${name}.json`),
      JSON.stringify({
        ...text,
        session: { ...text.session, id: name },
        socket: socketPath,
        process: { ...text.process, pid: gone.pid },
      }),
    );
  await write(id, dead);
  // One whose record names a socket that is not its own.
  await write("badf00d", other);
  // An id that belongs to another process by now.
  await Deno.writeTextFile(
    join(world.folders.state, "sessions", "reused.json"),
    JSON.stringify({
      ...text,
      session: { ...text.session, id: "reused" },
      process: { ...text.process, started: "1" },
    }),
  );
  assert.equal((await world.live()).length, 1);
  assert.deepEqual(
    [...await world.left()].sort(),
    [
      "other.sock",
      record,
      socket?.split("/").at(-1),
    ].sort(),
  );
  await Deno.remove(other);
});

withControl(
  "a session of another container is listed when it answers, and else left alone",
  async (world) => {
    await world.start(steered());
    const [record = ""] = (await world.left()).filter((name) => name.endsWith(".json"));
    const folder = join(world.folders.state, "sessions");
    const text = JSON.parse(await Deno.readTextFile(join(folder, record)));
    const elsewhere = { ...text.process, space: "another", pid: 1 };
    await Deno.writeTextFile(join(folder, record), JSON.stringify({ ...text, process: elsewhere }));
    await Deno.writeTextFile(
      join(folder, "faraway.json"),
      JSON.stringify({
        ...text,
        session: { ...text.session, id: "faraway" },
        socket: join(world.folders.runtime, "faraway.sock"),
        process: elsewhere,
      }),
    );
    assert.deepEqual((await world.live()).map(({ info }) => `${info.id}.json`), [record]);
    assert.ok((await world.left()).includes("faraway.json"));
    await Deno.remove(join(folder, "faraway.json"));
  },
);

withControl("records that are none are passed over", async (world) => {
  await world.start(steered());
  const folder = join(world.folders.state, "sessions");
  const texts = {
    "torn.json": '{"session":',
    "empty.json": "",
    "array.json": "[]",
    "note.txt": "x",
  };
  for (const [name, text] of Object.entries(texts)) {
    await Deno.writeTextFile(join(folder, name), text);
  }
  assert.equal((await world.live()).length, 1);
  for (const name of Object.keys(texts)) await Deno.remove(join(folder, name));
});

withControl("a session whose socket is gone is named and can not hold anybody", async (world) => {
  const { socket } = await world.start(steered());
  const found = await world.only();
  await Deno.remove(socket ?? "");
  await assert.rejects(found.reload(), withCode("session-silent"));
  await Deno.writeTextFile(socket ?? "", "");
  await assert.rejects(found.reload(), withCode("session-silent"));
});

withControl("a session that is about to listen is waited for", async (world) => {
  const { socket } = await world.start(steered());
  const found = await world.only();
  await Deno.rename(socket ?? "", `${socket}.later`);
  const answer = found.reload();
  setTimeout(() => Deno.renameSync(`${socket}.later`, socket ?? ""), 100);
  await answer;
});

withControl(
  "where there can be no socket the session lives on and the log says so once",
  async (world) => {
    const { root } = world.home;
    await Deno.mkdir(join(root, "real"));
    await Deno.symlink(join(root, "real"), join(root, "link"));
    await Deno.mkdir(join(root, "open"), { mode: 0o755 });
    const faults = {
      [join(root, "link")]: /it is a link/,
      [join(root, "open")]: /others can get into it/,
      [join(root, "x".repeat(100))]: /too long/,
    };
    for (const [runtime, fault] of Object.entries(faults)) {
      const lines: string[] = [];
      const control = await world.start(steered(), {
        // The fall-back in the temp folder is none either.
        machine: { ...world.machine, tmp: join(root, "y".repeat(100)) },
        folders: { ...world.folders, runtime },
        log: {
          log: (level, message, fields) => lines.push(`${level} ${message} ${fields?.["error"]}`),
        },
      });
      assert.equal(control.socket, null);
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? "", fault);
      await control.close();
    }
    const short = { ...world.folders, runtime: join(root, "link") };
    const control = await world.start(steered(), { folders: short });
    assert.equal(
      join(control.socket ?? "", ".."),
      join(world.machine.tmp, `hotplug-${Deno.uid()}`),
    );
    await control.close();
  },
);

withControl("a caller that gives up while it connects does not wait either", async (world) => {
  await world.start(steered({ reload: () => new Promise(() => {}) }));
  const session = await world.only();
  for (let turns = 0; turns < 60; turns++) {
    const caller = new AbortController();
    const asked = session.reload({}, { signal: caller.signal, patienceMs: 3_000 });
    const end = asked.then(() => null, (thrown: unknown) => thrown);
    for (let turn = 0; turn < turns; turn++) {
      await (turns % 2 === 0 ? Promise.resolve() : new Promise((resolve) => setImmediate(resolve)));
    }
    const began = performance.now();
    caller.abort();
    assert.ok(withCode("aborted")(await end));
    assert.ok(performance.now() - began < 2_000, `after ${turns} turns`);
  }
});
