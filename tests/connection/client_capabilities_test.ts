import assert from "node:assert/strict";
import { clientCapabilities } from "../../src/connection/client_capabilities.ts";

const elicit = (): { action: "cancel" } => ({ action: "cancel" });

Deno.test("what the handlers can do is declared, and nothing else", () => {
  assert.deepEqual(clientCapabilities(undefined, undefined), {});
  assert.deepEqual(clientCapabilities({}, { experimental: { x: {} } }), {
    experimental: { x: {} },
  });
  assert.deepEqual(clientCapabilities({ elicit }, undefined), { elicitation: { form: {} } });
  assert.deepEqual(clientCapabilities({ elicitUrl: elicit }, undefined), {
    elicitation: { url: {} },
  });
  const sample = (): never => assert.fail();
  assert.deepEqual(clientCapabilities({ elicit, elicitUrl: elicit, sample, roots: () => [] }, {}), {
    elicitation: { form: {}, url: {} },
    sampling: {},
    roots: { listChanged: true },
  });
});

Deno.test("what the host declares is added to that, and wins", () => {
  const sample = (): never => assert.fail();
  assert.deepEqual(
    clientCapabilities({ sample, roots: () => [] }, {
      sampling: { tools: {} },
      roots: { listChanged: false },
    }),
    { sampling: { tools: {} }, roots: { listChanged: false } },
  );
  // Deriving twice changes nothing.
  const once = clientCapabilities({ elicit }, { sampling: {} });
  assert.deepEqual(clientCapabilities({ elicit }, once), once);
});
