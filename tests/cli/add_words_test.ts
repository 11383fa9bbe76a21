import assert from "node:assert/strict";
import { type AddWords, newServer } from "../../src/cli/add_words.ts";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { HotplugError } from "../../src/model/errors.ts";

function config(given: AddWords): ServerConfig {
  return newServer(given).config;
}

Deno.test("a command with its arguments is a stdio server, whatever its arguments look like", () => {
  const words = ["fs", "npx", "-y", "server", "--", "--env", "A=1", "https://x.example"];
  assert.deepEqual(newServer({ words }), {
    name: "fs",
    dialect: "hotplug",
    config: {
      type: "stdio",
      command: "npx",
      args: ["-y", "server", "--", "--env", "A=1", "https://x.example"],
    },
  });
  assert.deepEqual(config({ words: ["x", "uvx"] }), { type: "stdio", command: "uvx" });
  assert.deepEqual(config({ words: ["x", "uvx"], transport: "stdio" }), {
    type: "stdio",
    command: "uvx",
  });
});

Deno.test("variables, headers and the folder are taken as they are written", () => {
  const env = ["A=1", "B=", "C=x=y z", "D=line\nline", "__proto__=p", "E=${E}"];
  assert.deepEqual(config({ words: ["x", "a"], env, cwd: "/tmp/x" }), {
    type: "stdio",
    command: "a",
    env: Object.fromEntries([
      ["A", "1"],
      ["B", ""],
      ["C", "x=y z"],
      ["D", "line\nline"],
      ["__proto__", "p"],
      ["E", "${E}"],
    ]),
    cwd: "/tmp/x",
  });
  const header = ["Authorization: Bearer ${T}", "X-A:b:c", " X-B : d ", "X-Empty:"];
  assert.deepEqual(config({ words: ["x"], url: "https://h.example", header }), {
    url: "https://h.example",
    headers: { "Authorization": "Bearer ${T}", "X-A": "b:c", "X-B": "d ", "X-Empty": "" },
  });
});

Deno.test("an address is a remote server, by --url, in the command's place, or in Claude's form", () => {
  const url = "https://h.example/mcp";
  assert.deepEqual(config({ words: ["x"], url }), { url });
  assert.deepEqual(config({ words: ["x", url] }), { url });
  assert.deepEqual(config({ words: ["x", "HTTPS://h.example"] }), { url: "HTTPS://h.example" });
  assert.deepEqual(config({ words: ["x", url], transport: "http" }), {
    type: "streamable_http",
    url,
  });
  assert.deepEqual(config({ words: ["x", url], transport: "sse" }), { type: "sse", url });
  assert.deepEqual(config({ words: ["x"], url, transport: "sse" }), { type: "sse", url });
});

/** Words that do not fit together, and what is said about them. */
const REFUSED: readonly (readonly [AddWords, RegExp])[] = [
  [{ words: [] }, /without a name/],
  [{ words: [" "] }, /without a name/],
  [{ words: ["https://s3cr3t.example"] }, /without a name/],
  [{ words: ["x"] }, /without a command or url/],
  [{ words: ["x"], transport: "stdio" }, /without a command or url/],
  [{ words: ["x"], transport: "http" }, /without its url/],
  [{ words: ["x"], transport: "sse" }, /without its url/],
  [{ words: ["x"], url: "https://s3cr3t.example", transport: "stdio" }, /url as a stdio server/],
  [{ words: ["x", "https://s3cr3t.example"], transport: "stdio" }, /url as a stdio server/],
  [{ words: ["x", "s3cr3t"], url: "https://h.example" }, /a url and a command/],
  [{ words: ["x", "https://h.example", "s3cr3t"] }, /a url and a command/],
  [{ words: ["x", "npx", "s3cr3t"], transport: "http" }, /a url and a command/],
  [{ words: ["x"], url: "https://h.example", env: ["A=s3cr3t"] }, /--env with a url/],
  [{ words: ["x"], url: "https://h.example", cwd: "/s3cr3t" }, /--cwd with a url/],
  [{ words: ["x", "a"], header: ["A: s3cr3t"] }, /--header with a command/],
  [{ words: ["x", "a"], env: ["s3cr3t"] }, /--env: expected NAME=value/],
  [{ words: ["x", "a"], env: ["=s3cr3t"] }, /--env: expected NAME=value/],
  [{ words: ["x", "a"], env: ["A B=s3cr3t"] }, /--env: expected NAME=value/],
  [{ words: ["x"], url: "https://h.example", header: ["s3cr3t"] }, /--header: expected "Name: /],
  [{ words: ["x"], url: "https://h.example", header: ["A=s3cr3t"] }, /--header: expected/],
  [{ words: ["x"], url: "https://h.example", header: [": s3cr3t"] }, /--header: expected/],
  // "mcp add -- npx -y s3cr3t", without a name.
  [{ words: ["npx", "-y", "s3cr3t"] }, /command is an option/],
  // "--env A=1 TOKEN=s3cr3t", as some other programs have it.
  [{ words: ["x", "TOKEN=s3cr3t", "npx"], env: ["A=1"] }, /command is NAME=value/],
];

Deno.test("words that do not fit together are refused with what to write, and without their values", () => {
  for (const [given, said] of REFUSED) {
    assert.throws(() => newServer(given), (error: HotplugError) => {
      assert.equal(error.code, "usage");
      assert.match(error.message, said);
      assert.ok(error.hint !== null && error.hint !== "");
      assert.doesNotMatch(error.message + error.hint, /s3cr3t/);
      return true;
    }, JSON.stringify(given));
  }
});
