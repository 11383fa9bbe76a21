import assert from "node:assert/strict";
import { JoinedWrites, WriteFailure } from "../../src/connection/joined_writes.ts";

Deno.test("the texts of one turn are written in one piece, and each is told of it", async () => {
  const pieces: string[] = [];
  const writes = new JoinedWrites({
    write(text, done): void {
      pieces.push(text);
      done();
    },
  });
  const both = [writes.write("a\n"), writes.write("b\n")];
  assert.equal(writes.size, 4);
  await Promise.all(both);
  await writes.write("c\n");
  assert.deepEqual(pieces, ["a\nb\n", "c\n"]);
  assert.equal(writes.size, 0);
});

/** What a write of so many lines at once fails with. */
async function failure(
  lines: readonly string[],
  code: string,
  destroyed = false,
): Promise<WriteFailure> {
  const writes = new JoinedWrites({
    destroyed,
    write: (_text, done) => done(Object.assign(new Error("no"), { code })),
  });
  const [first, ...others] = await Promise.all(
    lines.map((line) => writes.write(line).then(() => null, (thrown: unknown) => thrown)),
  );
  assert.ok(first instanceof WriteFailure);
  for (const other of others) assert.equal(other, first);
  return first;
}

Deno.test("what the system refused was not taken, unless it may have taken the lines before", async () => {
  const long = "x".repeat(1_000);
  assert.equal((await failure([long], "EPIPE")).isSure, true);
  assert.equal((await failure(["a", "b"], "EPIPE")).isSure, true);
  assert.equal((await failure(["a", long], "EPIPE")).isSure, false);
});

Deno.test("a stream that ends while it writes knows nothing of what was taken", async () => {
  assert.equal((await failure(["a"], "ERR_STREAM_DESTROYED")).isSure, false);
  assert.equal((await failure(["a"], "ERR_STREAM_DESTROYED", true)).isSure, true);
});
