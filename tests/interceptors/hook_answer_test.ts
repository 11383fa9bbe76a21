import assert from "node:assert/strict";
import { printedAnswer, readAnswer } from "../../src/interceptors/hook_answer.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

Deno.test("nothing printed means nothing to say, and only one JSON object is an answer", () => {
  assert.deepEqual(printedAnswer(bytes(" \n")), {});
  assert.deepEqual(printedAnswer(bytes(`{"veto":"no"}\n`)), { veto: "no" });
  for (const text of ["ok", "{} {}", `{"veto":"no"}\nlog line`, "[]", "null", "3", `"x"`]) {
    assert.equal(typeof printedAnswer(bytes(text)), "string", text);
  }
  assert.match(printedAnswer(new Uint8Array([0xff, 0xfe, 0xfd])) as string, /not UTF-8/);
});

Deno.test("no answer, an empty one and a veto that is false let things go on", () => {
  for (const answer of [undefined, null, {}, { veto: null }, { veto: false }]) {
    assert.deepEqual(readAnswer("before-call", answer), { said: "nothing" });
    assert.deepEqual(readAnswer("before-connect", answer), { said: "nothing" });
  }
});

Deno.test("a veto wins over other arguments, also without a reason", () => {
  assert.deepEqual(readAnswer("before-call", { veto: " not today ", arguments: {} }), {
    said: "no",
    veto: "not today",
  });
  for (const veto of ["", true]) {
    const answer = readAnswer("before-call", { veto });
    assert.equal(answer.said, "no");
  }
});

Deno.test("a reason is one line of bounded length, without what a terminal obeys [H04]", () => {
  const answer = readAnswer("before-call", { veto: `a\u001b[31m\r\nb\u0085${"x".repeat(5_000)}` });
  assert.ok(answer.said === "no");
  assert.match(answer.veto, /^a \[31m b x+…$/);
  assert.equal(answer.veto.length, 1_001);
});

Deno.test("an answer in another shape is no yes", () => {
  const wrong: readonly unknown[] = [
    "no",
    [],
    { vote: "no" },
    { Veto: "no" },
    { veto: 1 },
    { veto: { reason: "x" } },
    { arguments: [] },
    { arguments: "x" },
  ];
  for (const answer of wrong) {
    assert.equal(readAnswer("before-call", answer).said, "nonsense", JSON.stringify(answer));
  }
  assert.equal(readAnswer("before-connect", { arguments: {} }).said, "nonsense");
});
