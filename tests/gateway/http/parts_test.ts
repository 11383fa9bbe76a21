import assert from "node:assert/strict";
import { acceptedTypes, isJsonType } from "../../../src/gateway/http/accepted.ts";
import { Admission } from "../../../src/gateway/http/admission.ts";
import { HostRules } from "../../../src/gateway/http/host_rules.ts";
import { decodedHeader, modernRefusal } from "../../../src/gateway/http/modern_checks.ts";
import { PostAnswer } from "../../../src/gateway/http/post_answer.ts";
import { Principals } from "../../../src/gateway/http/principals.ts";
import { parseTokens } from "../../../src/gateway/http/token_file.ts";
import { ENVELOPE } from "./served.ts";
import type { JsonObject } from "../../../src/model/json.ts";

Deno.test("HostRules answer to an address, its loopback names and those that are allowed", () => {
  const rules = new HostRules({
    address: "fd00::7",
    allowedHosts: ["Mcp.Example"],
    allowedOrigins: ["https://App.example"],
  });
  for (const host of ["[fd00::7]:80", "[FD00::7]", "mcp.example:443", "LOCALHOST", "[::1]"]) {
    assert.equal(rules.isHost(host), true, host);
  }
  for (const host of [null, "", "fd00::7", "[fd00::8]", "mcp.example.evil", "localhost:x", "a b"]) {
    assert.equal(rules.isHost(host), false, String(host));
  }
  assert.equal(rules.isOrigin("http://localhost:1", "localhost:1"), true);
  assert.equal(rules.isOrigin("http://localhost:1", "localhost:2"), false);
  assert.equal(rules.isOrigin("https://app.EXAMPLE", "localhost:2"), true);
  assert.equal(rules.isOrigin("null", "null"), false);
});

Deno.test("Principals know a token by all of it, and a principal by each of its tokens", () => {
  const principals = new Principals(
    parseTokens("a 0123456789abcdef\na fedcba9876543210\n0123456789abcdeg==\n", "f"),
  );
  assert.equal(principals.of("Bearer 0123456789abcdef"), "a");
  assert.equal(principals.of("bearer   fedcba9876543210"), "a");
  assert.equal(principals.of("Bearer 0123456789abcdeg=="), "#3");
  for (const wrong of [null, "", "Bearer", "Bearer 0123456789abcde", "0123456789abcdef"]) {
    assert.equal(principals.of(wrong), null);
  }
});

Deno.test("no name of a file is one of those without a name", () => {
  assert.throws(() => parseTokens("#1 0123456789abcdef\n", "f"), /holds no token/);
  assert.throws(() => parseTokens("-x 0123456789abcdef\n", "f"), /write "token" or "name token"/);
});

Deno.test("Admission counts by principal and in all", () => {
  const admission = new Admission({ ofOne: 1, inAll: 2 });
  assert.equal(admission.enter("a"), null);
  assert.equal(admission.enter("a"), "of-one");
  assert.equal(admission.enter("b"), null);
  assert.equal(admission.enter("c"), "in-all");
  admission.leave("a");
  assert.equal(admission.enter("c"), null);
  assert.equal(admission.count, 2);
});

Deno.test("acceptedTypes() reads what clients take", () => {
  assert.deepEqual(acceptedTypes(null), { json: true, events: true });
  assert.deepEqual(acceptedTypes("TEXT/event-stream;q=1 , application/*"), {
    json: true,
    events: true,
  });
  assert.deepEqual(acceptedTypes("application/json"), { json: true, events: false });
  assert.deepEqual(acceptedTypes("text/html"), { json: false, events: false });
  assert.equal(isJsonType("Application/JSON; charset=utf-8"), true);
  assert.equal(isJsonType("application/json-patch+json"), false);
  assert.equal(isJsonType(null), false);
});

Deno.test("decodedHeader() takes Base64 in its one right form alone", () => {
  assert.equal(decodedHeader("plain"), "plain");
  assert.equal(decodedHeader("=?base64?w7w=?="), "\u00fc");
  assert.equal(decodedHeader("=?base64??="), "");
  // What has only one of the signs is a name like any other.
  assert.equal(decodedHeader("=?base64?w7w="), "=?base64?w7w=");
  for (const wrong of ["w7w", "w7w==", "w7w=w7w=", "*7w=", "/w=="]) {
    assert.equal(decodedHeader(`=?base64?${wrong}?=`), null, wrong);
  }
});

