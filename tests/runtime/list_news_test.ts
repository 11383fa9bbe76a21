import assert from "node:assert/strict";
import type { ListKind } from "../../src/model/listing.ts";
import { ListNews } from "../../src/runtime/list_news.ts";

/** A list of items with these names. */
const list = (...names: readonly string[]) => names.map((name) => ({ raw: { name } }));

Deno.test("a list is told once a turn, and only when it holds something else", async () => {
  const lists = new Map<string, ReturnType<typeof list>>();
  const nothing = list();
  const told: string[] = [];
  const news = new ListNews({
    listed: (server, kind) => lists.get(`${server} ${kind}`) ?? nothing,
    tell: (server, kind: ListKind) => told.push(`${server} ${kind}`),
  });
  const turn = async (change: () => void): Promise<readonly string[]> => {
    change();
    assert.deepEqual(told, [], "it is told when all is in place");
    await Promise.resolve();
    return told.splice(0);
  };
  assert.deepEqual(await turn(() => news.look("a")), []);
  const filled = (): void => {
    lists.set("a tools", list("x"));
    news.look("a");
    lists.set("a prompts", list("p", "q"));
    lists.set("b tools", list("x"));
    news.look("b");
    news.look("a");
  };
  assert.deepEqual(await turn(filled), ["a tools", "a prompts", "b tools"]);
  const same = (): void => {
    lists.set("a tools", list("x"));
    news.lookAtAll();
  };
  assert.deepEqual(await turn(same), []);
  const gone = (): void => {
    lists.delete("a prompts");
    lists.set("b tools", list("y"));
    news.lookAtAll();
  };
  assert.deepEqual(await turn(gone), ["a prompts", "b tools"]);
  const reordered = (): void => {
    lists.set("a prompts", list("q", "p"));
    news.look("a");
  };
  assert.deepEqual(await turn(reordered), ["a prompts"]);
  const undone = (): void => {
    const before = lists.get("b tools") ?? nothing;
    lists.delete("b tools");
    news.look("b");
    lists.set("b tools", before);
  };
  assert.deepEqual(await turn(undone), []);
});
