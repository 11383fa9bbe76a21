import assert from "node:assert/strict";
import { kin, telling, wordsOf } from "../../../src/gateway/lazy/words.ts";

Deno.test("names in every spelling are the same words", () => {
  for (const name of ["get_http_status", "getHTTPStatus", "get-http-status", "Get HTTP status"]) {
    assert.deepEqual(wordsOf(name), ["get", "http", "status"], name);
  }
});

Deno.test("a word and its usual endings are one", () => {
  const alike = (...texts: readonly string[]): void => {
    assert.equal(new Set(texts.map((text) => wordsOf(text).join())).size, 1, texts.join());
  };
  alike("create", "creates", "created", "creating");
  alike("directory", "directories", "Directory");
  alike("run", "running", "runs");
  alike("file", "files");
  alike("Grösse", "gro\u0308sse", "GROSSE");
  alike("issue", "issues");
  assert.notDeepEqual(wordsOf("status"), wordsOf("stat"));
});

Deno.test("writing without spaces is looked at in pairs", () => {
  assert.deepEqual(wordsOf("検索する"), ["検索", "索す", "する"]);
  assert.deepEqual(wordsOf("木"), ["木"]);
});

Deno.test("of a question only what says something counts, unless there is nothing else", () => {
  assert.deepEqual(telling(wordsOf("How can I read the file with a tool, please read")), [
    "read",
    "fil",
  ]);
  assert.deepEqual(telling(wordsOf("what can it do")), ["what", "can", "it", "do"]);
});

Deno.test("words that mean nearly the same know each other, both ways", () => {
  const [remove = "", remov = "", erase = ""] = ["remove", "delete", "erase"].flatMap((text) =>
    wordsOf(text)
  );
  assert.ok(kin(remove).includes(remov));
  assert.ok(kin(remov).includes(remove));
  assert.ok(kin(erase).includes(remove));
  assert.deepEqual(kin("zebra"), []);
});
