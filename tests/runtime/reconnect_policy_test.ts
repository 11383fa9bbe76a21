import assert from "node:assert/strict";
import { FailureHistory } from "../../src/runtime/failure_history.ts";
import { failureKind, nextAttemptIn } from "../../src/runtime/reconnect_policy.ts";

const middle = (): number => 0.5;

Deno.test("the waits double from half a second, and then a process is given up [B22]", () => {
  const waits = [1, 2, 3, 4, 5, 6].map((inARow) =>
    nextAttemptIn("stdio", { inARow, starts: [], now: 0 }, middle)
  );
  assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, null]);
});

Deno.test("a remote server is asked for every minute, however long it is away [B22]", () => {
  const waits = [5, 6, 7, 1000].map((inARow) =>
    nextAttemptIn("remote", { inARow, starts: [], now: 0 }, middle)
  );
  assert.deepEqual(waits, [8000, 60_000, 60_000, 60_000]);
});

Deno.test("the waits are spread by a quarter each way", () => {
  const wait = (random: number): number | null =>
    nextAttemptIn("stdio", { inARow: 2, starts: [], now: 0 }, () => random);
  assert.deepEqual([wait(0), wait(1)], [750, 1250]);
});

Deno.test("eight starts within thirty seconds stop a process, a pause lets it start again", () => {
  const starts = [0, 1, 2, 3, 4, 5, 6, 7].map((second) => second * 1000);
  assert.equal(nextAttemptIn("stdio", { inARow: 1, starts, now: 8_000 }, middle), null);
  assert.equal(nextAttemptIn("stdio", { inARow: 1, starts, now: 30_500 }, middle), 500);
  assert.equal(nextAttemptIn("remote", { inARow: 1, starts, now: 8_000 }, middle), 500);
});

Deno.test("a program that ends at its first start is set up wrongly, later it has crashed", () => {
  assert.equal(failureKind("server-exited", false), "lasting");
  assert.equal(failureKind("server-exited", true), "passing");
  assert.equal(failureKind("start-timeout", false), "passing");
  assert.equal(failureKind("missing-variable", true), "definition");
  assert.equal(failureKind("needs-auth", true), "needs-auth");
});

Deno.test("a gateway that would lead back is left out and never tried again by itself", () => {
  for (const wasOpen of [false, true]) {
    const history = new FailureHistory(true, middle);
    history.started(0);
    if (wasOpen) history.opened(1);
    assert.deepEqual(history.failed("gateway-loop", "remote", 2), { event: "loop", wait: null });
  }
});

Deno.test("a connection that stood long makes earlier failures forgotten", () => {
  const history = new FailureHistory(true, middle);
  let now = 0;
  const lose = (stood: number): number | null => {
    history.started(now);
    history.opened(now);
    now += stood;
    return history.failed("connection-closed", "stdio", now).wait;
  };
  assert.deepEqual([lose(1000), lose(1000), lose(1000)], [500, 1000, 2000]);
  assert.equal(lose(31_000), 500);
});

Deno.test("without reconnecting a loss is a drop and a failed attempt is the last", () => {
  const history = new FailureHistory(false, middle);
  history.started(0);
  assert.equal(history.failed("start-timeout", "remote", 1).event, "gave-up");
  history.started(2);
  history.opened(3);
  assert.equal(history.failed("server-exited", "stdio", 4).event, "dropped");
});
