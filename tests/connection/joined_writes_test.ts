import assert from "node:assert/strict";
import { JoinedWrites } from "../../src/connection/joined_writes.ts";

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

Deno.test("when a piece cannot be written, all that were in it are told why", async () => {
  const writes = new JoinedWrites({ write: (_text, done) => done(new Error("EPIPE")) });
  for (const outcome of await Promise.allSettled([writes.write("a"), writes.write("b")])) {
    assert.equal(outcome.status, "rejected");
  }
});
