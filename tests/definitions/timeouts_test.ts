import assert from "node:assert/strict";
import { callTimeout, MAX_CALL_MS, startupTimeout } from "../../src/definitions/timeouts.ts";

Deno.test("times default to 30 s for a start and 60 s for a call", () => {
  assert.deepEqual([startupTimeout({}), callTimeout({}), MAX_CALL_MS], [30_000, 60_000, 600_000]);
  assert.deepEqual([startupTimeout({ callTimeout: 1 }), callTimeout({ callTimeout: 1 })], [
    30_000,
    1,
  ]);
});

Deno.test("times that no timer keeps are brought into its range", () => {
  assert.equal(callTimeout({ callTimeout: 1e12 }), 2 ** 31 - 1);
  assert.equal(startupTimeout({ startupTimeout: 0.2 }), 1);
  for (const startup of [0, -1, NaN]) {
    assert.equal(startupTimeout({ startupTimeout: startup }), 30_000);
  }
});
