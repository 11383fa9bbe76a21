import assert from "node:assert/strict";
import { startHttpTrap } from "./http_trap.ts";
import { httpBehaviours } from "./http_trap/behaviours.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {} },
};
const LIST = { jsonrpc: "2.0", id: 2, method: "tools/list" };

/** Posts a message, without following redirects. */
function post(
  url: string,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(10_000),
  });
}

/** Status, and the start of the body, of one POST. */
async function posted(
  behaviour: string,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<readonly [number, string]> {
  const trap = await startHttpTrap(behaviour);
  try {
    const response = await post(trap.url, message, headers);
    return [response.status, (await response.text()).trim().slice(0, 200)];
  } finally {
    await trap.close();
  }
}

Deno.test("the good trap lists its tool", async () => {
  const [status, body] = await posted("good", LIST);
  assert.equal(status, 200);
  assert.match(body, /"name":"echo"/);
});

for (
  const [behaviour, status] of [
    ["unauthorized", 401],
    ["forbidden", 403],
    ["server-error", 500],
    ["redirect-foreign", 307],
    ["sse-405", 405],
    ["version-400", 400],
  ] as const
) {
  Deno.test(`${behaviour} answers with ${status}`, async () => {
    assert.equal((await posted(behaviour, INITIALIZE))[0], status);
  });
}

Deno.test("lost-404 forgets its first session at the first call", async () => {
  const trap = await startHttpTrap("lost-404");
  try {
    const call = { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "echo" } };
    const statuses: number[] = [];
    for (let round = 0; round < 2; round++) {
      const opened = await post(trap.url, INITIALIZE);
      const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
      await opened.body?.cancel();
      const answered = await post(trap.url, call, session);
      await answered.body?.cancel();
      statuses.push(answered.status);
    }
    assert.deepEqual(statuses, [404, 200]);
  } finally {
    await trap.close();
  }
});

Deno.test("sse-405 tells its endpoint and answers on the stream", async () => {
  const trap = await startHttpTrap("sse-405");
  try {
    const stream = await fetch(trap.url);
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    assert.match((await reader?.read())?.value ?? "", /event: endpoint\ndata: \/messages/);
    await (await post(`${trap.origin}/messages?session=1`, LIST)).body?.cancel();
    assert.match((await reader?.read())?.value ?? "", /"name":"echo"/);
    await reader?.cancel();
  } finally {
    await trap.close();
  }
});

Deno.test("gzip-bomb grows to 256 MiB", async () => {
  const trap = await startHttpTrap("gzip-bomb");
  try {
    const { body } = await post(trap.url, LIST);
    let bytes = 0;
    for await (const piece of body ?? []) bytes += piece.length;
    assert.equal(bytes, 256 * 1024 * 1024);
  } finally {
    await trap.close();
  }
});

Deno.test("every behaviour lets itself be closed while it hangs", async () => {
  for (const behaviour of httpBehaviours.keys()) {
    const trap = await startHttpTrap(behaviour);
    const options = { method: "POST", body: JSON.stringify(LIST), redirect: "manual" } as const;
    const asked = fetch(trap.url, options).then((answer) => answer.body?.cancel());
    const settled = asked.catch(() => {});
    await new Promise((wake) => setTimeout(wake, 20));
    await trap.close();
    await settled;
  }
});
