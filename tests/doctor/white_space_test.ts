import assert from "node:assert/strict";
import { whiteSpaceFindings } from "../../src/doctor/white_space.ts";
import type { ServerConfig } from "../../src/model/definition.ts";
import { messages, of, running, subject, told } from "./made.ts";

Deno.test("white space and quotes around a value are told by the field alone", () => {
  const cases: readonly (readonly [ServerConfig, readonly string[]])[] = [
    [{ command: "x", args: ["a b", " line one\nline two\n"], env: { A: "b c" } }, []],
    [{ command: "x", env: { A: "hunter2 " } }, ['"env.A" ends with white space']],
    [{ command: "x", env: { A: "\thunter2" } }, ['"env.A" starts with white space']],
    [{ command: "x", env: { A: "hunter2\n" } }, ['"env.A" ends with a line end']],
    [{ url: " https://a" }, ['"url" starts with white space']],
    [{ command: "x", args: ["--key ", "y"] }, ['"args[0]" ends with white space']],
    [
      { command: "x", env: { A: '"hunter2"' } },
      ['"env.A" has quotes of its own inside of the quotes of the file'],
    ],
    [{ command: "x", env: { A: '"a" or "b"' } }, []],
    [{ command: "x", args: ['"a"'] }, []],
    [
      { command: "x", env: { " A ": "b" } },
      ['The name of the variable "A" starts or ends with white space'],
    ],
    [{ command: "x", env: { A: "!echo a " } }, []],
  ];
  for (const [config, expected] of cases) {
    const found = whiteSpaceFindings(subject(of("store", config)), {});
    assert.deepEqual(messages(found), expected, JSON.stringify(config));
    assert.doesNotMatch(JSON.stringify(found), /hunter2/);
  }
});

Deno.test("a variable with a line end or quotes is told, where it may be looked at", () => {
  const definition = of("store", {
    command: "x",
    env: { A: "${ENDS}", B: "${QUOTED}", C: "${GOOD:-${ALSO}}", D: "${GONE:-x}", E: "${ENDS}" },
  });
  const env = { ENDS: "hunter2\n", QUOTED: "'hunter2'", GOOD: "a", ALSO: " hunter2" };
  assert.deepEqual(messages(whiteSpaceFindings(running(definition, env), env)), [
    'The value of the variable "ENDS", which "env.A" reads, ends with a line end',
    'The value of the variable "QUOTED", which "env.B" reads, has quotes in it',
    'The value of the variable "ALSO", which "env.C" reads, starts with white space',
  ]);
  assert.deepEqual(whiteSpaceFindings(subject(definition), env), []);
});

Deno.test("a scheme twice, or with nothing behind it, is refused by every server", () => {
  const find = (value: string, env: Readonly<Record<string, string>> = {}): readonly string[] =>
    told(whiteSpaceFindings(
      running(of("store", { url: "https://a", headers: { authorization: value } }), env),
      {},
    ));
  assert.deepEqual(find("Bearer abc"), []);
  assert.deepEqual(find("Bearer ${T}", { T: "Bearer hunter2" }), [
    'warning: "headers.authorization" says "Bearer" twice → Write "Bearer" once: in the file, or ' +
    "in the value of the variable, not in both",
  ]);
  assert.match(find("Bearer ${T}", { T: "" })[0] ?? "", /has nothing behind "Bearer"/);
  assert.deepEqual(find("Bearer ${T}"), [], "a missing variable is another check's");
  assert.deepEqual(find("Bearerish"), []);
});
