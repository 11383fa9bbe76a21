import assert from "node:assert/strict";
import {
  parseUrlPattern,
  urlAllowed,
  urlDenied,
  type UrlPattern,
} from "../../src/plan/policy_url.ts";

function pattern(text: string): UrlPattern {
  const read = parseUrlPattern(text);
  if (typeof read === "string") throw new Error(`"${text}": ${read}`);
  return read;
}

/** Pattern, address, and whether the pattern allows it. */
const ALLOWED: readonly (readonly [string, string, boolean])[] = [
  ["https://a.example/*", "https://a.example/mcp?k=v", true],
  ["https://a.example/*", "HTTPS://user:pass@A.Example:443/x", true],
  ["https://a.example/*", "https://a.example.:443/x", true],
  ["HTTPS://A.Example:443/*", "https://a.example/", true],
  ["https://*.example.com/*", "https://mcp.eu.example.com/x", true],
  ["https://*.example.com/*", "https://example.com/x", false],
  ["https://*.example.com/*", "https://evil.com/.example.com/", false],
  ["https://*.example.com/*", "https://evil.com?.example.com/", false],
  ["https://*.example.com/*", "https://evil.com#.example.com/", false],
  ["https://*.example.com/*", "https://evil.com\\.example.com/", false],
  ["https://*.example.com/*", "https://x.example.com@evil.com/", false],
  ["https://*.example.com/*", "https://x.example.com.evil.com/", false],
  ["https://a.example/*", "http://a.example/x", false],
  ["https://a.example/*", "https://a.example:8443/x", false],
  ["http://localhost:*/*", "http://localhost:8080/x", true],
  ["http://localhost:80*/*", "http://localhost:9080/x", false],
  ["*://a.example/*", "http://a.example/x", true],
  ["https://a.example", "https://a.example", true],
  ["https://a.example", "https://a.example/mcp", false],
  ["https://a.example/mcp", "https://a.example/mcp", true],
  ["https://a.example/mcp", "https://a.example/%6D%63p", true],
  ["https://a.example/mcp", "https://a.example/x/../mcp", true],
  ["https://a.example/mcp", "https://a.example/MCP", false],
  ["https://a.example/mcp", "https://a.example/mcp?x=1", false],
  ["https://a.example/mcp?*", "https://a.example/mcp?x=1", true],
  ["https://a.example/ok/*", "https://a.example/ok/../bad", false],
  ["https://a.example/ok/*", "https://a.example/ok/%2e%2E/bad", false],
  ["https://a.example/ok/*", "https://a.example/ok/..%2fbad", false],
  ["https://a.example/ok/*", "https://a.example/ok/%252e%252e%252fbad", false],
  ["https://a.example/ok/*", "https://a.example/ok/..%5Cbad", false],
  ["https://a.example/a%20b/*", "https://a.example/a%20b/x", true],
  ["https://bücher.example/*", "https://xn--bcher-kva.example/x", true],
  ["https://*.bücher.example/*", "https://a.BÜCHER.example/x", true],
  ["http://[::1]:*/*", "http://[0:0:0:0:0:0:0:1]:3000/x", true],
  ["http://127.0.0.*/*", "http://0x7f.1/x", true],
  ["http://127.0.0.1/*", "http://[::ffff:127.0.0.1]/x", false],
  ["*", "https://anything.example:1/x?y", true],
  ["*", "no address", false],
  ["https://a.example/*", "file:///a.example/x", false],
];

for (const [rule, address, expected] of ALLOWED) {
  Deno.test(`a rule "${rule}" ${expected ? "allows" : "does not allow"} ${address}`, () => {
    assert.equal(urlAllowed(pattern(rule), address), expected);
  });
}

/** Pattern, address, and whether the pattern denies it. */
const DENIED: readonly (readonly [string, string, boolean])[] = [
  ["https://evil.example/*", "https://EVIL.example/x", true],
  ["https://evil.example/*", "https://evil.example:443/", true],
  ["https://evil.example/*", "https://evil.example:8443/x", true],
  ["https://evil.example:443/*", "https://evil.example:8443/x", false],
  ["https://evil.example/*", "https://evil.example./x", true],
  ["https://evil.example/*", "https://me:pw@evil.example/x", true],
  ["https://evil.example/*", "https://evil%2eexample/x", true],
  ["https://evil.example/*", "https://evil。example/x", true],
  ["https://evil.example/*", "https://\tevil.example\n/x", true],
  ["https://evil.example/*", "https://good.example/evil.example/", false],
  ["https://evil.example/*", "https://good.example/?u=https://evil.example/", false],
  ["https://evil.example", "https://evil.example/any/path?q", true],
  ["https://evil.example/mcp", "https://evil.example/mcp/", true],
  ["https://evil.example/mcp/", "https://evil.example/mcp", true],
  ["https://evil.example/mcp", "https://evil.example/mcp?x=1", true],
  ["https://evil.example/mcp", "https://evil.example/mcp#x", true],
  ["https://evil.example/mcp", "https://evil.example//mcp", true],
  ["https://evil.example/mcp", "https://evil.example/MCP", true],
  ["https://evil.example/mcp", "https://evil.example/%6dcp", true],
  ["https://evil.example/mcp", "https://evil.example/%256dcp", true],
  ["https://evil.example/a/mcp", "https://evil.example/a%2Fmcp", true],
  ["https://evil.example/a/mcp", "https://evil.example/x/../a/./mcp", true],
  ["https://evil.example/mcp", "https://evil.example/other", false],
  ["https://evil.example/mcp?k=*", "https://evil.example/mcp", false],
  ["https://bücher.example/*", "https://xn--bcher-kva.example/", true],
  ["https://xn--bcher-kva.example/*", "https://BÜCHER.example/", true],
  ["http://127.0.0.1/*", "http://2130706433:3000/", true],
  ["http://127.0.0.1/*", "http://[::ffff:127.0.0.1]:3000/", true],
  ["http://127.0.0.1/*", "http://[::ffff:7f00:1]/", true],
  ["http://[::1]/*", "http://[0::1]:3000/", true],
  ["*", "https://x.example/", true],
];

for (const [rule, address, expected] of DENIED) {
  const shown = JSON.stringify(address);
  Deno.test(`a rule "${rule}" ${expected ? "denies" : "does not deny"} ${shown}`, () => {
    assert.equal(urlDenied(pattern(rule), address), expected);
  });
}

Deno.test("a pattern that fits nothing, or more than it seems to, is none", () => {
  const wrong = [
    "",
    "example.com/*",
    "https://",
    "https:///x",
    "https://user@example.com/*",
    "https://example.com/#x",
    "https://exa mple.com/",
    "https://example.com\\x",
    "https://[::1/*",
    "https://[::*]/*",
    "https://a.example:port/*",
    "https://b*ü.example/*",
    "https://example.com*",
    "https://example.*/x",
  ];
  for (const text of wrong) assert.equal(typeof parseUrlPattern(text), "string", text);
});

Deno.test("an address of a million slashes, dots or escapes takes no time", () => {
  const rule = pattern("https://evil.example/a/*/b?x");
  const begun = performance.now();
  for (const part of ["/", ".", "%2f", "%25", "/a", "?", "@"]) {
    urlDenied(rule, `https://evil.example/${part.repeat(300_000)}x`);
    urlAllowed(rule, `https://evil.example/${part.repeat(300_000)}x`);
  }
  urlDenied(rule, `https://evil.example${".".repeat(300_000)}/`);
  assert.ok(performance.now() - begun < 10_000);
});
