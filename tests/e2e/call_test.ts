import assert from "node:assert/strict";
import type { CallDocument } from "../../src/cli/documents.ts";
import { e2e, succeeded } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";

e2e("arguments are taken as JSON, as words by the schema, and from stdin", async (world) => {
  await world.userServers({ it: trap("good") });
  const runs = [
    await world.mcp(["call", "it", "add", '{"a": 2, "b": 40}']),
    await world.mcp(["call", "it", "add", "a=2", "b=40"]),
    await world.mcp(["call", "it", "add", "-"], { stdin: '{"a": 2, "b": 40}' }),
  ];
  for (const run of runs) assert.equal(succeeded(run).stdout, "42\n");
  assert.equal(succeeded(await world.mcp(["call", "it", "echo", "text=17"])).stdout, "17\n");
});

e2e("bad arguments are refused with what the tool takes", async (world) => {
  await world.userServers({ it: trap("good") });
  for (const args of [["{"], ["a=two", "b=1"], ["novalue"]]) {
    const run = await world.mcp(["call", "it", "add", ...args]);
    assert.equal(run.code, 2, `${args}: ${run.stdout}${run.stderr}`);
    assert.equal(run.stdout, "");
  }
});

e2e("an answer is printed before the server is stopped", async (world) => {
  await world.userServers({ it: trap("stubborn") });
  let printedAt = 0;
  const started = performance.now();
  const run = await world.mcp(["call", "it", "add", "a=1", "b=1"], {
    onStdout: () => printedAt ||= performance.now() - started,
  });
  assert.equal(succeeded(run).stdout, "2\n");
  assert.ok(run.elapsedMs - printedAt > 500, "the stubborn server was not waited for");
});

e2e(
  "what a tool does after its answer ends with the call, which its help says [B18]",
  async (world) => {
    const file = `${world.root}/done`;
    await world.userServers({ it: trap("background", file, "60000") });
    const run = succeeded(await world.mcp(["call", "it", "go"]));
    assert.equal(run.stdout, "started\n");
    assert.ok(run.elapsedMs < 10_000, "the work in the background was waited for");
    await assert.rejects(() => Deno.stat(file), Deno.errors.NotFound);
    assert.match(succeeded(await world.mcp(["call", "--help"])).stdout, /stops the server/);
  },
);

e2e("an answer that came in two shapes is printed once", async (world) => {
  await world.userServers({ it: trap("results") });
  const only = succeeded(await world.mcp(["call", "it", "structured-only"]));
  assert.match(only.stdout, /"ship":\s*"x"/);
  const array = succeeded(await world.mcp(["call", "it", "structured-array"]));
  assert.equal(array.stdout, "[1]\n");
});

e2e("a result that does not fit its schema is given with a note [E04]", async (world) => {
  await world.userServers({ it: trap("results") });
  for (
    const [name, text] of [["schema-no-structured", "only text"], ["schema-mismatch", "wrong"]]
  ) {
    const run = succeeded(await world.mcp(["call", "it", name ?? ""]));
    assert.match(run.stdout, new RegExp(text ?? ""));
  }
});

e2e(
  "images and files are named, and saved on request under safe names [E05] [E11]",
  async (world) => {
    await world.userServers({ it: trap("results") });
    const image = succeeded(await world.mcp(["call", "it", "image"]));
    assert.match(image.stdout, /image\/png/);
    assert.doesNotMatch(image.stdout, /iVBORw0KGgo/);
    const out = `${world.root}/out`;
    const saved = await world.mcp(["call", "--json", "--output", out, "it", "image"]);
    const { files } = succeeded(saved).json<CallDocument>();
    assert.equal(files.length, 1);
    assert.deepEqual([...(await Deno.readFile(files[0] ?? "")).slice(1, 4)], [0x50, 0x4e, 0x47]);
    const resource = await world.mcp(["call", "--json", "--output", out, "it", "resource"]);
    for (const file of succeeded(resource).json<CallDocument>().files) {
      assert.ok(file.startsWith(`${out}/`), file);
    }
    await assert.rejects(() => Deno.stat(`${world.root}/evil.bin`), Deno.errors.NotFound);
  },
);

