import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type {
  HookPrintDocument,
  HooksDoctorDocument,
  HooksDocument,
  HooksEditDocument,
} from "../../src/cli/hooks_documents.ts";
import { inPlace } from "./in_memory.ts";

Deno.test("hooks lists the hosts in use, and what to do first", async () => {
  await inPlace(async ({ run, write }) => {
    const empty = await run(["hooks"]);
    assert.deepEqual([empty.code, empty.stderr], [0, ""]);
    assert.match(empty.stdout, /^HOST +IN USE +HOOK +VERSION +SCOPE +NEW TOOLS +PATH\nmodule /);
    assert.match(empty.stdout, /\n\d+ more hosts: mcp hooks --all\n.*mcp hooks install <host>\n$/);
    await write("../.cursor/mcp.json", "{}");
    assert.match(
      (await run(["hooks"])).stdout,
      /^cursor +yes +- +- +user +new session +~\/.cursor/m,
    );
    assert.match((await run(["hooks", "--all"])).stdout, /^windsurf +- +-/m);
    assert.match((await run(["hooks", "zed"])).stdout, /^HOST.*\nzed [^\n]*\n\n/);
    const { hooks } = JSON.parse((await run(["hooks", "--json"])).stdout) as HooksDocument;
    const cursor = hooks.filter(({ kind }) => kind === "cursor");
    assert.deepEqual(cursor.map(({ scope, found }) => [scope, found]), [
      ["user", true],
      ["project", true],
    ]);
    assert.deepEqual((await run(["hooks", "list"])).stdout, (await run(["hooks"])).stdout);
  });
});

Deno.test("hooks install writes, says what is next, and the second time that nothing changed", async () => {
  await inPlace(async ({ run, home }) => {
    const first = await run(["hooks", "install", "cursor", "claude"]);
    assert.deepEqual([first.code, first.stderr], [0, ""]);
    assert.match(
      first.stdout,
      /^cursor: installed\n {2}new: ~\/\.cursor\/mcp\.json\n {2}next: .+\n {2}note: Cursor does not take other tools by itself\. .+\nclaude-code: installed\n/,
    );
    const again = await run(["hooks", "install", "cursor", "claude-code"]);
    assert.equal(again.stdout, "cursor: unchanged\nclaude-code: unchanged\n");
    const list = await run(["hooks"]);
    assert.match(list.stdout, /^cursor +yes +installed +\d/m);
    assert.match(list.stdout, /mcp hooks doctor\n$/);
    const gone = await run(["hooks", "uninstall", "cursor", "claude-code"]);
    assert.match(
      gone.stdout,
      /^cursor: removed\n {2}removed: ~\/\.cursor\/mcp\.json\nclaude-code:/,
    );
    const none = await run(["hooks", "uninstall", "cursor"]);
    assert.deepEqual([none.code, none.stdout], [0, "cursor: there is no hook to remove\n"]);
    await assert.rejects(readFile(join(home, ".cursor/mcp.json")));
  });
});

Deno.test("hooks install --dry-run shows what would change with every secret masked", async () => {
  await inPlace(async ({ run, write, home }) => {
    const text =
      '{ "mcpServers": { "a": { "command": "a", "env": { "TOKEN": "s3cr3t-t0ken" } } } }\n';
    await write("../.cursor/mcp.json", text);
    const { code, stdout } = await run(["hooks", "install", "cursor", "pi", "--dry-run"]);
    assert.equal(code, 0);
    assert.match(stdout, /^cursor: would be installed\n/);
    assert.match(stdout, /\n\+.*"hotplug"/);
    assert.match(stdout, /\*\*\*/);
    assert.doesNotMatch(stdout, /s3cr3t/);
    assert.match(
      stdout,
      /to read it: mcp hooks print pi\n\nNothing was written \(--dry-run\)\.\n$/,
    );
    assert.equal(await readFile(join(home, ".cursor/mcp.json"), "utf8"), text);
    const json = await run(["hooks", "install", "cursor", "pi", "--dry-run", "--json"]);
    const { dryRun, hooks } = JSON.parse(json.stdout) as HooksEditDocument;
    assert.deepEqual([dryRun, hooks.map(({ done }) => done)], [true, ["installed", "installed"]]);
    assert.doesNotMatch(json.stdout, /s3cr3t/);
  });
});

