import assert from "node:assert/strict";
import { commandAllowed, commandDenied, type ProgramLooks } from "../../src/plan/policy_command.ts";

/** A machine on which `/bin` is a link to `/usr/bin`, and `npx` and `tool` one to a script. */
const LINUX: ProgramLooks = {
  windows: false,
  onPath: (name) => ["npx", "node", "tool"].includes(name) ? `/usr/bin/${name}` : null,
  realPath: (path) =>
    path === "/home/me/bin/friendly"
      ? "/usr/bin/npx"
      : path === "/home/me/bin/mild"
      ? "/usr/bin/env"
      : path.replace(/^\/bin(?=\/)/, "/usr/bin").replace(/(?<=.)\/$/, ""),
};

const WINDOWS: ProgramLooks = {
  windows: true,
  onPath: (name) => /^npx(?:\.cmd)?$/i.test(name) ? "C:\\node\\npx.cmd" : null,
  realPath: (path) => path.replace(/(?<=.)\\$/, ""),
};

/** What a command means on the Linux machine, its own `PATH` aside. */
function programOf(command = ""): string | null {
  return command.includes("/") ? command : LINUX.onPath(command);
}

/** Rule, command line, and whether the rule denies it. */
const DENIED: readonly (readonly [readonly string[], readonly string[], boolean])[] = [
  [["npx"], ["npx", "-y", "pkg"], true],
  [["npx"], ["/usr/bin/npx", "pkg"], true],
  [["npx"], ["NPX.CMD", "pkg"], true],
  [["npx.cmd"], ["npx", "pkg"], true],
  [["npx"], ["C:\\Program Files\\nodejs\\npx.cmd"], true],
  [["npx"], ["/home/me/bin/friendly"], true],
  [["npx"], ["/home/me/bin/mild", "npx"], true],
  [["npx"], ["npxx"], false],
  [["npx"], ["node", "npx"], false],
  [["np*"], ["npx"], true],
  [["/usr/bin/npx"], ["npx"], true],
  [["/bin/npx"], ["npx"], true],
  [["/opt/npx"], ["npx"], false],
  [["npx", "-y", "evil"], ["npx", "-y", "evil", "--port", "1"], true],
  [["npx", "-y", "evil"], ["npx", "-y", "evil@1.2.3"], true],
  [["npx", "-y", "@a/evil"], ["npx", "-y", "@a/evil@latest"], true],
  [["npx", "-y", "evil@1.*"], ["npx", "-y", "evil@2.0.0"], false],
  [["npx", "-y", "evil"], ["npx", "-y"], false],
  [["npx", "-y", "evil"], ["npx", "-y", "good"], false],
  [["npx", "*"], ["npx"], true],
  [["*"], ["anything"], true],
  [["npx"], ["env", "X=1", "npx", "-y", "evil"], true],
  [["npx"], ["/usr/bin/env", "-i", "-u", "HOME", "npx"], true],
  [["npx"], ["env", "-S", "npx -y evil"], true],
  [["npx", "-y", "evil"], ["nohup", "nice", "-n", "5", "npx", "-y", "evil"], true],
  [["npx"], ["sh", "-c", "npx -y evil"], true],
  [["npx", "-y", "evil"], ["bash", "-lc", "cd /tmp && A=1 exec npx -y evil"], true],
  [["npx"], ["zsh", "-c", "n'p'x evil"], true],
  [["npx"], ["sh", "-c", 'n\\px "evil"'], true],
  [["npx"], ["sh", "-c", "true;npx evil|cat"], true],
  [["npx"], ["env", "sh", "-c", "nohup bash -c 'npx evil' &"], true],
  [["npx"], ["cmd.exe", "/c", "C:\\node\\npx.cmd", "evil"], true],
  [["npx"], ["cmd", "/c", "n^px evil"], true],
  [["npx"], ["powershell", "-Command", "npx evil"], true],
  [["npx"], ["sh", "-c", "node server.js # no such thing"], false],
  [["evil"], ["npx", "-y", "evil@1.2.3"], true],
  [["@a/evil"], ["bunx", "@a/evil@2"], true],
  [["evil"], ["node", "evil"], false],
];

for (const [rule, argv, expected] of DENIED) {
  const [shownRule, shown] = [rule, argv].map((words) => JSON.stringify(words));
  Deno.test(`a rule ${shownRule} ${expected ? "denies" : "does not deny"} ${shown}`, () => {
    const program = programOf(argv[0]);
    assert.equal(commandDenied(rule, { argv, program }, LINUX), expected);
  });
}

