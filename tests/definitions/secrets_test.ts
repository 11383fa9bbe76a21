import assert from "node:assert/strict";
import fc from "fast-check";
import {
  maskText,
  secretValues,
  shownCommandLine,
  shownUrl,
} from "../../src/definitions/secrets.ts";
import type { ResolvedConfig } from "../../src/model/definition.ts";

function secrets(config: Partial<ResolvedConfig>): readonly string[] {
  return [...secretValues({ env: {}, headers: {}, ...config })].sort();
}

Deno.test("values of env and headers are secrets unless they are plain settings [H08]", () => {
  assert.deepEqual(
    secrets({
      env: {
        API_KEY: "abcd",
        DB_PASSWORD: "hunter",
        OPAQUE: "Zx81-qq",
        KEY_FILE: "/etc/key",
        TOKEN: "/looks/like/a/path",
        PORT: "8080",
        DEBUG: "true",
        MODE: "production",
        FLAGS: "--verbose",
        LANG: "en_US.UTF-8",
        BASE: "https://api.example/v1",
        GONE: null,
        PIN: "123",
      },
    }),
    ["/looks/like/a/path", "Zx81-qq", "abcd", "hunter"],
  );
  assert.deepEqual(secrets({ headers: { Authorization: "Bearer tok-1234" } }), [
    "Bearer tok-1234",
    "tok-1234",
  ]);
  assert.deepEqual(
    secrets({ headers: { Authorization: `Basic ${btoa("bob:pa55word")}` } }),
    [
      `Basic ${btoa("bob:pa55word")}`,
      btoa("bob:pa55word"),
      "bob:pa55word",
      "pa55word",
    ].sort(),
  );
});

Deno.test("logins, query values and key-like path segments of URLs are secrets [H08]", () => {
  assert.deepEqual(
    secrets({
      url: "https://bob:s3cr%21t@h.example/a/0123456789abcdef01234567/mcp?exaApiKey=k-9999&x=",
    }),
    ["0123456789abcdef01234567", "bob:s3cr!t", "bob:s3cr%21t", "k-9999", "s3cr!t", "s3cr%21t"],
  );
  assert.deepEqual(secrets({ env: { DATABASE_URL: "postgres://u:pa55@db/x" } }), [
    "pa55",
    "postgres://u:pa55@db/x",
    "u:pa55",
  ]);
});

Deno.test("secrets in arguments are found by option, name and shape [H08]", () => {
  const args = [
    "--token",
    "aaaa1",
    "--api-key=bbbb1",
    "-k",
    "cccc1",
    "API_KEY=dddd1",
    "--port",
    "8080",
    "--header",
    "Authorization: Bearer eeee1",
    "ghp_0123456789abcdef",
    "--keyFile",
    "/k",
    "-e",
    "X=https://h/?q=ffff1",
    '{"apiKey":"gggg1","port":"8080"}',
  ];
  assert.deepEqual(
    secrets({ args }),
    [
      "aaaa1",
      "bbbb1",
      "cccc1",
      "dddd1",
      "Bearer eeee1",
      "eeee1",
      "ghp_0123456789abcdef",
      "ffff1",
      "gggg1",
    ].sort(),
  );
  assert.equal(
    shownCommandLine({ command: "npx", args }),
    "npx --token *** --api-key=*** -k *** API_KEY=*** --port 8080 --header " +
      '"Authorization: ***" *** --keyFile /k -e X=https://h/?q=*** ' +
      JSON.stringify('{"apiKey":"***","port":"8080"}'),
  );
});

Deno.test("secrets in authorization settings are found by name", () => {
  assert.deepEqual(secrets({ oauth: { clientId: "public-id", clientSecret: "s3cret" } }), [
    "s3cret",
  ]);
});

Deno.test("a command line shows placeholders as written and quotes what needs it", () => {
  assert.equal(
    shownCommandLine({
      command: "/a b/x",
      args: ["--token", "${TOKEN}", "", "it's", "a\u001b[1m"],
    }),
    `"/a b/x" --token \${TOKEN} "" "it's" "a\\u001b[1m"`,
  );
  assert.equal(
    shownCommandLine({ command: "x", args: ["--token", "${T:-s3cret}"] }),
    "x --token ***",
  );
  assert.equal(shownCommandLine({ url: "https://h/" }), "");
});

Deno.test("a shown URL keeps place and names and loses the secrets", () => {
  const cases: [string, string][] = [
    ["https://h.example:1/mcp", "https://h.example:1/mcp"],
    ["https://u:p@h/x?key=v&flag&e=#frag", "https://***@h/x?key=***&flag&e=#***"],
    ["https://h/x?longbaretoken", "https://h/x?***"],
    ["https://${HOST}/mcp?key=${KEY}", "https://${HOST}/mcp?key=${KEY}"],
    ["https://h/${A:-?x}/m?k=${K:-s3cret}", "https://h/${A:-?x}/m?k=***"],
    ["https:u:p@h/", "https:***@h/"],
    ["https:\\\\u:p@h/", "https:\\\\***@h/"],
    ["https://h/s/OGQ4ZjE2NzgtYTk5ZC00/mcp", "https://h/s/OGQ4ZjE2NzgtYTk5ZC00/mcp"],
    ["https://h/s/OGQ4ZjE2NzgtYTk5ZC00Nzg5/mcp", "https://h/s/***/mcp"],
    ["https://h/@scope/x", "https://h/@scope/x"],
    ["", ""],
  ];
  for (const [url, shown] of cases) assert.equal(shownUrl(url), shown);
});

Deno.test("a text is masked longest secret first, also where it is escaped", () => {
  assert.equal(maskText("ab-secret-cd secret", ["secret", "secret-cd"]), "ab-*** ***");
  assert.equal(maskText(`{"k":"a\\"b\\nc"} a%22b%0Ac`, [`a"b\nc`]), `{"k":"***"} ***`);
  assert.equal(maskText("abc abc", ["abc", ""]), "abc abc");
});

Deno.test("a value under a secret name is never left in a masked text", () => {
  fc.assert(fc.property(
    fc.string({ minLength: 4 }).filter((value) => !/^\W*$/.test(value)),
    fc.string(),
    fc.string(),
    (value, before, after) => {
      const found = secretValues({ env: { API_TOKEN: value }, headers: {} });
      if (found.length === 0) return; // An everyday word such as "true".
      const masked = maskText(`${before}${value}${after}`, found);
      assert.ok(!masked.includes(value) || "***".includes(value) || (before + after).includes("*"));
    },
  ));
});
