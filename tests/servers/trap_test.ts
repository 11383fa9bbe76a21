import assert from "node:assert/strict";
import { join } from "node:path";
import { leftoversOfHome, processesOfHome } from "../harness/living_processes.ts";
import { RawClient } from "../harness/raw_client.ts";
import { npmServer, sdkServer, type ServerCommand, trap } from "../harness/servers.ts";
import { makeTempHome, type TempHome } from "../harness/temp_home.ts";

type Data = Record<string, unknown>;

/** Runs a server in a temp home, lets a test talk to it, and ends it. */
function talk(
  name: string,
  server: (home: TempHome) => ServerCommand,
  test: (client: RawClient, home: TempHome) => Promise<void>,
): void {
  Deno.test(name, async () => {
    const home = await makeTempHome();
    const client = new RawClient(server(home), home.env);
    try {
      await test(client, home);
    } finally {
      await client.close(50);
      for (const { pid } of await processesOfHome(home.home)) Deno.kill(pid, "SIGKILL");
      await leftoversOfHome(home.home);
      await home.remove();
    }
  });
}

/** Calls a tool after the handshake; gives the whole answer. */
async function called(client: RawClient, name: string, args: Data = {}): Promise<Data> {
  await client.initialize();
  return await client.ask("tools/call", { name, arguments: args });
}

/** Names of the tools as listed. */
async function toolNames(client: RawClient): Promise<readonly unknown[]> {
  await client.initialize();
  return (await client.tools()).map((tool) => tool["name"]);
}

talk("good lists and calls", () => trap("good"), async (client) => {
  assert.deepEqual(await toolNames(client), ["echo", "add"]);
  const { result } = await client.ask("tools/call", { name: "add", arguments: { a: 1, b: 2 } });
  assert.deepEqual(result, { content: [{ type: "text", text: "3" }] });
});

talk("dead says why and exits with 3", () => trap("dead"), async (client) => {
  assert.equal(await client.line(), null);
  const { code, stderr } = await client.close();
  assert.equal(code, 3);
  assert.match(stderr, /FATAL: missing API key DEAD_KEY/);
});

talk("noisy prints lines that are no messages", () => trap("noisy"), async (client) => {
  assert.equal(await client.line(), "Trap server v1.0 started");
  assert.deepEqual(await toolNames(client), ["echo", "add"]);
});

talk(
  "stderr-flood answers after its flood",
  () => trap("stderr-flood", "5000000"),
  async (client) => {
    assert.deepEqual(await toolNames(client), ["echo", "add"]);
    assert.ok((await client.close()).stderr.length > 5_000_000);
  },
);

talk(
  "stubborn outlives the end of stdin, with a child",
  () => trap("stubborn"),
  async (client, home) => {
    await client.initialize();
    await client.close(400);
    const left = await processesOfHome(home.home);
    assert.ok(left.some(({ commandLine }) => commandLine.endsWith("stubborn-child")));
  },
);

talk("wrapper leaves its child behind at SIGTERM", () => trap("wrapper"), async (client, home) => {
  await client.initialize();
  const running = await processesOfHome(home.home);
  const wrapper = running.find(({ commandLine }) => commandLine.endsWith("wrapper"));
  Deno.kill(wrapper?.pid ?? 0, "SIGTERM");
  await client.close(400);
  const left = (await processesOfHome(home.home)).map(({ commandLine }) => commandLine);
  assert.equal(left.length, 2, left.join("\n"));
});

talk(
  "marker creates its file",
  (home) => trap("marker", join(home.root, "ran")),
  async (client, home) => {
    await client.initialize();
    assert.match(await Deno.readTextFile(join(home.root, "ran")), /^\d+\n$/);
  },
);

talk(
  "flush writes its file when stdin ends",
  (home) => trap("flush", join(home.root, "state")),
  async (client, home) => {
    await client.initialize();
    await client.close(2_000);
    assert.equal(await Deno.readTextFile(join(home.root, "state")), "flushed\n");
  },
);

talk("pages lists 5,000 tools over 50 pages", () => trap("pages"), async (client) => {
  const names = await toolNames(client);
  assert.equal(names.length, 5_000);
  assert.equal(new Set(names).size, 5_000);
});

talk("stuck-cursor ends after three pages", () => trap("stuck-cursor"), async (client) => {
  assert.deepEqual(await toolNames(client), ["t1", "t2", "t3", "t4", "t5", "t6"]);
});

talk("bad-tool lists a tool without schema", () => trap("bad-tool"), async (client) => {
  assert.equal((await toolNames(client)).length, 8);
});

talk(
  "big-answer answers with as many bytes as asked",
  () => trap("big-answer", "1000000"),
  async (client) => {
    const { result } = await called(client, "go");
    const [block] = (result as { readonly content: readonly [{ readonly text: string }] }).content;
    assert.equal(block.text.length, 1_000_000);
  },
);

talk("split-utf8 keeps its characters", () => trap("split-utf8"), async (client) => {
  assert.match(JSON.stringify(await called(client, "go")), /naïve 漢字 👩‍👩‍👧 ñ/);
});

talk("exit-in-call says why and exits with 3", () => trap("exit-in-call"), async (client) => {
  await assert.rejects(() => called(client, "go"), /lost the database/);
  assert.equal((await client.close()).code, 3);
});

talk("progress reports when it has a token", () => trap("progress", "2", "10"), async (client) => {
  await client.initialize();
  await client.send({
    id: 9,
    method: "tools/call",
    params: { name: "go", _meta: { progressToken: "p" } },
  });
  assert.match(await client.line() ?? "", /"progress":1,"total":2/);
  assert.match(await client.line() ?? "", /"progress":2,"total":2/);
  assert.match(await client.line() ?? "", /done with 2 steps/);
});

talk("error-shapes answers without an id", () => trap("error-shapes"), async (client) => {
  await client.initialize();
  await client.send({ id: 9, method: "tools/call", params: { name: "null-id" } });
  assert.match(await client.line() ?? "", /"id":null/);
});

talk("discover-only refuses the legacy era", () => trap("discover-only"), async (client) => {
  const { error } = await client.initialize();
  assert.deepEqual((error as Data)["data"], {
    supported: ["2026-07-28"],
    requested: "2025-11-25",
  });
  const discovered = await client.ask("server/discover");
  assert.deepEqual((discovered["result"] as Data)["supportedVersions"], ["2026-07-28"]);
});

talk("results gives structured content alone", () => trap("results"), async (client) => {
  const { result } = await called(client, "structured-only");
  assert.deepEqual(result, { structuredContent: { ship: "x" }, isError: false });
});

for (const era of ["dual", "legacy"] as const) {
  talk(`sdk_${era} lists its tools`, () => sdkServer(era), async (client) => {
    assert.deepEqual(await toolNames(client), ["whoami", "echo"]);
  });
}

talk("sdk_modern refuses the legacy era", () => sdkServer("modern"), async (client) => {
  assert.notEqual((await client.initialize())["error"], undefined);
});

for (
  const [name, count] of [["everything", 13], ["memory", 9], ["sequential-thinking", 1]] as const
) {
  talk(`${name} from npm lists ${count} tools`, () => npmServer(name), async (client) => {
    assert.equal((await toolNames(client)).length, count);
  });
}

talk(
  "filesystem from npm lists 14 tools",
  (home) => npmServer("filesystem", home.project),
  async (client) => {
    assert.equal((await toolNames(client)).length, 14);
  },
);
