import assert from "node:assert/strict";

import { HotplugError } from "../../src/model/errors.ts";
import { commandInterpreter, launchLine, taskKillLine } from "../../src/platform/launch_line.ts";

const WINDOWS = { platform: "win32", interpreter: "C:\\Windows\\System32\\cmd.exe" };
const NPX = "C:\\Program Files\\nodejs\\npx.cmd";
const CMD = "C:\\Windows\\System32\\cmd.exe";

Deno.test("a program is started as it is, on every system", () => {
  const args = ["a b", '"', "%PATH%", ""];
  assert.deepEqual(launchLine("/bin/server.cmd", args, { ...WINDOWS, platform: "linux" }), {
    file: "/bin/server.cmd",
    args,
    verbatim: false,
  });
  assert.deepEqual(launchLine("C:\\bin\\server.exe", args, WINDOWS), {
    file: "C:\\bin\\server.exe",
    args,
    verbatim: false,
  });
});

Deno.test("a batch file is run by the command interpreter [A22]", () => {
  assert.deepEqual(launchLine(NPX, ["-y", "some-mcp"], WINDOWS), {
    file: CMD,
    args: [
      "/d",
      "/e:on",
      "/v:off",
      "/s",
      "/c",
      '""C:\\Program Files\\nodejs\\npx.cmd" "-y" "some-mcp""',
    ],
    verbatim: true,
  });
  assert.equal(launchLine("C:\\bin\\RUN.BAT", [], WINDOWS).file, CMD);
});

Deno.test("arguments of a batch file cannot leave their quotes [A23]", () => {
  const quoted: readonly (readonly [string, string])[] = [
    ["two words", '"two words"'],
    ["", '""'],
    ["a&b|c>d<e^f", '"a&b|c>d<e^f"'],
    ['say "hi" & calc', '"say ""hi"" & calc"'],
    ["%PATH%", '"%%cd:~,%PATH%%cd:~,%"'],
    ["C:\\folder\\", '"C:\\folder\\\\"'],
    ['back\\"quote', '"back\\\\""quote"'],
  ];
  for (const [arg, expected] of quoted) {
    const line = launchLine(NPX, [arg], WINDOWS).args.at(-1);
    assert.equal(line, `""${NPX}" ${expected}"`);
  }
});

Deno.test("an argument with a line break is refused for a batch file [A23]", () => {
  for (const arg of ["a\nb", "a\rb", "a\0b"]) {
    assert.throws(
      () => launchLine(NPX, [arg], WINDOWS),
      (error) => error instanceof HotplugError && error.code === "config-invalid",
    );
  }
});

Deno.test("the command interpreter keeps the quotes of two paths with spaces [A23]", () => {
  assert.deepEqual(
    launchLine(CMD, ["/c", "C:\\My Code\\py.exe", "C:\\My Code\\s.py"], WINDOWS),
    {
      file: CMD,
      args: ["/s", "/c", '""C:\\My Code\\py.exe" "C:\\My Code\\s.py""'],
      verbatim: true,
    },
  );
});

Deno.test("operators and variables given to the command interpreter keep their meaning [A23]", () => {
  assert.deepEqual(
    launchLine(CMD, ["/d", "/C", "cd", "%HOME%", "&&", "npx", "a b", 'c"d'], WINDOWS).args,
    ["/d", "/s", "/C", '"cd %HOME% && npx "a b" "c\\"d""'],
  );
});

Deno.test("one whole command line for the interpreter stays whole", () => {
  assert.deepEqual(launchLine(CMD, ["/c", "npx -y x"], WINDOWS), {
    file: CMD,
    args: ["/c", "npx -y x"],
    verbatim: false,
  });
  assert.deepEqual(launchLine(CMD, ["/d", "/s", "/c", 'echo "a b"'], WINDOWS), {
    file: CMD,
    args: ["/d", "/s", "/c", '"echo "a b""'],
    verbatim: true,
  });
  assert.equal(launchLine(CMD, [], WINDOWS).verbatim, false);
});

Deno.test("on Windows a group is ended with all that it started", () => {
  const expected = { args: ["/PID", "42", "/T", "/F"], verbatim: false };
  assert.deepEqual(taskKillLine(42, "D:\\Win"), {
    file: "D:\\Win\\System32\\taskkill.exe",
    ...expected,
  });
  for (const root of [undefined, "", "relative"]) {
    assert.deepEqual(taskKillLine(42, root), {
      file: "C:\\Windows\\System32\\taskkill.exe",
      ...expected,
    });
  }
});

Deno.test("the command interpreter is never looked for in a relative place", () => {
  assert.equal(commandInterpreter({ ComSpec: "D:\\cmd.exe" }), "D:\\cmd.exe");
  assert.equal(commandInterpreter({ COMSPEC: "cmd.exe" }), CMD);
  assert.equal(commandInterpreter({}), CMD);
});
