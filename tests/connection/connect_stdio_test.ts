import assert from "node:assert/strict";
import { callTool, readCallResult } from "../../src/connection/calls.ts";
import { listPrompts, listTools } from "../../src/connection/listing.ts";
import type { MCPServerConnection } from "../../src/model/connection.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { RequestOptions } from "../../src/model/tool.ts";
import { rejection, until, withBench } from "./harness.ts";

const call = (
  connection: MCPServerConnection,
  args: JsonObject,
  options?: RequestOptions,
): Promise<JsonObject> => connection.request("tools/call", { name: "t", arguments: args }, options);

Deno.test("a server is connected, listed and called, and prints nothing of ours", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts"));
    assert.equal(connection.transport, "stdio");
    assert.deepEqual(connection.protocol, { era: "legacy", version: "2025-11-25" });
    assert.deepEqual(connection.server, { name: "raw", version: "1" });
    assert.equal(bench.children().includes(connection.pid ?? 0), true);
    const { items, warnings } = await listTools(connection);
    assert.deepEqual(items.map(({ name }) => name), ["t", "seen"]);
    assert.equal(items[0]?.description, "");
    assert.deepEqual(items[0]?.inputSchema, { type: "object", properties: {} });
    assert.deepEqual(warnings, []);
    const tool = items[0];
    assert.ok(tool !== undefined);
    const result = await callTool(connection, tool, {});
    assert.deepEqual(result.content, [{ type: "text", text: "ok" }]);
    assert.deepEqual((await listPrompts(connection)).items, []);
    await connection.close();
    assert.equal(await connection.closed, null);
    assert.equal((await rejection(call(connection, {}))).code, "connection-closed");
  });
});

Deno.test("requests carry our own ids and a progress token, and initialized comes first", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts"));
    const { seen, id, meta } = await call(connection, { do: "seen" });
    assert.deepEqual(seen, ["initialize", "notifications/initialized", "tools/call"]);
    assert.equal(id, "hp-1");
    assert.deepEqual(meta, { progressToken: "hp-1" });
  });
});

Deno.test("a server that dies at once is told with exit code, reason and stderr, masked, in a second [I03]", async () => {
  await withBench(async (bench) => {
    const started = performance.now();
    const error = await bench.failure(bench.program("raw_stdio.ts", "dead"), {
      secrets: ["secret-value"],
    });
    assert.ok(performance.now() - started < 1_500);
    assert.equal(error.code, "server-exited");
    assert.equal(error.processExitCode, 3);
    assert.match(
      error.message,
      /^Cannot connect to "s": its process exited with code 3: FATAL: missing API key DEAD_KEY=\*\*\*$/,
    );
    assert.match(error.stderr, /^starting up\nFATAL/);
    assert.match(error.hint ?? "", /raw_stdio\.ts dead in \//);
  });
});

Deno.test("a server that a signal ends is told by the signal", async () => {
  await withBench(async (bench) => {
    const error = await bench.failure(bench.program("raw_stdio.ts", "killed"));
    assert.equal(error.processSignal, "SIGKILL");
    assert.match(error.message, /was ended by SIGKILL/);
  });
});

Deno.test("a server that dies in the handshake is told with a hint for the common cause [I03]", async () => {
  await withBench(async (bench) => {
    const error = await bench.failure(bench.program("raw_stdio.ts", "dies-at-initialize"));
    assert.equal(error.code, "server-exited");
    assert.equal(error.processExitCode, 1);
    assert.match(error.message, /Cannot find module '.\/config\.js'/);
    assert.match(error.hint ?? "", /module or file/);
  });
});

Deno.test("a missing program is told with the places that were searched, and a command line with its parts [A37]", async () => {
  await withBench(async (bench) => {
    const missing = await bench.failure({ command: "no-such-program-here" });
    assert.equal(missing.code, "program-not-found");
    assert.match(missing.hint ?? "", /looked in \//);
    const line = await bench.failure({ command: "npx -y some-mcp /tmp", args: [] });
    assert.match(line.hint ?? "", /"command": "npx", "args": \["-y","some-mcp","\/tmp"\]/);
    const folder = await bench.failure({ command: "deno", cwd: `${bench.folder}/none` });
    assert.equal(folder.code, "config-invalid");
    assert.match(folder.message, /working folder ".*\/none" does not exist/);
  });
});

Deno.test("a real path that holds spaces is run [A37]", async () => {
  await withBench(async (bench) => {
    const path = `${bench.folder}/my server`;
    const { command, args } = bench.program("raw_stdio.ts");
    await Deno.writeTextFile(path, `#!/bin/sh\nexec "${command}" ${args.join(" ")}\n`, {
      mode: 0o755,
    });
    const connection = await bench.connect({ command: path });
    assert.equal(connection.server.name, "raw");
  });
});

Deno.test("a silent server ends with the start time-out, its stderr told and its process gone [G11] [I01]", async () => {
  await withBench(async (bench) => {
    const started = performance.now();
    const error = await bench.failure(bench.program("raw_stdio.ts", "hang"), { timeout: 700 });
    assert.equal(error.code, "start-timeout");
    assert.match(error.message, /within 0\.7 s/);
    assert.match(error.hint ?? "", /startupTimeout/);
    assert.equal(error.stderr, "waiting for the database");
    assert.ok(performance.now() - started < 4_000);
  });
});

Deno.test("a server that ignores the end of stdin and SIGTERM is gone after a time-out and after a close [B05]", async () => {
  await withBench(async (bench) => {
    const error = await bench.failure(bench.program("raw_stdio.ts", "stubborn-hang"), {
      timeout: 500,
    });
    assert.equal(error.code, "start-timeout");
    const connection = await bench.connect(bench.program("raw_stdio.ts", "stubborn"));
    const started = performance.now();
    await Promise.all([connection.close(), connection.close()]);
    assert.ok(performance.now() - started < 4_000);
    assert.deepEqual(bench.children(), []);
  });
});

Deno.test("an abort ends the start at once and leaves no process", async () => {
  await withBench(async (bench) => {
    const abort = new AbortController();
    const failing = bench.failure(bench.program("raw_stdio.ts", "hang"), { signal: abort.signal });
    await until(() => bench.stderr.length > 0, "the server has started");
    abort.abort();
    assert.equal((await failing).code, "aborted");
    const before = await rejection(
      bench.connect(bench.program("raw_stdio.ts"), { signal: AbortSignal.abort() }),
    );
    assert.equal(before.code, "aborted");
  });
});

Deno.test("a grandchild that holds the pipes is ended with its server [B01]", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts"));
    await call(connection, { do: "grandchild" });
    assert.equal(bench.children().length, 2);
    await connection.close();
    assert.deepEqual(bench.children(), []);
    const other = await bench.connect(bench.program("raw_stdio.ts"));
    await call(other, { do: "grandchild" });
    assert.equal((await rejection(call(other, { do: "exit" }))).processExitCode, 7);
    await other.close();
    assert.deepEqual(bench.children(), []);
  });
});

