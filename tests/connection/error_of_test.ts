import assert from "node:assert/strict";
import {
  exitHint,
  programNotFound,
  serverExited,
  shownCommand,
} from "../../src/connection/error_of.ts";
import { textMasker } from "../../src/definitions/secrets.ts";

const facts = {
  name: "s",
  config: {
    command: "npx",
    args: ["-y", "a b", "--token", "tok-123"],
    env: {},
    headers: {},
    cwd: "/w",
  },
  mask: textMasker(["tok-123", "tok-123-longer", "x"]),
};

Deno.test("a command line is shown with its words apart and its secrets replaced", () => {
  assert.equal(shownCommand(facts), 'npx -y "a b" --token ***');
  assert.equal(facts.mask("tok-123-longer and tok-123 but x"), "*** and *** but x");
});

Deno.test("the most telling line of stderr stands in the message", () => {
  const error = serverExited(
    facts,
    { code: 1, signal: null },
    "Error: bad key tok-123\n  at x\n",
    "handshake",
  );
  assert.equal(
    error.message,
    'Cannot connect to "s": its process exited with code 1: Error: bad key ***',
  );
  assert.equal(error.hint, 'It was started as: npx -y "a b" --token *** in /w');
  const silent = serverExited(facts, { code: 0, signal: null }, "", "run");
  assert.equal(silent.message, 'Lost "s": its process exited with code 0');
});

Deno.test("a program that is not found is told with what was searched [B10]", () => {
  const hint = (command: string, searched: readonly string[]): string => {
    const config = { ...facts.config, command };
    return programNotFound({ ...facts, config }, { path: null, searched }).hint ?? "";
  };
  const usual = ["/usr/local/bin", "/usr/bin", "/bin"];
  assert.match(hint("npx", usual), /looked in \/usr\/local\/bin, \/usr\/bin, \/bin$/);
  assert.match(hint("npx", ["/a", ...usual]), /looked in \/a, .* and 1 more folder of PATH$/);
  assert.match(hint("npx", ["/usr/bin", "/bin"]), /PATH lacks \/usr\/local\/bin, .* a desktop/);
  assert.match(hint("npx", []), /PATH names no folder/);
  assert.doesNotMatch(hint("npx", ["C:\\Windows"]), /lacks/);
  assert.equal(hint("./srv", ["/w/srv"]), 'Check the path: there is no program "/w/srv"');
});

Deno.test("a command that is a path of another system is told as one", () => {
  const hint = (command: string, searched: readonly string[], args: string[] = []): string => {
    const config = { ...facts.config, command, args };
    return programNotFound({ ...facts, config }, { path: null, searched }).hint ?? "";
  };
  const folders = ["/home/me/.cargo/bin", "/usr/bin"];
  for (const command of ["foo\\bar", "C:\\Program Files\\nodejs\\npx.cmd", "C:/nodejs/npx.cmd"]) {
    assert.match(hint(command, folders), /^It is a path as Windows writes it/);
    assert.doesNotMatch(hint(command, folders), /cargo/);
    assert.match(hint(command, []), /^It is a path as Windows writes it/);
  }
  assert.match(hint("/usr/bin/npx", ["C:\\usr\\bin\\npx"]), /as Linux or macOS writes it/);
  const own = 'Check the path: there is no program "C:\\w\\npx.cmd"';
  assert.equal(hint("C:\\w\\npx.cmd", ["C:\\w\\npx.cmd"]), own);
  assert.match(hint("./odd\\name", ["/w/odd\\name"]), /^Check the path: .*"\/w\/odd/);
});

Deno.test("common causes get a hint [I03]", () => {
  const hints: [string, RegExp][] = [
    ["Error: listen EADDRINUSE: address already in use :::3000", /port is taken/],
    ['error: Module not found "file:///x/missing.ts"', /module or file/],
    ["ModuleNotFoundError: No module named 'mcp'", /module or file/],
    ['TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts"', /cannot run the file/],
    ["npm error code E404", /registry/],
    ["sh: 1: foo: not found", /not found; check/],
    ["getaddrinfo EAI_AGAIN api.example", /network/],
  ];
  for (const [stderr, hint] of hints) assert.match(exitHint(stderr) ?? "", hint, stderr);
  assert.equal(exitHint("all is well"), null);
});
