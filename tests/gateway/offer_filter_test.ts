import assert from "node:assert/strict";
import { serverInOffer, serverOffered, toolInOffer } from "../../src/gateway/offer_filter.ts";

Deno.test("without patterns everything is on offer", () => {
  const patterns = { only: [], except: [] };
  assert.ok(serverOffered(patterns, "a"));
  assert.ok(toolInOffer(patterns, "a", "t"));
});

Deno.test("a pattern without a slash is a server with all of its tools", () => {
  const patterns = { only: ["fi*"], except: ["fish"] };
  assert.deepEqual(["files", "fish", "git"].map((name) => serverOffered(patterns, name)), [
    true,
    false,
    false,
  ]);
  assert.ok(toolInOffer(patterns, "files", "read"));
  assert.ok(!toolInOffer(patterns, "fish", "read"));
});

Deno.test("a pattern with a slash is a tool, and its server runs for it", () => {
  const patterns = { only: ["git/log*", "a/b/c?"], except: ["git/log_all"] };
  assert.ok(serverOffered(patterns, "git"));
  assert.ok(toolInOffer(patterns, "git", "log"));
  assert.ok(!toolInOffer(patterns, "git", "push"));
  assert.ok(!toolInOffer(patterns, "git", "log_all"));
  assert.ok(serverOffered(patterns, "a/b"));
  assert.ok(toolInOffer(patterns, "a/b", "c1"));
  const except = { only: [], except: ["git/push"] };
  assert.ok(serverOffered(except, "git"));
  assert.ok(!toolInOffer(except, "git", "push"));
  assert.ok(toolInOffer(except, "git", "log"));
});

Deno.test("all of a server is on offer by a pattern that names it, and not by one that names tools", () => {
  const patterns = { only: ["git/log*", "files", "a/b"], except: ["files/secret"] };
  assert.deepEqual(
    ["git", "files", "a/b", "else"].map((name) => serverInOffer(patterns, name)),
    [false, true, true, false],
  );
  assert.ok(serverInOffer({ only: [], except: ["git/push"] }, "git"));
  assert.ok(!serverInOffer({ only: [], except: ["gi*"] }, "git"));
});