Deno.test("mistakes with hooks end with what to do", async () => {
  await inPlace(async ({ run, write }) => {
    const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
      [["hooks", "install"], 2, /no host is named\n {2}hint: .*mcp hooks install/],
      [["hooks", "uninstall"], 2, /no host is named/],
      [
        ["hooks", "install", "cursr"],
        2,
        /Unknown kind of host "cursr"\n {2}hint: Did you mean "cursor"/,
      ],
      [["hooks", "print"], 2, /./],
      [["hooks", "doctor", "nobody"], 2, /Unknown kind of host "nobody"/],
      ...["print", "install", "uninstall", "doctor"].map((word) =>
        [["hooks", word, "cline", "--project"], 2, /no place for a project's hook/] as const
      ),
      [["hooks", "instal"], 2, /no such command\n {2}hint: Did you mean "mcp hooks install"/],
    ];
    for (const [args, code, message] of cases) {
      const ended = await run(args);
      assert.equal(ended.code, code, args.join(" "));
      assert.match(ended.stdout + ended.stderr, message);
    }
    await write("../.cursor/mcp.json", "{");
    const refused = await run(["hooks", "install", "cursor", "zed"]);
    assert.equal(refused.code, 1);
    // The other one is installed all the same.
    assert.match(refused.stdout, /cursor: .*Cannot edit .*\n {2}hint: .*\nzed: installed\n/);
    const json = await run(["hooks", "install", "cursor", "--json"]);
    const { hooks: [hook] } = JSON.parse(json.stdout) as HooksEditDocument;
    assert.deepEqual([json.code, hook?.done, hook?.error?.code], [
      1,
      "refused",
      "config-malformed",
    ]);
  });
});

Deno.test("hooks print gives one file as it is, and several with their names", async () => {
  await inPlace(async ({ run }) => {
    const one = await run(["hooks", "print", "codex"]);
    assert.match(one.stderr, /^~\/\.codex\/config\.toml:\n$/);
    assert.match(
      one.stdout,
      /^\[mcp_servers\.hotplug\]\ncommand = "[^\n]+\nargs = \[.*"codex"\]$/m,
    );
    assert.match(one.stdout, /^mcp_tool_list_changed = true$/m);
    const several = await run(["hooks", "print", "claude-code"]);
    assert.match(
      several.stdout,
      /^~\/\.claude\/skills\/hotplug\/\.claude-plugin\/plugin\.json:\n\{\n/,
    );
    assert.equal(several.stderr, "");
    const list = await run(["hooks", "print", "continue"]);
    assert.match(list.stdout, /"continue"/);
    const json = await run(["hooks", "print", "module", "--json"]);
    const { kind, scope, files } = JSON.parse(json.stdout) as HookPrintDocument;
    assert.deepEqual([kind, scope, files.length], ["module", "project", 1]);
  });
});

Deno.test("hooks doctor looks at what is installed, and with --strict ends with 1 for an error", async () => {
  await inPlace(async ({ run, write }) => {
    const none = await run(["hooks", "doctor"]);
    assert.match(none.stdout, /^No host has a hook yet\./);
    const absent = await run(["hooks", "doctor", "zed", "--strict"]);
    assert.equal(absent.code, 1);
    assert.match(absent.stdout, /error: Zed has no hook\n.*\n {4}→ Run: mcp hooks install zed\n/);
    await write(
      "../.config/zed/settings.json",
      '{ "context_servers": { "hotplug": { ' +
        '"command": "/nowhere/mcp", "args": ["serve", "--for", "zed"] } } }',
    );
    const gone = await run(["hooks", "doctor", "--json"]);
    assert.equal(gone.code, 0);
    const { hooks, findings, summary } = JSON.parse(gone.stdout) as HooksDoctorDocument;
    assert.deepEqual(hooks, [{ kind: "zed", scope: "user" }]);
    assert.deepEqual(findings.map(({ check, severity }) => [check, severity]), [[
      "program",
      "error",
    ]]);
    assert.deepEqual(summary, { errors: 1, warnings: 0, infos: 0 });
  });
});