Deno.test("lines on stdout that are no messages are skipped and counted [C01] [I06]", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts", "noisy"));
    assert.equal((await listTools(connection)).items.length, 2);
    assert.deepEqual(connection.warnings(), [
      'Skipped 4 lines on stdout that are no protocol messages; the first: "Server v1.0 started \\u001b[31mred\\u001b[0m"',
    ]);
  });
});

Deno.test("endless output without a line end costs that server alone [C03]", async () => {
  await withBench(async (bench) => {
    const error = await bench.failure(bench.program("raw_stdio.ts", "endless"));
    assert.equal(error.code, "message-too-large");
    assert.match(error.message, /more than 67108864 bytes/);
  });
});

Deno.test("a message of 30 MB comes whole and fast [C03]", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts"));
    const result = readCallResult(await call(connection, { do: "big", size: 15_000_000 }));
    assert.equal((result.content[0]?.["text"] as string).length, 15_000_000);
  });
});

Deno.test("characters split over chunks stay whole", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts"));
    const result = await call(connection, { do: "split" });
    assert.deepEqual(result["content"], [{ type: "text", text: "žluťoučký 🐎 漢字" }]);
  });
});

Deno.test("a flood on stderr blocks neither start nor call, and its end is kept [B08] [B09]", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts", "stderr-flood"));
    await call(connection, { do: "stderr" });
    assert.equal(
      (await rejection(call(connection, { do: "exit" }))).stderr.endsWith("boom: out of cheese"),
      true,
    );
    assert.ok(bench.stderr.length > 100_000);
  });
});

Deno.test("a server that exits in a call fails all calls at once with the reason [B07]", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts"));
    const hanging = rejection(call(connection, { do: "hang" }));
    const started = performance.now();
    const error = await rejection(call(connection, { do: "exit" }));
    assert.ok(performance.now() - started < 1_000);
    assert.equal(error.code, "server-exited");
    assert.equal(error.processExitCode, 7);
    assert.match(error.message, /^Lost "s": its process exited with code 7: boom: out of cheese$/);
    assert.equal((await hanging).code, "server-exited");
    assert.equal((await connection.closed)?.code, "server-exited");
    assert.equal((await rejection(call(connection, {}))).code, "server-exited");
  });
});

Deno.test("a server that closes its stdout but lives on is lost and ended", async () => {
  await withBench(async (bench) => {
    const error = await bench.failure({ command: "sh", args: ["-c", "exec 1>&-; sleep 60"] });
    assert.equal(error.code, "connection-closed");
    assert.match(error.message, /closed its stdout/);
  });
});

Deno.test("a time-out and an abort cancel at the server, and late answers are dropped [C25]", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts"));
    const timedOut = await rejection(call(connection, { do: "late", ms: 250 }, { timeout: 60 }));
    assert.equal(timedOut.code, "request-timeout");
    const abort = new AbortController();
    const aborted = rejection(call(connection, { do: "hang" }, { signal: abort.signal }));
    abort.abort();
    assert.equal((await aborted).code, "aborted");
    // The late answer comes before this one.
    await call(connection, { do: "late", ms: 300 });
    const { seen } = await call(connection, { do: "seen" });
    assert.equal(
      (seen as string[]).filter((method) => method === "notifications/cancelled").length,
      2,
    );
  });
});

