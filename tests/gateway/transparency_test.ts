import assert from "node:assert/strict";
import { canonicalJson } from "../../src/definitions/canonical_json.ts";
import { SERVER_INFO } from "../../src/gateway/protocol_versions.ts";
import { e2e, type World } from "../harness/e2e.ts";
import { offeringServer } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { EraHost, HOST_ERAS, type HostEra } from "./era_host.ts";
import type { Message } from "./raw_host.ts";

/** Requests that are forwarded, one of each kind and of each kind of failure. */
const FORWARDED: readonly (readonly [string, Message])[] = [
  ["tools/call", { name: "link", arguments: { uri: "shared:note" } }],
  ["tools/call", { name: "link", arguments: { uri: "never:seen" } }],
  ["tools/call", { name: "wishes" }],
  ["prompts/get", { name: "ask", arguments: { what: "time" } }],
  ["resources/read", { uri: "shared:note" }],
  ["resources/read", { uri: "shared://made" }],
  ["resources/read", { uri: "s:only" }],
  ["resources/read", { uri: "not:listed" }],
  ["completion/complete", {
    ref: { type: "ref/prompt", name: "ask" },
    argument: { name: "what", value: "t" },
  }],
  ["completion/complete", {
    ref: { type: "ref/resource", uri: "shared://{id}" },
    argument: { name: "id", value: "" },
    context: { arguments: { a: "b" } },
  }],
];

/** Lists, and what their items stand under. */
const LISTS: readonly (readonly [string, string])[] = [
  ["tools/list", "tools"],
  ["prompts/list", "prompts"],
  ["resources/list", "resources"],
  ["resources/templates/list", "resourceTemplates"],
];

/**
 * What the gateway adds to a result that a server has given: nothing, but for hosts of the modern
 * era what their revision asks for and a server of the legacy era cannot know.
 */
function additions(host: HostEra, server: HostEra, method: string): Message {
  if (host === "legacy" || server === "modern") return {};
  const kept = method === "resources/read" ? { ttlMs: 0, cacheScope: "private" } : {};
  return { resultType: "complete", ...kept };
}

/** The only server, and the gateway before it under its own names. */
async function both(
  world: World,
  host: HostEra,
  server: HostEra,
  test: (direct: EraHost, through: EraHost) => Promise<void>,
): Promise<void> {
  const started = offeringServer(server, "s");
  await world.userServers({ s: started });
  await using direct = await EraHost.open(world, server, { direct: started });
  await using through = await EraHost.open(world, host, { args: ["--naming", "bare"] });
  await test(direct, through);
}

function same(got: unknown, wanted: unknown, about: string): void {
  assert.equal(canonicalJson(got as never), canonicalJson(wanted as never), about);
}

for (const host of HOST_ERAS) {
  for (const server of HOST_ERAS) {
    e2e(
      `what a ${server} server answers reaches a ${host} host to the last byte`,
      async (world) => {
        await both(world, host, server, async (direct, through) => {
          await through.result("resources/list");
          for (const [method, params] of FORWARDED) {
            const wanted = await direct.result(method, params);
            const got = await through.result(method, params);
            same(got, { ...wanted, ...additions(host, server, method) }, JSON.stringify(params));
          }
        });
      },
    );

    e2e(
      `what a ${server} server lists reaches a ${host} host but for who gives it`,
      async (world) => {
        await both(world, host, server, async (direct, through) => {
          for (const [method, list] of LISTS) {
            const { [list]: wanted } = await direct.result(method);
            const { [list]: got, _meta, ...rest } = await through.result(method);
            const { "dev.hotplug/servers": outcomes, "dev.hotplug/generation": _, ...meta } =
              _meta as Message;
            same(outcomes, {
              s: { state: "connected", [list]: (wanted as []).length, error: null },
            }, list);
            const isModern = host === "modern";
            same(meta, isModern ? { "io.modelcontextprotocol/serverInfo": SERVER_INFO } : {}, list);
            const cached = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
            same(rest, isModern ? cached : {}, list);
            const named = (wanted as readonly Message[]).map((item) => ({
              ...item,
              // Many hosts refuse a tool whose schema has no properties, or without a description.
              ...(list === "tools"
                ? { description: "", inputSchema: { type: "object", properties: {} } }
                : {}),
              _meta: { ...(item["_meta"] as Message | undefined), "dev.hotplug/server": "s" },
            }));
            const given = (got as readonly Message[]).map((item) => {
              const { "dev.hotplug/via": via, ...rest } = item["_meta"] as Message;
              assert.equal((via as readonly unknown[]).length, 1, list);
              return { ...item, _meta: rest };
            });
            same(given, named, list);
          }
        });
      },
    );

    e2e(`how a ${server} server refuses reaches a ${host} host as it is`, async (world) => {
      await both(world, host, server, async (direct, through) => {
        const params = { ref: { type: "ref/prompt", name: "ask" } };
        const { error } = await direct.ask("completion/complete", params);
        same((await through.ask("completion/complete", params))["error"], error, "refusal");
        assert.ok(error !== undefined);
      });
    });

    e2e(
      `what a ${server} server tells of a resource reaches a ${host} host as it is`,
      async (world) => {
        await both(world, host, server, async (direct, through) => {
          const uri = "shared:note";
          const method = "notifications/resources/updated";
          for (const client of [direct, through]) {
            const id = await client.listen({ resourceSubscriptions: [uri] });
            await client.text("touch", { uri });
            await until(() => client.heard(method).length > 0);
            const _meta = id === null ? {} : {
              _meta: { "io.modelcontextprotocol/subscriptionId": id },
            };
            same(client.heard(method)[0], { uri, ..._meta }, client.era);
          }
        });
      },
    );
  }
}
