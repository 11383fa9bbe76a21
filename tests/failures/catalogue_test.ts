import assert from "node:assert/strict";
import { catalogueRows, taggedTests } from "./catalogue.ts";

Deno.test("every failure that a test names stands in the catalogue, with the test's file", async () => {
  const [tests, rows] = await Promise.all([taggedTests(), catalogueRows()]);
  assert.ok(tests.length > 150, "the tests were found");
  const lacking = tests.filter(({ id, file }) =>
    rows.get(id)?.includes(file.replace(/^tests\//, "")) !== true
  );
  assert.deepEqual(lacking.map(({ id, file }) => `${id} ${file}`), []);
});

Deno.test("every file that the catalogue names has a test of that failure", async () => {
  const [tests, rows] = await Promise.all([taggedTests(), catalogueRows()]);
  const files = new Set(tests.map(({ id, file }) => `${id} ${file.replace(/^tests\//, "")}`));
  const wrong = [...rows].flatMap(([id, rest]) =>
    [...rest.matchAll(/[\w/]+_test\.ts/g)].map(([file]) => `${id} ${file}`)
  ).filter((entry) => !files.has(entry));
  assert.deepEqual(wrong, []);
});