Deno.test("progress keeps a call alive beyond its time-out and is reported [C16]", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts"));
    const reports: number[] = [];
    await call(connection, { do: "progress" }, {
      timeout: 300,
      onProgress: ({ progress }) => reports.push(progress),
    });
    assert.deepEqual(reports, [1, 2, 3, 4]);
    await call(connection, { do: "progress" }, { timeout: 300 });
  });
});

Deno.test("a repeated answer counts once", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts"));
    const result = await call(connection, { do: "twice" });
    assert.deepEqual(result["content"], [{ type: "text", text: "first" }]);
    await call(connection, {});
  });
});

Deno.test("errors of odd shapes reach their request [C29]", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts"));
    const nullId = await rejection(call(connection, { do: "null-id" }));
    assert.equal(nullId.details["code"], -32700);
    const textCode = await rejection(call(connection, { do: "text-code" }));
    assert.match(textCode.message, /bad thing/);
    assert.deepEqual(textCode.details["data"], { code: "E_BAD", data: { why: 1 } });
    assert.match((await rejection(call(connection, { do: "text-error" }))).message, /plain words/);
  });
});

Deno.test("a request that the server cancels ends with its reason [C27]", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts"));
    const error = await rejection(call(connection, { do: "cancel" }));
    assert.equal(error.code, "protocol-error");
    assert.match(error.message, /shutting down/);
  });
});

Deno.test("unknown content and structured content of any shape are kept [E02]", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts"));
    const result = readCallResult(await call(connection, { do: "odd-content" }));
    assert.deepEqual(result.content, [{ type: "hologram", depth: 3 }, { type: "text", text: "x" }]);
    assert.deepEqual(result.structuredContent, [1]);
  });
});

Deno.test("requests of the server are answered: ping, and -32601 for what is not declared", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts"));
    const { answers } = await call(connection, { do: "roots" });
    const byId = new Map((answers as JsonObject[]).map((answer) => [answer["id"], answer]));
    assert.deepEqual(byId.get("p")?.["result"], {});
    assert.equal((byId.get(0)?.["error"] as JsonObject)["code"], -32601);
  });
});

Deno.test("older, newer and only older versions are spoken with [C22]", async () => {
  await withBench(async (bench) => {
    const old = await bench.connect(bench.program("raw_stdio.ts", "old-version"));
    assert.deepEqual(old.protocol, { era: "legacy", version: "2024-11-05" });
    const next = await bench.connect(bench.program("raw_stdio.ts", "new-version"));
    assert.deepEqual(next.protocol, { era: "legacy", version: "2099-01-01" });
    assert.match(next.warnings()[0] ?? "", /unknown protocol version "2099-01-01"/);
    await call(next, {});
    const only = await bench.connect(bench.program("raw_stdio.ts", "only-2024"));
    assert.deepEqual(only.protocol, { era: "legacy", version: "2024-11-05" });
    assert.equal((await call(only, { do: "seen" }))["version"], "2024-11-05");
  });
});

Deno.test("a configured revision is the one that is asked for", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect({
      ...bench.program("raw_stdio.ts"),
      protocol: "2025-03-26",
    });
    assert.deepEqual(connection.protocol, { era: "legacy", version: "2025-03-26" });
  });
});

Deno.test("an odd answer to initialize costs nothing", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("raw_stdio.ts", "odd-initialize"));
    assert.deepEqual(connection.server, { name: "odd", version: "" });
    assert.equal(connection.instructions, "");
    assert.equal((await listTools(connection)).items.length, 2);
    const text = await bench.connect(bench.program("raw_stdio.ts", "text-id"));
    assert.equal(text.server.name, "raw");
  });
});

Deno.test("a refused handshake is told in the server's words", async () => {
  await withBench(async (bench) => {
    const error = await bench.failure(bench.program("raw_stdio.ts", "refuses"));
    assert.equal(error.code, "handshake-failed");
    assert.match(error.message, /refused the handshake: no license \(error -32603\)/);
  });
});

Deno.test("notifications before the answer to initialize are not lost", async () => {
  await withBench(async (bench) => {
    await bench.connect(bench.program("raw_stdio.ts", "early-notification"));
    assert.equal(bench.notifications[0]?.method, "notifications/message");
  });
});

Deno.test("many starts that time out leave nothing [G11]", async () => {
  await withBench(async (bench) => {
    const config = { command: "sleep", args: ["60"] };
    const errors = await Promise.all(
      Array.from({ length: 20 }, () => rejection(bench.connect(config, { timeout: 100 }))),
    );
    assert.ok(errors.every(({ code }) => code === "start-timeout"));
    assert.deepEqual(bench.children(), []);
  });
});

Deno.test("a late close of an old connection does not touch the new one [G10]", async () => {
  await withBench(async (bench) => {
    const first = await bench.connect(bench.program("raw_stdio.ts", "stubborn"));
    const closing = first.close();
    const second = await bench.connect(bench.program("raw_stdio.ts"));
    await closing;
    await call(second, {});
    assert.deepEqual(bench.children(), [second.pid]);
  });
});