/** Rule, command line, program that would start, and whether the rule allows it. */
const ALLOWED: readonly (readonly [
  readonly string[],
  readonly string[],
  string | null,
  boolean,
])[] = [
  [["npx", "-y", "pkg"], ["npx", "-y", "pkg"], "/usr/bin/npx", true],
  [["npx", "-y", "pkg"], ["/usr/bin/npx", "-y", "pkg"], "/usr/bin/npx", true],
  [["npx", "-y", "pkg"], ["/bin/npx", "-y", "pkg"], "/bin/npx", true],
  [["npx", "-y", "pkg"], ["/tmp/npx", "-y", "pkg"], "/tmp/npx", false],
  [["npx", "-y", "pkg"], ["./npx", "-y", "pkg"], "/repo/npx", false],
  [["npx", "-y", "pkg"], ["npx", "-y", "pkg"], "/tmp/evil/npx", false],
  [["npx", "-y", "pkg"], ["npx", "-y", "pkg"], null, false],
  [["absent"], ["absent"], null, true],
  [["absent"], ["/tmp/absent"], null, false],
  [["npx", "-y", "pkg"], ["NPX", "-y", "pkg"], "/usr/bin/NPX", false],
  [["npx", "-y", "pkg"], ["npx", "-y", "pkg", "--more"], "/usr/bin/npx", false],
  [["npx", "-y", "pkg"], ["npx", "-y"], "/usr/bin/npx", false],
  [["npx", "-y", "pkg"], ["npx", "-y", "pkg@1"], "/usr/bin/npx", false],
  [["npx", "-y", "pkg"], ["npx", "pkg", "-y"], "/usr/bin/npx", false],
  [["npx", "-y", "pkg"], ["sh", "-c", "npx -y pkg"], "/bin/sh", false],
  [["npx", "-y", "pkg"], ["env", "npx", "-y", "pkg"], "/usr/bin/env", false],
  [["npx", "-y", "pkg@*"], ["npx", "-y", "pkg@1.2"], "/usr/bin/npx", true],
  [["npx", "-y", "pkg", "*"], ["npx", "-y", "pkg", "--a", "--b"], "/usr/bin/npx", true],
  [["npx", "-y", "pkg", "*"], ["npx", "-y", "pkg"], "/usr/bin/npx", true],
  [["npx", "-y", "pkg", "*"], ["npx", "-y"], "/usr/bin/npx", false],
  [["/usr/bin/npx", "*"], ["npx", "x"], "/usr/bin/npx", true],
  [["/usr/bin/npx", "*"], ["npx", "x"], "/tmp/npx", false],
  [["/usr/bin/npx", "*"], ["npx", "x"], null, false],
  [["/opt/*/server"], ["/opt/a/server"], "/opt/a/server", true],
  [["/opt/*/server"], ["/opt/a/b/server"], "/opt/a/b/server", false],
  [["*"], ["/tmp/anything", "at all"], "/tmp/anything", true],
  [["*", "--safe"], ["/tmp/tool", "--safe"], "/tmp/tool", false],
  [["*", "--safe"], ["tool", "--safe"], "/usr/bin/tool", true],
];

for (const [rule, argv, program, expected] of ALLOWED) {
  const [shownRule, shown] = [rule, argv].map((words) => JSON.stringify(words));
  const verb = expected ? "allows" : "does not allow";
  Deno.test(`a rule ${shownRule} ${verb} ${shown} at ${program}`, () => {
    assert.equal(commandAllowed(rule, { argv, program }, LINUX), expected);
  });
}

Deno.test("on Windows endings, case and slashes are no difference", () => {
  const cases: readonly (readonly [readonly string[], readonly string[], string, boolean])[] = [
    [["npx", "x"], ["npx", "x"], "C:\\node\\npx.cmd", true],
    [["npx", "x"], ["NPX.CMD", "x"], "c:\\NODE\\npx.CMD", true],
    [["npx", "x"], ["C:\\Temp\\npx.cmd", "x"], "C:\\Temp\\npx.cmd", false],
    [["C:/Node/npx.cmd", "x"], ["npx", "x"], "C:\\node\\npx.cmd", true],
    [["npx", "x"], ["npx", "X"], "C:\\node\\npx.cmd", false],
  ];
  for (const [rule, argv, program, expected] of cases) {
    assert.equal(commandAllowed(rule, { argv, program }, WINDOWS), expected, program);
  }
});

Deno.test("a script of many words is looked through in no time, to its end", () => {
  const script = `${"env true; ".repeat(50_000)} npx evil`;
  const line = { argv: ["sh", "-c", script], program: "/bin/sh" };
  const begun = performance.now();
  assert.equal(commandDenied(["npx", "evil"], line, LINUX), true);
  assert.equal(commandDenied(["npx", "other"], line, LINUX), false);
  assert.ok(performance.now() - begun < 10_000);
});
