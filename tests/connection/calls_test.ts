import assert from "node:assert/strict";
import { complete, ping } from "../../src/connection/calls.ts";
import { everywhere } from "./everywhere.ts";
import { rejection, withBench } from "./harness.ts";

Deno.test("a server that is there answers a ping, also one that knows none", async () => {
  await everywhere(async (place, bench) => {
    const connection = await bench.connect(place.config);
    assert.ok(await ping(connection) >= 0);
    await connection.close();
    assert.equal((await rejection(ping(connection))).code, "connection-closed");
  });
  await withBench(async (bench) => {
    // It answers "method not found".
    assert.ok(await ping(await bench.connect(bench.program("raw_stdio.ts", "plain"))) >= 0);
  });
});

Deno.test("arguments of prompts and templates are completed", async () => {
  await everywhere(async (place, bench) => {
    const connection = await bench.connect(place.config);
    const ref = { type: "ref/prompt", name: "greet" } as const;
    const argument = { name: "who", value: "A" };
    const found = await complete(connection, ref, argument, { context: { other: "1" } });
    assert.equal(found.values[0], "A!");
    assert.equal(found.hasMore, false);
    assert.equal(found.total, place.era === "legacy" ? 7 : null);
    if (place.era === "legacy") {
      assert.deepEqual(JSON.parse(found.values[1] ?? ""), {
        ...JSON.parse(found.values[1] ?? ""),
        ref,
        argument,
        context: { arguments: { other: "1" } },
      });
    }
    await connection.close();
  });
});
