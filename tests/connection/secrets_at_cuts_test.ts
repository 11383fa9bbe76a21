import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { toHotplugError } from "../../src/model/errors.ts";
import { StdioTransport } from "../../src/connection/stdio_transport.ts";
import { textMasker } from "../../src/definitions/secrets.ts";
import { withFake } from "./fake_http.ts";
import { withBench } from "./harness.ts";
import type { ProcessExit, ProcessGroup } from "../../src/platform/process_group.ts";

const SECRET = "tok-3f9a77c1e0b24d5896aa";

/** What a server's output becomes. */
interface Kept {
  /** Lines of stderr that were given on. */
  readonly lines: readonly string[];
  /** The end of stderr for errors. */
  readonly tail: string;
  /** What is said of stray lines on stdout. */
  readonly noise: string;
}

/** Lets a process write, and end. */
async function written(
  text: { readonly stderr?: string; readonly stdout?: string },
): Promise<Kept> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const exit = Promise.withResolvers<ProcessExit>();
  const group: ProcessGroup = {
    pid: 1,
    stdin,
    stdout,
    stderr,
    exited: exit.promise,
    isAlive: () => false,
    signal: () => false,
  };
  const lines: string[] = [];
  const transport = new StdioTransport({
    name: "s",
    group,
    mask: textMasker([SECRET]),
    onStderr: (line) => lines.push(line),
  });
  await transport.start();
  stderr.end(text.stderr ?? "");
  stdout.end(text.stdout ?? "");
  exit.resolve({ code: 0, signal: null });
  await transport.ended;
  return { lines, tail: transport.stderrTail(), noise: transport.noise.warning() ?? "" };
}

/** Fails when a text holds the start or the end of the secret. */
function holdsNoPart(text: string, place: string): void {
  for (const part of [SECRET.slice(0, 6), SECRET.slice(-6)]) assert.ok(!text.includes(part), place);
}

Deno.test("no part of a secret shows where a long line of stderr is cut, or its tail begins", async () => {
  const half = SECRET.length / 2;
  for (const place of [8 * 1024, 64 * 1024]) {
    const line = `${"x".repeat(place - half)}${SECRET}${"y".repeat(3_000)}`;
    const { lines, tail } = await written({ stderr: `${line}\nlast\n` });
    assert.equal(lines.length, 2);
    assert.equal(lines[1], "last");
    for (const text of [...lines, tail]) {
      holdsNoPart(text, `cut at ${place}`);
      assert.ok(text.length < 10_000);
    }
  }
  const end = `${SECRET}${"z".repeat(4_000 - half)}`;
  holdsNoPart((await written({ stderr: `${"x".repeat(1_000)}${end}\n` })).tail, "tail");
});

Deno.test("no part of a secret shows where a stray line of stdout is cut", async () => {
  const { noise } = await written({ stdout: `${"x".repeat(120 - SECRET.length / 2)}${SECRET}\n` });
  assert.match(noise, /^Skipped 1 line/);
  holdsNoPart(noise, noise);
});

Deno.test("no part of a secret shows where the body of a refusal is cut", async () => {
  const body = `${"x".repeat(200 - SECRET.length / 2)}${SECRET}${"y".repeat(100)}`;
  const answers = [
    (): Response => new Response(body, { status: 500 }),
    (): Response => new Response(body, { status: 403 }),
    (): Response => new Response(body, { headers: { "content-type": "text/plain" } }),
  ];
  for (const answer of answers) {
    await withFake(answer, async (fake) => {
      await withBench(async (bench) => {
        const error = toHotplugError(
          await bench.connect({ url: fake.url }, { secrets: [SECRET] }).catch((thrown) => thrown),
        );
        assert.match(error.message, /xxx/);
        holdsNoPart(JSON.stringify(error.toInfo()), error.message);
      });
    });
  }
});
