import assert from "node:assert/strict";
import type { LogLevel } from "../../src/model/log.ts";
import type { HotplugError } from "../../src/model/errors.ts";
import { rejection, withBench } from "../connection/harness.ts";
import { type Answer, json, withFake } from "../connection/fake_http.ts";

const TOKEN = 'to"ken\\with ünicode-0123456789';
const KEY = "k3yinthepathofthisurl0123456789";
const SECRETS = [TOKEN, KEY];

/** Everything of an error that a user, a log or a document may come to see. */
function allOf(error: HotplugError): string {
  return [error.message, JSON.stringify([error.toInfo(), error.details]), error.stack].join("\n");
}

/** Fails when a secret stands in a text, in whatever spelling. */
function assertHidden(text: string): void {
  for (const secret of SECRETS) {
    const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
    for (const form of forms) assert.ok(!text.includes(form), `"${form}" in ${text}`);
  }
}

const refusals: readonly (readonly [string, () => Response])[] = [
  ["the body of a failure", () => new Response(`bad token ${TOKEN}`, { status: 500 })],
  ["the body of a refusal", () => new Response(`bad token ${TOKEN}`, { status: 403 })],
  [
    "the challenge of a refusal",
    () =>
      new Response("", { status: 401, headers: { "www-authenticate": `Bearer realm="${KEY}"` } }),
  ],
  [
    "the goal of a redirect",
    () => new Response(null, { status: 302, headers: { location: `https://evil.example/${KEY}` } }),
  ],
  ["no body at all, while the url holds a key", () => new Response(null, { status: 418 })],
];

for (const [what, refusal] of refusals) {
  Deno.test(`a secret in ${what} does not get into the error [H08]`, () =>
    withFake(refusal, (server) =>
      withBench(async (bench) => {
        const url = `${server.url}/${KEY}`;
        const error = await bench.failure({ url }, { secrets: SECRETS });
        assertHidden(allOf(error));
      })));
}

/** Answers calls with an error that echoes the token. */
const echoing: Answer = ({ message }) =>
  message["method"] === "tools/call"
    ? json({
      jsonrpc: "2.0",
      id: message["id"],
      error: {
        code: -32000,
        message: `no rights for ${TOKEN}`,
        data: { headers: [{ [TOKEN]: TOKEN }], url: encodeURIComponent(TOKEN) },
      },
    })
    : null;

Deno.test("a secret in a server's own error does not get into ours [H08]", () =>
  withFake(echoing, (server) =>
    withBench(async (bench) => {
      const lines: string[] = [];
      const log = {
        log: (_level: LogLevel, message: string, fields: object = {}): void => {
          lines.push(JSON.stringify([message, fields]));
        },
      };
      const connection = await bench.connect({ url: server.url }, { secrets: SECRETS, log });
      const error = await rejection(connection.request("tools/call", { name: "t" }));
      assert.equal(error.code, "protocol-error");
      assert.match(error.message, /no rights for \*\*\*/);
      assert.equal(error.details["code"], -32000);
      assertHidden(allOf(error));
      assertHidden(lines.join("\n"));
    })));

Deno.test("details without a secret stay as they are, however deep", () =>
  withFake(
    ({ message }) =>
      message["method"] === "tools/call"
        ? json({
          jsonrpc: "2.0",
          id: message["id"],
          error: { code: 1, message: "no", data: { a: [1, { b: null }] } },
        })
        : null,
    (server) =>
      withBench(async (bench) => {
        const connection = await bench.connect({ url: server.url }, { secrets: SECRETS });
        const error = await rejection(connection.request("tools/call", { name: "t" }));
        assert.deepEqual(error.details["data"], { a: [1, { b: null }] });
      }),
  ));
