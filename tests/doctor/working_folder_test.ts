import assert from "node:assert/strict";
import { examine } from "../../src/doctor/examine.ts";
import type { FolderFacts } from "../../src/doctor/subject.ts";
import { workingFolderFindings } from "../../src/doctor/working_folder.ts";
import { inPlace } from "../plan/made.ts";
import { of, subject, told } from "./made.ts";

const ABSENT: FolderFacts = { path: "/home/me/x", kind: "absent", foreign: null };

/** What is said of a folder that the definition writes like this. */
function said(
  cwd: string | undefined,
  more: Partial<FolderFacts>,
  wins = true,
): string | undefined {
  const definition = of("cursor", { command: "npx", ...(cwd === undefined ? {} : { cwd }) });
  const folder: FolderFacts = { ...ABSENT, ...more };
  return told(workingFolderFindings(subject(definition, { folder, wins })))[0];
}

Deno.test("a working folder that is not there is told with the remedy", () => {
  assert.equal(said("x", { kind: "folder" }), undefined);
  assert.deepEqual(workingFolderFindings(subject(of("cursor", { url: "https://a" }))), []);
  assert.equal(
    said("x", {}),
    'error: Cannot start in "/home/me/x": the working folder does not exist → ' +
      'Make the folder, or correct "cwd" of the entry',
  );
  assert.match(said(undefined, {}) ?? "", /→ Make the folder$/);
  assert.match(said("x", { kind: "file" }) ?? "", /is no folder → Name a folder in "cwd"/);
  assert.match(said("C:\\w", { foreign: "Windows" }) ?? "", /→ It is a path as Windows writes it/);
  assert.match(said("x", {}, false) ?? "", /^warning: /);
  const secret = said("${DIR}/y", { path: "/hunter2/y" }) ?? "";
  assert.match(secret, /Cannot start in "\$\{DIR\}\/y"/);
  assert.doesNotMatch(secret, /hunter2/);
});

Deno.test("doctor looks at the working folder of what may run, and of nothing else", () =>
  inPlace(async ({ home, machine, folders, write }) => {
    await write("home/file", "");
    await write("home/there/x", "");
    const server = (cwd: string): Record<string, string> => ({ type: "stdio", command: "sh", cwd });
    await write("home/.claude.json", {
      mcpServers: {
        there: server(`${home}/there`),
        gone: server(`${home}/gone`),
        file: server(`${home}/file`),
        windows: server("C:\\work"),
      },
    });
    await write("repo/.mcp.json", { mcpServers: { theirs: server(`${home}/gone`) } });
    const { findings } = await examine({ machine, folders, now: Date.now() });
    const found = findings.filter(({ check }) => check === "working-folder");
    assert.deepEqual(found.map(({ severity, server }) => [severity, server]), [
      ["error", "gone"],
      ["error", "file"],
      ["error", "windows"],
    ]);
    assert.match(found[2]?.remedy ?? "", /as Windows writes it.* name the folder as/);
  }));
