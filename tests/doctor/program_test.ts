import assert from "node:assert/strict";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { desktopPath, desktopPathFindings } from "../../src/doctor/desktop_path.ts";
import { interpreterOf, lookForProgram } from "../../src/doctor/look_program.ts";
import { programFindings } from "../../src/doctor/program.ts";
import type { ProgramFacts } from "../../src/doctor/subject.ts";
import { inPlace } from "../plan/made.ts";
import { of, program, PROJECT, subject, told } from "./made.ts";

Deno.test("a program that is missing comes with what brings it [B10]", () => {
  const cases: readonly (readonly [Partial<ProgramFacts>, string | null])[] = [
    [{}, null],
    [
      { path: null },
      'error: Cannot find "npx" in any of the 2 folders of PATH → Install Node.js ' +
      "(https://nodejs.org), which brings npx, or write its absolute path as the command",
    ],
    [
      { path: null, written: "uvx", searched: 1 },
      'error: Cannot find "uvx" in the one folder of PATH → Install uv ' +
      "(https://docs.astral.sh/uv), which brings uvx, or write its absolute path as the command",
    ],
    [
      { path: null, written: "npxx", near: "npx" },
      'error: Cannot find "npxx" in any of the 2 folders of PATH → Did you mean "npx"?',
    ],
    [
      { path: null, written: "/opt/serv", near: "server" },
      'error: Cannot find "/opt/serv": there is no such file → Did you mean "server"?',
    ],
    [
      { path: null, written: "npx -y s --token hunter2", firstWord: "npx" },
      'error: Cannot find "npx …": the command is a whole line, and no program has that name → ' +
      'Leave "npx" in "command" and put each of the other words into "args"',
    ],
    [
      { path: null, unusable: "/my bin/npx" },
      'error: Cannot run "npx": the file "/my bin/npx" is not executable → Make it executable: ' +
      "chmod +x '/my bin/npx'",
    ],
    [
      { path: null, onOwnPath: "/n/bin/npx" },
      'error: Cannot find "npx": your PATH has it, the PATH that its definition sets has not → ' +
      'Write "/n/bin/npx" as the command, or add "/n/bin" to that PATH',
    ],
    [
      { path: null, written: "C:\\Program Files\\x\\npx.cmd", foreign: "Windows" },
      'error: Cannot find "C:\\\\Program Files\\\\x\\\\npx.cmd": no program here has such a path → ' +
      "It is a path as Windows writes it, so the entry seems to come from another machine or " +
      "home; name the program as it is called here",
    ],
    [
      { interpreter: { name: "node", path: null } },
      'error: "npx" is a script for "node", which its PATH has not → Install Node.js ' +
      '(https://nodejs.org), or add its folder to "PATH" in "env"',
    ],
  ];
  const definition = of("cursor", { command: "npx" });
  for (const [facts, expected] of cases) {
    const found = programFindings(subject(definition, { program: program(facts) }));
    assert.deepEqual(told(found), expected === null ? [] : [expected]);
  }
  const [loser] = programFindings(
    subject(definition, { wins: false, program: program({ path: null }) }),
  );
  assert.equal(loser?.severity, "warning");
  assert.deepEqual([loser?.server, loser?.line], ["one", 7]);
  assert.deepEqual(programFindings(subject(definition)), []);
});

Deno.test("what only the terminal's PATH has is told for agents of the desktop [B10]", () => {
  const hidden = program({
    path: "/home/me/.nvm/bin/npx",
    interpreter: { name: "node", path: "/home/me/.nvm/bin/node" },
    desktop: { program: false, interpreter: false },
  });
  const find = (id: string, facts: ProgramFacts, scope: "user" | "project" = "user"): string[] => [
    ...told(desktopPathFindings(
      subject(
        of(id, { command: "npx" }, { scope, path: scope === "user" ? "/home/me/x" : PROJECT.path }),
        { program: facts },
      ),
    )),
  ];
  assert.deepEqual(find("claude-desktop", hidden), [
    'warning: claude-desktop does not find "npx" when it is started from the desktop: only the ' +
    "PATH of the terminal has it → Write the absolute path as the command: " +
    '"/home/me/.nvm/bin/npx", and "/home/me/.nvm/bin:/usr/bin:/bin" as "PATH" in "env"',
  ]);
  assert.match(find("cursor", hidden)[0] ?? "", /^info: .*cannot read the start-up files/);
  assert.match(find("zed", hidden, "project")[0] ?? "", /→ Start zed from a terminal; a path of/);
  assert.deepEqual(find("claude-code", hidden), [], "it is started from a terminal");
  assert.deepEqual(find("cursor", program()), [], "its PATH is not the desktop's");
  const seen = program({ desktop: { program: true, interpreter: true } });
  assert.deepEqual(find("cursor", seen), []);
  const halfSeen = program({
    path: "/usr/bin/npx",
    interpreter: { name: "node", path: "/home/me/n/node" },
    desktop: { program: true, interpreter: false },
  });
  assert.match(find("cursor", halfSeen)[0] ?? "", /does not find "node"/);
});

Deno.test("a desktop session has its own PATH, but on Windows", () => {
  const on = (platform: string): string | null =>
    desktopPath({ platform, env: {}, home: "/home/me", tmp: "/tmp", cwd: "/", uid: 1 });
  assert.equal(on("darwin"), "/usr/bin:/bin:/usr/sbin:/sbin");
  assert.match(on("linux") ?? "", /(?:^|:)\/usr\/local\/bin:/);
  assert.doesNotMatch(on("linux") ?? "", /\.local/);
  assert.equal(on("win32"), null);
});

Deno.test("a look finds the program, its interpreter, a near name and what a desktop sees", () =>
  inPlace(async ({ root, machine: given }) => {
    const bin = `${root}/bin`;
    await mkdir(bin);
    for (
      const [name, text, mode] of [
        ["server-script", "#!/usr/bin/env runner\n", 0o755],
        ["split", "#!/usr/bin/env -S runner --flag\n", 0o755],
        ["plain", "#!/bin/sh\n", 0o755],
        ["binary", "\x7fELF\0\0", 0o755],
        ["closed", "#!/bin/sh\n", 0o644],
      ] as const
    ) {
      await writeFile(`${bin}/${name}`, text);
      await chmod(`${bin}/${name}`, mode);
    }
    const machine = { ...given, env: { PATH: `${bin}:/usr/bin:/bin` } };
    const look = (command: string, path = machine.env.PATH): ProgramFacts =>
      lookForProgram(of("cursor", { command }), {
        command,
        environment: { PATH: path },
        cwd: root,
        machine,
      });
    assert.deepEqual(look("server-script"), {
      written: "server-script",
      path: `${bin}/server-script`,
      searched: 3,
      foreign: null,
      unusable: null,
      onOwnPath: null,
      near: null,
      firstWord: null,
      interpreter: { name: "runner", path: null },
      desktop: { program: false, interpreter: false },
    });
    assert.deepEqual(look("plain").interpreter, { name: "/bin/sh", path: "/bin/sh" });
    assert.equal(look("binary").interpreter, null);
    assert.equal(look("closed").unusable, `${bin}/closed`);
    assert.equal(look("server-scripd").near, "server-script");
    assert.equal(look(`${bin}/server-scripd`).near, "server-script");
    assert.equal(look("bin\\plain").foreign, "Windows");
    assert.equal(look("plain --flag").firstWord, "plain");
    assert.equal(look("plain", "/usr/bin").onOwnPath, `${bin}/plain`);
    assert.equal(interpreterOf(`${bin}/split`), "runner");
    assert.equal(interpreterOf(`${bin}/absent`), null);
  }));
