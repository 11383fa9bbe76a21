import assert from "node:assert/strict";
import { listTools } from "../../src/connection/listing.ts";
import { forwardRequest, ownWords } from "../../src/connection/forward_request.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/model/json.ts";
import { everywhere } from "./everywhere.ts";

const KEY = "dev.hotplug/chain";

/** The chain that a request tells; `undefined` for none. */
function chainIn({ params }: JsonObject): JsonValue | undefined {
  const meta = isJsonObject(params) ? params["_meta"] : null;
  return isJsonObject(meta) ? meta[KEY] : undefined;
}

Deno.test("a server is told the sessions around it when a conversation begins, and in the modern era always", async () => {
  await everywhere(async ({ config, era }, bench) => {
    const sent: JsonObject[] = [];
    const connection = await bench.connect(config, {
      chain: ["outer", "own"],
      trace: ({ direction, frame }) => {
        if (direction === "sent") sent.push(JSON.parse(frame));
      },
    });
    await listTools(connection);
    // What somebody else said is not given on.
    const { params, meta } = ownWords({ name: "none", _meta: { [KEY]: ["forged"], x: 1 } });
    await forwardRequest(connection, { method: "tools/call", params, tool: null }, { meta })
      .catch(() => {});
    const told = (method: string): readonly (JsonValue | undefined)[] =>
      sent.filter((message) => message["method"] === method).map(chainIn);
    const opening = sent.filter(({ method }) =>
      method === "initialize" || method === "server/discover"
    );
    assert.ok(opening.length > 0);
    for (const message of opening) assert.deepEqual(chainIn(message), ["outer", "own"]);
    const later = era === "modern" ? [["outer", "own"]] : [undefined];
    assert.deepEqual(told("tools/list"), later);
    assert.deepEqual(told("tools/call"), later);
  });
});

Deno.test("without a session nothing is told", async () => {
  await everywhere(async ({ config }, bench) => {
    let text = "";
    await bench.connect(config, { trace: ({ frame }) => text += frame });
    assert.ok(text.length > 0);
    assert.ok(!text.includes(KEY), text);
  });
});
