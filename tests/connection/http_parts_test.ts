import assert from "node:assert/strict";
import { refusalError } from "../../src/connection/auth_refusal.ts";
import { CookieJar } from "../../src/connection/cookie_jar.ts";
import { networkError } from "../../src/connection/http_error.ts";
import { isSessionLost, saysSessionLost } from "../../src/connection/session_loss.ts";

const url = new URL("https://h.example/mcp?key=hidden");

Deno.test("network failures of Deno, Node and Bun mean the same [F12]", () => {
  const node = (code: string, message: string): Error =>
    new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
  const bun = (code: string): Error => Object.assign(new Error("Unable to connect"), { code });
  const deno = (message: string): Error => new TypeError(`error sending request: ${message}`);
  const cases: [Error, RegExp, string][] = [
    [node("ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:1"), /refused/, "no"],
    [bun("ConnectionRefused"), /refused/, "no"],
    [deno("tcp connect error: Connection refused (os error 111)"), /refused/, "no"],
    [node("ENOTFOUND", "getaddrinfo ENOTFOUND h.example"), /host name/, "no"],
    [deno("dns error: failed to lookup address information"), /host name/, "no"],
    [node("DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed certificate"), /certificate/, "no"],
    [deno("invalid peer certificate: UnknownIssuer"), /certificate/, "no"],
    [node("ECONNRESET", "read ECONNRESET"), /broke/, "unknown"],
    [deno("connection closed before message completed"), /broke/, "unknown"],
    [node("UND_ERR_SOCKET", "other side closed"), /broke/, "unknown"],
    [new AggregateError([node("ECONNREFUSED", "x")], ""), /refused/, "no"],
    [new Error("strange"), /strange/, "unknown"],
  ];
  for (const [thrown, says, delivered] of cases) {
    const error = networkError("s", url, thrown);
    assert.match(error.message, says);
    assert.equal(error.details["delivered"], delivered, error.message);
    assert.equal(error.code, "server-unreachable");
    assert.doesNotMatch(JSON.stringify(error.toInfo()), /hidden/);
  }
  const certificate = networkError("s", url, node("SELF_SIGNED_CERT_IN_CHAIN", "the cause"));
  assert.match(certificate.hint ?? "", /NODE_EXTRA_CA_CERTS/);
  assert.deepEqual(certificate.toInfo().causes, ["the cause"]);
});

Deno.test("cookies are kept by name, and gone when the server says so [C30]", () => {
  const jar = new CookieJar();
  assert.equal(jar.header(), null);
  const set = (...lines: string[]): void =>
    jar.take(new Headers(lines.map((l) => ["set-cookie", l])));
  set("lb=1; Path=/; Expires=Wed, 21 Oct 2099 07:28:00 GMT", "a=b=c");
  assert.equal(jar.header(), "lb=1; a=b=c");
  set("lb=2", "a=; Max-Age=0", "=nameless", "plain");
  assert.equal(jar.header(), "lb=2");
});

Deno.test("a lost session is told from other failures", () => {
  assert.equal(isSessionLost(404, ""), true);
  assert.equal(isSessionLost(400, "Bad Request: No valid session ID provided"), true);
  assert.equal(isSessionLost(400, "Invalid arguments"), false);
  assert.equal(isSessionLost(500, "Session not found"), false);
  assert.equal(saysSessionLost("Session not found"), true);
  assert.equal(saysSessionLost("Browser session not found for page 3"), false);
});

Deno.test("refusals tell what to do", () => {
  const base = { body: "", configured: false, challenge: "Bearer" };
  assert.equal(
    refusalError("s", { ...base, status: 401 }).message,
    'Cannot reach "s": the server asks for authorisation (HTTP 401)',
  );
  assert.equal(refusalError("s", { ...base, status: 403 }).code, "unauthorized");
  const scope = refusalError("s", {
    ...base,
    status: 403,
    challenge: 'Bearer error="insufficient_scope", scope="files:write"',
  });
  assert.equal(scope.code, "needs-auth");
  assert.match(scope.message, /files:write/);
});