Deno.test("modernRefusal() judges the envelope before headers, and headers before the method", () => {
  const headers = { version: "2026-07-28", method: "no/such", name: null };
  const message = { id: 1, method: "no/such", params: { _meta: ENVELOPE as JsonObject } };
  assert.equal(modernRefusal(message, headers)?.status, 404);
  assert.equal(modernRefusal(message, { ...headers, version: "x" })?.code, -32020);
  assert.equal(
    modernRefusal({ ...message, params: {} }, { ...headers, version: "x" })?.code,
    -32602,
  );
  const call = { ...message, method: "tools/call", params: { ...message.params, name: "a" } };
  const named = { version: "2026-07-28", method: "tools/call", name: "a" };
  assert.equal(modernRefusal(call, named), null);
  assert.equal(modernRefusal(call, { ...named, name: "b" })?.code, -32020);
  const noted = { method: "notifications/x", params: { _meta: ENVELOPE as JsonObject } };
  assert.equal(modernRefusal(noted, { version: null, method: null, name: null }), null);
});

/** An answer, and what was done with its stream. */
function answering(ids: readonly number[], isBatch = false): {
  readonly post: PostAnswer;
  readonly sent: readonly string[];
  readonly done: () => number;
} {
  const sent: string[] = [];
  let done = 0;
  const post = new PostAnswer({
    ids,
    isBatch,
    openStream: () => ({
      answer: { status: 200, headers: { stream: "yes" }, body: "" },
      send: (text) => sent.push(text),
      end: () => sent.push("end"),
    }),
    onDone: () => done++,
  });
  return { post, sent, done: () => done };
}

const ANSWER: JsonObject = { jsonrpc: "2.0", id: 1, result: {} };
const NOTE: JsonObject = { jsonrpc: "2.0", method: "notifications/message" };

Deno.test("a POST is answered in JSON until something else comes first", async () => {
  const plain = answering([1]);
  plain.post.send(ANSWER, "answer");
  plain.post.settled(1);
  plain.post.settled(1);
  const { status, body } = await plain.post.begun;
  assert.deepEqual([status, body, plain.sent, plain.done()], [200, "answer", [], 1]);
  const noted = answering([1]);
  noted.post.send(NOTE, "note");
  assert.equal((await noted.post.begun).headers["stream"], "yes");
  noted.post.send(ANSWER, "answer");
  noted.post.settled(1);
  assert.deepEqual(noted.sent, ["note", "answer", "end"]);
});

Deno.test("an array's answers wait for each other, and stream once one of them does", async () => {
  const both = answering([1, 2], true);
  both.post.send({ ...ANSWER, id: 2 }, "2");
  both.post.settled(2);
  both.post.send(ANSWER, "1");
  both.post.settled(1);
  assert.equal((await both.post.begun).body, "[2,1]");
  const mixed = answering([1, 2], true);
  mixed.post.send(ANSWER, "1");
  mixed.post.settled(1);
  mixed.post.send(NOTE, "note");
  mixed.post.settled(2);
  assert.deepEqual(mixed.sent, ["1", "note", "end"]);
});

Deno.test("an error has a status of its own only where the modern era says so", async () => {
  for (const [code, expected] of [[-32021, 400], [-32601, 200], [-32602, 200]] as const) {
    const { post } = answering([1]);
    post.send({ jsonrpc: "2.0", id: 1, error: { code, message: "no" } }, "{}");
    post.settled(1);
    assert.equal((await post.begun).status, expected);
  }
});

Deno.test("a request that was cancelled is answered by nothing", async () => {
  const { post } = answering([1]);
  post.settled(1);
  const { status, body } = await post.begun;
  assert.deepEqual([status, body], [202, ""]);
  assert.equal(post.stream(), false);
});

Deno.test("what can have no answer any more is told so, and what has one is not", async () => {
  const error = (id: number): JsonObject => ({
    jsonrpc: "2.0",
    id,
    error: { code: -32000, message: "over" },
  });
  const both = answering([1, 2], true);
  both.post.send(ANSWER, JSON.stringify(ANSWER));
  both.post.settled(1);
  both.post.giveUp("over");
  assert.deepEqual(JSON.parse(String((await both.post.begun).body)), [ANSWER, error(2)]);
  both.post.giveUp("over");
  assert.equal(both.done(), 1);
  const noted = answering([1]);
  noted.post.send(NOTE, "note");
  noted.post.giveUp("over");
  assert.deepEqual(noted.sent, ["note", JSON.stringify(error(1)), "end"]);
});
