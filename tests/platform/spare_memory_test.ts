import assert from "node:assert/strict";
import { giveMemoryBack } from "../../src/platform/spare_memory.ts";

Deno.test("giveMemoryBack() collects what nobody holds any more", async () => {
  const forgotten = ((): WeakRef<object> => new WeakRef({ size: 1 }))();
  // A weak reference holds its object until the end of the turn.
  await new Promise((resolve) => setTimeout(resolve));
  giveMemoryBack();
  assert.equal(forgotten.deref(), undefined);
});
