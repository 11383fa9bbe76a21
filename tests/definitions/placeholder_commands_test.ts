import assert from "node:assert/strict";
import {
  commandsOf,
  expandConfig,
  type Expansion,
  type PlaceholderContext,
  variablesOf,
} from "../../src/definitions/placeholders.ts";
import type { ServerConfig } from "../../src/model/definition.ts";
import { runShellCommand } from "../../src/platform/shell_command.ts";

const CONTEXT: PlaceholderContext = {
  dialect: "dollar-command",
  env: { PATH: "/usr/bin:/bin", USER_ID: `u"1`, EMPTY: "" },
  home: "/home/u",
  workspacePath: `/w o"r$k`,
  configFolder: null,
  pathSeparator: "/",
};

function expand(config: ServerConfig, context: Partial<PlaceholderContext> = {}): Expansion {
  return expandConfig(config, { ...CONTEXT, ...context });
}

/** What a shell prints for one value of `env`. */
async function printed(
  written: string,
  context: Partial<PlaceholderContext> = {},
): Promise<string> {
  const { problems, commands, config } = expand({ command: "x", env: { K: written } }, context);
  assert.deepEqual([problems, config.env], [[], {}], written);
  const [only] = commands;
  return await runShellCommand(only?.command ?? "", {
    cwd: "/",
    env: Object.fromEntries(Object.entries(CONTEXT.env).map(([key, value]) => [key, value ?? ""])),
  });
}

/** Whether a shell refuses to print a value. */
async function fails(written: string): Promise<boolean> {
  return await printed(written).then(() => false, () => true);
}

Deno.test("a value that is one command is that command, as it is written", () => {
  const config = { command: "x", env: { A: "$(gh auth token)", B: "$( op read 'op://a/b)' )" } };
  assert.deepEqual(commandsOf(config, "dollar-command"), [
    { field: "env", key: "A", command: "gh auth token" },
    { field: "env", key: "B", command: "op read 'op://a/b)'" },
  ]);
  const hub = { url: "https://h/", headers: { A: "${cmd: op read x}" } };
  assert.deepEqual(commandsOf(hub, "cmd-braces"), [
    { field: "headers", key: "A", command: "op read x" },
  ]);
});

Deno.test("a command inside of a longer text is handed over with the whole text in one word", () => {
  const [value] = commandsOf({ headers: { A: "Bearer $(gh auth token)" } }, "dollar-command");
  assert.equal(
    value?.command,
    'set -eu; HOTPLUG_VALUE="Bearer $(gh auth token)"; printf %s "$HOTPLUG_VALUE"',
  );
});

Deno.test("a shell prints the text as it is written, whatever signs are in it", async () => {
  assert.equal(await printed("Bearer $(echo 'a b')"), "Bearer a b");
  assert.equal(await printed('q"`\\ \'$ $5 $(echo ")")!*'), "q\"`\\ '$ $5 )!*");
  assert.equal(await printed("$USER_ID-${USER_ID}-$(echo x)"), `u"1-u"1-x`);
  assert.equal(await printed("$(echo a)$(echo b):$(echo $(echo c))"), "ab:c");
  assert.equal(await printed(`\${NOPE:-a"'\`\\}$(echo 1)`), "a\"'`\\1");
  assert.equal(await printed("${EMPTY:-$(echo d)}!"), "d!");
  assert.equal(
    await printed("${workspaceFolder}/${cmd: echo x}", { dialect: "cmd-braces" }),
    `/w o"r$k/x`,
  );
  assert.equal(await printed("${cmd: (echo y)} z", { dialect: "cmd-braces" }), "y z");
});

Deno.test("a value that lacks a piece is a failure and not a shorter value", async () => {
  assert.equal(await fails("Bearer $(exit 3)"), true);
  assert.equal(await fails("$(exit 3)$(echo b)"), true);
  assert.equal(await fails("$(exit 3)"), true);
});

Deno.test("other placeholders beside a command are looked at before it runs [A16]", () => {
  const messages = (written: string): readonly string[] =>
    expand({ command: "x", env: { K: written } }).problems.map(({ message }) => message);
  assert.deepEqual(messages("$NOPE $(x)"), [
    'Cannot expand "env.K": the variable "NOPE" is not set',
  ]);
  assert.deepEqual(messages("${input:a} $(x)"), [
    'Cannot expand "env.K": the value "a" cannot stand in one text with a command',
  ]);
  assert.deepEqual(messages("$( )"), ['Cannot expand "env.K": there is no command in it']);
  for (const odd of ["$(s3cret", "$((1+2))", "a $(echo ')'"]) {
    assert.deepEqual(messages(odd), [
      'Cannot expand "env.K": the placeholder "$(…" is not known here',
    ]);
  }
  assert.deepEqual(variablesOf({ env: { K: "$A $(echo $B) ${C:-$D}" } }, "dollar-command"), [
    "A",
    "C",
    "D",
  ]);
});

Deno.test("a command anywhere but in env and headers is a problem that says where it may stand", () => {
  const config = { command: "x", args: ["a$(s3cret)"], env: { K: "v" } };
  const { problems, commands } = expand(config);
  assert.deepEqual(problems.map(({ message }) => message), [
    'Cannot expand "args[0]": the output of a command is allowed in env and headers only',
  ]);
  assert.deepEqual(commands, []);
  const hub = expand({ url: "https://h/${cmd: x}" }, { dialect: "cmd-braces" });
  assert.match(hub.problems[0]?.message ?? "", /^Cannot expand "url": the output of a command/);
});

Deno.test("Windows runs a command for a whole value alone", () => {
  const windows = { pathSeparator: "\\" };
  assert.deepEqual(expand({ command: "x", env: { K: "$(gh auth token)" } }, windows).problems, []);
  assert.match(
    expand({ command: "x", env: { K: "a $(x)" } }, windows).problems[0]?.message ?? "",
    /needs a shell that Windows has not$/,
  );
});
