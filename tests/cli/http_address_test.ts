import assert from "node:assert/strict";
import { httpAddress, type HttpFlags } from "../../src/cli/http_address.ts";
import { parsePort } from "../../src/cli/port.ts";

Deno.test("a gateway over HTTP is its machine's own unless somebody says otherwise", () => {
  assert.equal(httpAddress({}), null);
  assert.deepEqual(httpAddress({ http: true }), {
    host: "127.0.0.1",
    port: 0,
    allowedHosts: [],
    allowedOrigins: [],
  });
  const public_: HttpFlags = {
    http: true,
    host: "0.0.0.0",
    port: 8080,
    tokenFile: "t",
    allowedHost: ["mcp.example.com", "[fd00::1]"],
    allowedOrigin: ["https://app.example:8443", "vscode-webview://abc"],
  };
  assert.equal(httpAddress(public_)?.host, "0.0.0.0");
});

const WRONG: readonly (readonly [HttpFlags, RegExp])[] = [
  [{ port: 0 }, /--port says nothing over stdio/],
  [{ tokenFile: "t" }, /--token-file says nothing/],
  [{ printToken: true }, /--print-token says nothing/],
  [{ http: true, host: "0.0.0.0" }, /others reach it/],
  [{ http: true, host: "::" }, /others reach it/],
  [{ http: true, host: "10.0.0.1" }, /others reach it/],
  [{ http: true, host: "example.com", tokenFile: "t" }, /no address/],
  [{ http: true, tokenFile: "t", printToken: true }, /there is none with --token-file/],
  [{ http: true, allowedHost: ["https://a.example"] }, /no name of a machine/],
  [{ http: true, allowedHost: ["a.example:80"] }, /no name of a machine/],
  [{ http: true, allowedHost: ["*"] }, /no name of a machine/],
  [{ http: true, allowedOrigin: ["a.example"] }, /no origin/],
  [{ http: true, allowedOrigin: ["https://a.example/path"] }, /no origin/],
  [{ http: true, allowedOrigin: ["null"] }, /no origin/],
  [{ http: true, allowedOrigin: ["https://*.example"] }, /no origin/],
];

for (const [flags, message] of WRONG) {
  Deno.test(`${JSON.stringify(flags)} is a mistake with a hint`, () => {
    assert.throws(
      () => httpAddress(flags),
      (error: Error & { readonly code?: string; readonly hint?: string | null }) =>
        error.code === "usage" && message.test(error.message) && typeof error.hint === "string",
    );
  });
}

Deno.test("parsePort() takes what a port can be", () => {
  assert.deepEqual(["0", "65535"].map(parsePort), [0, 65_535]);
  for (const text of ["", "-1", "65536", "http", "1.5", "0x10"]) {
    assert.throws(() => parsePort(text), /no port/);
  }
});
