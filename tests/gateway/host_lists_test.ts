import assert from "node:assert/strict";
import type { GatewayList } from "../../src/gateway/gateway_session.ts";
import { HostLists } from "../../src/gateway/host_lists.ts";
import { ListWatch } from "../../src/gateway/list_watch.ts";
import { Offer } from "../../src/gateway/offer.ts";
import type { ListedItem } from "../../src/model/listing.ts";
import { silentLogger } from "../../src/model/log.ts";
import { FakeClock } from "../runtime/fake_clock.ts";
import { itemsOf, sessionWith } from "./made.ts";

/** The lists of a host, and which of them it was told of. */
function made(host: { ready: boolean } = { ready: true }): { lists: HostLists; told: string[] } {
  const told: string[] = [];
  const lists = new HostLists({
    mayTell: () => host.ready,
    tell: (list) => void told.push(list),
  });
  return { lists, told };
}

Deno.test("a host is told of a list unless it was given that very one [D12]", () => {
  const { lists, told } = made();
  lists.changed("prompts", { prompts: 1 });
  lists.given("prompts", 2);
  lists.changed("prompts", { prompts: 2 });
  lists.changed("prompts", { prompts: 3 });
  assert.deepEqual(told.splice(0), ["prompts", "prompts"]);
  lists.given("resources", 1);
  lists.changed("resources", { resources: 1, resourceTemplates: 5 });
  assert.deepEqual(told.splice(0), [], "it never asks for templates");
  lists.given("resourceTemplates", 5);
  lists.changed("resources", { resources: 1, resourceTemplates: 6 });
  assert.deepEqual(told.splice(0), ["resources"]);
});

Deno.test("a host that is not ready is told once it is, of each list once", () => {
  const host = { ready: false };
  const { lists, told } = made(host);
  lists.changed("prompts", { prompts: 1 });
  lists.changed("prompts", { prompts: 2 });
  lists.ready();
  assert.deepEqual(told, []);
  host.ready = true;
  lists.ready();
  lists.ready();
  assert.deepEqual(told, ["prompts"]);
});

Deno.test("changes of several servers are told in one go, and what hosts see no change of not at all [D14]", async () => {
  const clock = new FakeClock();
  const items = new Map<string, readonly ListedItem[]>();
  const listed = (server: string, kind: GatewayList): readonly ListedItem[] =>
    items.get(`${server} ${kind}`) ?? [];
  const offer = new Offer({
    session: { ...sessionWith([["a", {}], ["b", {}]]), listed },
    patterns: { only: [], except: ["b"] },
    profile: null,
    naming: "server",
    isStrict: false,
    lazy: false,
    unseen: null,
    log: silentLogger,
  });
  const told: unknown[] = [];
  const ended = new AbortController();
  const watch = new ListWatch({
    offer,
    clock,
    ended: ended.signal,
    onChanged: (list, versions) => void told.push([list, versions]),
  });
  const turn = async (): Promise<readonly unknown[]> => {
    watch.changed();
    watch.changed();
    await clock.turn(200);
    return told.splice(0);
  };
  assert.deepEqual(await turn(), []);
  items.set("a prompts", itemsOf("prompts", "p"));
  items.set("a resourceTemplates", itemsOf("resourceTemplates", "t:{x}"));
  assert.deepEqual(await turn(), [
    ["prompts", { prompts: 1 }],
    ["resources", { resources: 0, resourceTemplates: 1 }],
  ]);
  items.set("a prompts", itemsOf("prompts", "p"));
  items.set("b prompts", itemsOf("prompts", "hidden"));
  assert.deepEqual(await turn(), [], "read anew, and left out");
  items.delete("a prompts");
  assert.deepEqual(await turn(), [["prompts", { prompts: 2 }]]);
  ended.abort();
  items.set("a prompts", itemsOf("prompts", "q"));
  assert.deepEqual(await turn(), []);
  assert.equal(clock.waiting, 0);
});
