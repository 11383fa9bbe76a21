import assert from "node:assert/strict";
import { join } from "node:path";
import type { ErrorDocument } from "../../src/cli/documents.ts";
import { e2e, succeeded } from "../harness/e2e.ts";
import { startSdkServer } from "../harness/http_servers.ts";
import { trap } from "../harness/servers.ts";

interface Traced {
  readonly server: string;
  readonly transport: string;
  readonly direction: string;
  readonly kind: string;
  readonly method: string | null;
  readonly id: string | number | null;
  readonly frame: { readonly params?: { readonly arguments?: unknown } };
}

const SECRET = "s3cr3t-t0ken-of-this-test";

async function traced(path: string): Promise<readonly Traced[]> {
  return (await Deno.readTextFile(path)).trimEnd().split("\n").map((line) => JSON.parse(line));
}

e2e("--trace writes each message of a call over stdio, and no secret", async (world) => {
  const good = trap("good");
  await world.userServers({ it: { ...good, env: { ...good.env, API_KEY: SECRET } } });
  const args = ["call", "--trace", "trace.jsonl", "it", "echo", `text=my ${SECRET}`];
  const run = succeeded(await world.mcp(args));
  assert.ok(run.stdout.includes(SECRET), "the server got it and says it");
  const path = join(world.project, "trace.jsonl");
  const lines = await traced(path);
  assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
  assert.ok(!(await Deno.readTextFile(path)).includes(SECRET));
  assert.deepEqual(
    lines.map(({ direction, kind, method }) => [direction, kind, method]),
    [
      ["sent", "request", "initialize"],
      ["received", "result", null],
      ["sent", "notification", "notifications/initialized"],
      ["sent", "request", "tools/list"],
      ["received", "result", null],
      ["sent", "request", "tools/call"],
      ["received", "result", null],
    ],
  );
  assert.ok(lines.every(({ server, transport }) => server === "it" && transport === "stdio"));
  assert.deepEqual(lines[5]?.frame.params?.arguments, { text: "my ***" });
  assert.equal(lines[5]?.id, lines[6]?.id);
});

e2e("--trace shows both directions over HTTP, and no header", async (world) => {
  const http = await startSdkServer(world, "dual");
  try {
    const headers = { Authorization: `Bearer ${SECRET}` };
    await world.userServers({ web: { type: "http", url: http.url, headers } });
    succeeded(await world.mcp(["status", "--trace", "t.jsonl"]));
    const path = join(world.project, "t.jsonl");
    const lines = await traced(path);
    assert.ok(lines.every(({ transport }) => transport === "streamable_http"));
    assert.ok(lines.some(({ direction, kind }) => direction === "received" && kind === "result"));
    const listed = lines.find(({ method }) => method === "tools/list");
    assert.ok(lines.some(({ direction, id }) => direction === "received" && id === listed?.id));
    const text = await Deno.readTextFile(path);
    assert.ok(!text.includes(SECRET) && !/authorization/i.test(text));
  } finally {
    await http.close();
  }
});

e2e(
  "--trace - writes to stderr, and a file that cannot be written is told at once",
  async (world) => {
    await world.userServers({ it: trap("good") });
    const run = succeeded(await world.mcp(["tools", "--json", "--trace", "-"]));
    const [first] = run.stderr.split("\n").filter((line) => line.startsWith("{"));
    assert.equal((JSON.parse(first ?? "") as Traced).method, "initialize");
    run.json();
    const bad = await world.mcp(["status", "--json", "--trace", "none/there.jsonl"]);
    assert.equal(bad.code, 2);
    assert.match(bad.json<ErrorDocument>().error.message, /^Cannot write the trace to ".*ENOENT/);
  },
);