e2e(
  "bad base64, unknown kinds, empty resources and empty results are no failures [E06] [E10]",
  async (world) => {
    await world.userServers({ it: trap("results") });
    for (const name of ["bad-base64", "audio", "link", "resource", "unknown-kind", "nothing"]) {
      succeeded(await world.mcp(["call", "it", name]));
    }
  },
);

e2e("a tool's own failure prints its content and exits with 5 [E08]", async (world) => {
  await world.userServers({ it: trap("results") });
  const run = await world.mcp(["call", "it", "is-error"]);
  assert.equal(run.code, 5);
  assert.match(run.stdout + run.stderr, /quota exceeded/);
  const document = (await world.mcp(["call", "--json", "it", "is-error"])).json<CallDocument>();
  assert.equal(document.isError, true);
});

e2e("30 MB of text reach a pipe whole [E07]", async (world) => {
  await world.userServers({ it: trap("big-answer") });
  const run = succeeded(await world.mcp(["call", "it", "go"], { timeoutMs: 120_000 }));
  assert.equal(run.stdout.length, 30 * 1024 * 1024 + 1);
});

e2e("an exit in a call ends the call at once, with the cause [B07]", async (world) => {
  await world.userServers({ it: trap("exit-in-call"), killed: trap("killed-in-call") });
  const run = await world.mcp(["call", "it", "go"]);
  assert.equal(run.code, 4);
  assert.match(run.stderr, /\b3\b/);
  assert.match(run.stderr, /lost the database/);
  assert.ok(run.elapsedMs < 6_000, `took ${run.elapsedMs} ms`);
  const killed = await world.mcp(["call", "killed", "go"]);
  assert.equal(killed.code, 4);
  assert.match(killed.stderr, /SIGKILL/);
});

e2e("a call without an answer ends by its time limit [C15]", async (world) => {
  await world.userServers({ it: { ...trap("hang-call"), callTimeout: 500 } });
  const run = await world.mcp(["call", "it", "go"]);
  assert.equal(run.code, 4);
  assert.ok(run.elapsedMs < 5_000, `took ${run.elapsedMs} ms`);
  const longer = await world.mcp(["call", "--timeout", "1200ms", "it", "go"]);
  assert.equal(longer.code, 4);
  assert.ok(longer.elapsedMs > 1_200);
});

e2e("progress keeps a call alive beyond its time limit [C16]", async (world) => {
  await world.userServers({ it: { ...trap("progress", "8", "250"), callTimeout: 900 } });
  assert.equal(await world.callText("it", "go"), "done with 8 steps");
});

e2e("a flood on stderr does not block a call [B08]", async (world) => {
  await world.userServers({ it: trap("stderr-in-call") });
  assert.equal(await world.callText("it", "go"), "answered after the flood");
});

e2e("a server that cancels a request ends the call with its reason [C27]", async (world) => {
  await world.userServers({ it: trap("server-cancel") });
  const run = await world.mcp(["call", "it", "go"]);
  assert.equal(run.code, 4);
  assert.match(run.stderr, /the server is shutting down/);
});

e2e("error answers of every shape end the call with the server's words [C29]", async (world) => {
  await world.userServers({ it: trap("error-shapes") });
  const said = {
    "null-id": /lost your id/,
    "string-code": /a bad thing/,
    "no-message": /-32000/,
    "with-data": /quota/,
    plain: /it broke/,
  };
  for (const [name, words] of Object.entries(said)) {
    const run = await world.mcp(["call", "it", name]);
    assert.equal(run.code, 4, `${name}: ${run.stdout}${run.stderr}`);
    assert.match(run.stderr, words);
    assert.ok(run.elapsedMs < 10_000, `${name} waited for the time limit`);
  }
});

e2e("an endless line ends that server alone [C03]", async (world) => {
  await world.userServers({ it: trap("unbounded-line") });
  const run = await world.mcp(["call", "it", "go"], { timeoutMs: 60_000 });
  assert.equal(run.code, 4);
  assert.match(run.stderr, /67,?108,?864|64 MiB/);
});

e2e("escape sequences of a server do not reach the terminal", async (world) => {
  await world.userServers({ it: trap("hidden-text") });
  const run = succeeded(await world.mcp(["tools"]));
  assert.ok(!run.stdout.includes("\u001b"), "an escape sequence was printed");
});
