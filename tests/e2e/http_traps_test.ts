import assert from "node:assert/strict";
import { e2e, row, type World } from "../harness/e2e.ts";
import { type HttpTrap, startHttpTrap } from "../servers/http_trap.ts";

const KEY = "key-of-the-user";

/** A test with a trap, which stands as `remote` in the user's file. */
function remote(
  name: string,
  behaviour: string,
  test: (world: World, trap: HttpTrap) => Promise<void>,
  entry: Readonly<Record<string, unknown>> = { type: "http" },
): void {
  e2e(name, async (world) => {
    const trap = await startHttpTrap(behaviour);
    try {
      await world.userServers({
        remote: { url: trap.url, headers: { "x-api-key": KEY }, ...entry },
      });
      await test(world, trap);
    } finally {
      await trap.close();
    }
  });
}

/** The row must be connected and its tool callable. */
async function works(world: World): Promise<void> {
  const it = row(await world.status(), "remote");
  assert.deepEqual([it.state, it.error, it.tools], ["connected", null, 1]);
  assert.equal(await world.callText("remote", "echo", "text=hi"), "hi");
}

for (const behaviour of ["good", "streaming", "sessions", "redirect-same", "stream-ends"]) {
  remote(`a server that is ${behaviour} is connected and called`, behaviour, works);
}

for (const status of ["400", "404", "406", "501"]) {
  remote(`a GET stream refused with ${status} is no failure [C06]`, `get-${status}`, works);
}

for (const behaviour of ["version-header", "version-400", "sticky"]) {
  remote(
    `a server with rules of its own is satisfied: ${behaviour} [C22] [C23] [C30]`,
    behaviour,
    works,
  );
}

for (const how of ["404", "400", "200"]) {
  remote(
    `a session lost with ${how} is opened anew, once [C04] [C05]`,
    `lost-${how}`,
    async (world, trap) => {
      assert.equal(await world.callText("remote", "echo", "text=hi"), "hi");
      assert.equal(trap.state.counts.get("sessions"), 2);
    },
  );
}

remote(
  "a session that is lost again and again is an error [C04]",
  "lost-always",
  async (world, trap) => {
    const run = await world.mcp(["call", "remote", "echo", "text=hi"]);
    assert.equal(run.code, 4, run.stderr);
    assert.equal(trap.state.counts.get("sessions"), 2);
  },
);

for (const refusal of ["400", "404", "405"]) {
  e2e(`a url without a type falls back to the old transport on ${refusal} [A14]`, async (world) => {
    const trap = await startHttpTrap(`sse-${refusal}`);
    try {
      await world.ompServers({ remote: { url: trap.url } });
      const it = row(await world.status(), "remote");
      assert.deepEqual([it.state, it.transport, it.tools], ["connected", "sse", 1]);
      assert.equal(await world.callText("remote", "echo", "text=hi"), "hi");
    } finally {
      await trap.close();
    }
  });
}

e2e("a url without a type that its host would refuse says how to write it", async (world) => {
  await world.userServers({ remote: { url: "http://127.0.0.1:9/mcp" } });
  const it = row(await world.status(), "remote");
  assert.deepEqual([it.state, it.error?.code], ["error", "config-invalid"]);
  assert.match(it.error?.hint ?? "", /"type": "http"/);
});

for (const behaviour of ["unauthorized", "unauthorized-described"]) {
  remote(
    `${behaviour}: the server waits for a login, and nothing registers`,
    behaviour,
    async (world, trap) => {
      const it = row(await world.status(), "remote");
      assert.equal(it.state, "needs-auth");
      assert.match(it.error?.hint ?? "", /set it in the "headers"/);
      assert.ok(trap.requests.every(({ path }) => path === "/mcp"), "metadata was fetched");
    },
  );
}

remote(
  "a configured Authorization header that is refused is an error, not a login",
  "unauthorized",
  async (world) => {
    const it = row(await world.status(), "remote");
    assert.equal(it.state, "error");
    assert.doesNotMatch(JSON.stringify(it), /stale-token/);
  },
  { type: "http", headers: { Authorization: "Bearer stale-token" } },
);

remote(
  "a configured Authorization header is sent",
  "wants-token",
  works,
  { type: "http", headers: { Authorization: "Bearer ${TOKEN:-good-token}" } },
);

for (const behaviour of ["redirect-foreign", "sse-foreign"]) {
  remote(
    `${behaviour}: nothing is sent to another origin, and both are named [C28]`,
    behaviour,
    async (world, trap) => {
      const it = row(await world.status(), "remote");
      assert.equal(it.state, "error");
      assert.ok(trap.requests.every(({ foreign }) => !foreign), "the other origin was asked");
      const said = JSON.stringify(it.error);
      assert.ok(said.includes(trap.foreignOrigin), said);
    },
    { type: behaviour === "sse-foreign" ? "sse" : "http" },
  );
}

for (const behaviour of ["forbidden", "server-error", "html", "broken-json", "redirect-loop"]) {
  remote(`${behaviour}: the row is an error with a cause`, behaviour, async (world) => {
    const it = row(await world.status("--wait", "10s"), "remote");
    assert.equal(it.state, "error");
    assert.notEqual(it.error?.message ?? "", "");
    assert.ok(!JSON.stringify(it).includes(KEY), "the key was shown");
  });
}

for (const behaviour of ["huge-body", "gzip-bomb", "endless-event"]) {
  remote(
    `${behaviour}: the answer is refused at the limit, the program lives [C03]`,
    behaviour,
    async (world) => {
      const it = row(await world.status("--wait", "40s"), "remote");
      assert.equal(it.state, "error");
      assert.equal(it.error?.code, "message-too-large");
    },
  );
}

for (const behaviour of ["hanging", "hanging-body"]) {
  remote(
    `${behaviour}: the row fails by its time limit, others are not held [I01]`,
    behaviour,
    async (world) => {
      const it = row(await world.status(), "remote");
      assert.equal(it.state, "error");
      assert.match(it.error?.code ?? "", /timeout/);
    },
    { type: "http", startupTimeout: 800 },
  );
}

remote(
  "a call whose connection drops is not sent twice [C20]",
  "drops-call",
  async (world, trap) => {
    const run = await world.mcp(["call", "remote", "echo", "text=hi"]);
    assert.equal(run.code, 4, run.stdout);
    assert.equal(trap.state.counts.get("effects"), 1);
  },
);

remote("a session is ended when the program ends", "sessions", async (world, trap) => {
  await world.status();
  assert.equal(trap.requests.filter(({ method }) => method === "DELETE").length, 1);
});
