import assert from "node:assert/strict";
import type { MCPServerConnection } from "../../src/model/connection.ts";
import { CallsInFlight } from "../../src/runtime/calls_in_flight.ts";
import { DRAIN_MS, RetiredConnections } from "../../src/runtime/retired_connections.ts";
import type { ServerStart } from "../../src/runtime/server_start.ts";
import { FakeClock } from "./fake_clock.ts";

Deno.test("what is cut before it is known to have a connection does not wait for its calls", async () => {
  const clock = new FakeClock();
  const calls = new CallsInFlight();
  const retired = new RetiredConnections(clock, calls);
  let closed = 0;
  const connection = {
    closed: new Promise(() => {}),
    close: () => Promise.resolve(void closed++),
  } as unknown as MCPServerConnection;
  const held = Promise.withResolvers<void>();
  const call = calls.over(connection, () => held.promise);
  const opened = Promise.withResolvers<MCPServerConnection>();
  const attempt = {
    async abandon(drained: (opened: MCPServerConnection) => Promise<void> | null): Promise<void> {
      const connection = await opened.promise;
      await drained(connection);
      await connection.close();
    },
  } as unknown as ServerStart;
  retired.abandon(attempt, DRAIN_MS);
  retired.cut();
  opened.resolve(connection);
  await retired.ended();
  assert.equal(closed, 1);
  assert.equal(clock.waiting, 0);
  held.resolve();
  await call;
});
