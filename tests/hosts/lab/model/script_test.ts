import assert from "node:assert/strict";
import { replyTo, turnIn, turnOf, turnText } from "./script.ts";

const TURN = {
  number: 3,
  calls: [{ tool: "one_echo", args: { text: "a b" } }, { tool: "two_echo", args: {} }],
};
const REQUEST = { tools: ["read", "mcp_one_echo"], prompts: [turnText(TURN)], results: [] };

Deno.test("a turn is read from its text, whatever a host puts around it", () => {
  assert.deepEqual(turnIn(`<context/> ${turnText(TURN)}\nToday is Monday.`), TURN);
  assert.equal(turnIn("Write a title for this conversation"), null);
});

Deno.test("what a host asks beside its turns belongs to none", () => {
  assert.deepEqual(turnOf(REQUEST), TURN);
  assert.equal(turnOf({ ...REQUEST, tools: [] }), null);
  assert.equal(turnOf({ ...REQUEST, prompts: [turnText(TURN), "Suggest something"] }), null);
  const reminded = [turnText(TURN), "<system-reminder>9 tokens left</system-reminder>"];
  assert.deepEqual(turnOf({ ...REQUEST, prompts: reminded }), TURN);
});

Deno.test("the model calls what is asked, one after the other, and a gone tool by its old name", () => {
  const text = (said: string): object => ({ kind: "text", text: said });
  const first = { kind: "call", tool: "mcp_one_echo", args: { text: "a b" } };
  assert.deepEqual(replyTo(TURN, REQUEST, []), first);
  const second = { ...REQUEST, results: ["a b"] };
  const old = { kind: "call", tool: "host__two_echo", args: {} };
  assert.deepEqual(replyTo(TURN, second, ["host__two_echo"]), old);
  assert.deepEqual(replyTo(TURN, second, []), text('There is no tool "two_echo".'));
  const last = { ...REQUEST, results: ["a b", "gone"] };
  assert.deepEqual(replyTo(TURN, last, []), text("Turn 3 is done."));
});
