import assert from "node:assert/strict";
import { startEverything, startSdkServer } from "./http_servers.ts";
import { makeTempHome } from "./temp_home.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "raw", version: "1.0.0" },
  },
};

/** Status of a POST of `initialize`. */
async function status(url: string): Promise<number> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
    },
    body: JSON.stringify(INITIALIZE),
  });
  await response.body?.cancel();
  return response.status;
}

Deno.test("server-everything from npm answers over Streamable HTTP", async () => {
  const home = await makeTempHome();
  const server = await startEverything(home, "streamableHttp");
  try {
    assert.equal(await status(server.url), 200);
  } finally {
    await server.close();
    await home.remove();
  }
});

Deno.test("server-everything from npm opens a stream over the old transport", async () => {
  const home = await makeTempHome();
  const server = await startEverything(home, "sse");
  try {
    const response = await fetch(server.url);
    assert.equal(response.status, 200);
    await response.body?.cancel();
  } finally {
    await server.close();
    await home.remove();
  }
});

for (const [era, expected] of [["dual", 200], ["legacy", 200], ["modern", 400]] as const) {
  Deno.test(`sdk_${era} answers initialize over HTTP with ${expected}`, async () => {
    const home = await makeTempHome();
    const server = await startSdkServer(home, era);
    try {
      assert.equal(await status(server.url), expected);
    } finally {
      await server.close();
      await home.remove();
    }
  });
}
