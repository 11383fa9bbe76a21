import assert from "node:assert/strict";
import fc from "fast-check";
import {
  commandsOf,
  expandConfig,
  type Expansion,
  inputsOf,
  type PlaceholderContext,
  variablesOf,
} from "../../src/definitions/placeholders.ts";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { PlaceholderDialect } from "../../src/model/source.ts";

const CONTEXT: PlaceholderContext = {
  dialect: "hotplug",
  env: { TOKEN: "t0ken", EMPTY: "", A: "${TOKEN}", PORT: "80", SPACED: " s3cret\n", HOST: "h" },
  home: "/home/u",
  workspacePath: "/home/u/work",
  configFolder: "/home/u/work/sub",
  pathSeparator: "/",
};

function expand(config: ServerConfig, context: Partial<PlaceholderContext> = {}): Expansion {
  return expandConfig(config, { ...CONTEXT, ...context });
}

/** What one text becomes as an argument; it must expand without a problem. */
function text(written: string, context: Partial<PlaceholderContext> = {}): string | undefined {
  const { config, problems } = expand({ command: "x", args: [written] }, context);
  assert.deepEqual(problems, [], written);
  return config.args?.[0];
}

function problem(written: string, context: Partial<PlaceholderContext> = {}): string {
  const { problems } = expand({ command: "x", args: [written] }, context);
  assert.equal(problems.length, 1, written);
  return problems[0]?.message ?? "";
}

Deno.test("placeholders are replaced in every string field [A15] [A17]", () => {
  const { config, problems, variables } = expand({
    type: "stdio",
    command: "${HOST}/bin",
    args: ["--token", "${env:TOKEN}"],
    env: { T: "${TOKEN}", GONE: null, KEEP: "" },
    cwd: "/${HOST}",
    envFile: "/${PORT}/.env",
    headers: { Authorization: "Bearer ${TOKEN}" },
    url: "http://${HOST}:${PORT}/?k=${TOKEN}",
    enabledTools: ["${TOKEN}"],
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(config, {
    type: "stdio",
    command: "h/bin",
    args: ["--token", "t0ken"],
    env: { T: "t0ken", GONE: null, KEEP: "" },
    cwd: "/h",
    envFile: "/80/.env",
    headers: { Authorization: "Bearer t0ken" },
    url: "http://h:80/?k=t0ken",
    enabledTools: ["${TOKEN}"],
  });
  assert.deepEqual(variables, ["HOST", "TOKEN", "PORT"]);
});

Deno.test("defaults stand for unset and empty variables, and an empty variable counts as set [A16]", () => {
  assert.equal(text("${NOPE:-8080}"), "8080");
  assert.equal(text("${EMPTY:-8080}"), "8080");
  assert.equal(text("${PORT:-8080}"), "80");
  assert.equal(text("[${EMPTY}]"), "[]");
  assert.equal(text("[${NOPE:-}]"), "[]");
  assert.equal(text("${env:NOPE:-d}"), "d");
  assert.equal(text("${ TOKEN }"), "t0ken");
});

Deno.test("a missing variable is a problem that names field and variable, once each [A16]", () => {
  const { problems, config } = expand({
    url: "https://h/",
    headers: { Authorization: "Bearer ${NOPE}", B: "${NOPE}" },
  });
  assert.deepEqual(problems.map(({ code, message }) => [code, message]), [
    ["missing-variable", 'Cannot expand "headers.Authorization": the variable "NOPE" is not set'],
    ["missing-variable", 'Cannot expand "headers.B": the variable "NOPE" is not set'],
  ]);
  assert.doesNotMatch(JSON.stringify(config), /NOPE/);
});

Deno.test("adjacent, nested and odd braces are read as they pair up", () => {
  assert.equal(text("${PORT}${PORT}-$PORT-$-{PORT}"), "8080-$PORT-$-{PORT}");
  assert.equal(text("${NOPE:-${TOKEN}}"), "t0ken");
  assert.equal(text("${NOPE:-${NEITHER:-${PORT}}!}"), "80!");
  assert.equal(text('${NOPE:-{"a":{}}}'), '{"a":{}}');
  assert.equal(text("${NOPE:-a{b}${PORT}"), "a{b80");
  assert.equal(text("${NOPE:-a:-b}"), "a:-b");
  assert.equal(text("}${PORT}{"), "}80{");
});

Deno.test("what a variable holds is not expanded again", () => {
  assert.equal(text("${A}"), "${TOKEN}");
  assert.equal(text("${NOPE:-${A}}"), "${TOKEN}");
});

Deno.test("two dollars are a literal placeholder in our own files and a dollar elsewhere", () => {
  assert.equal(text("$${TOKEN}$${NOPE:-x} ${PORT}"), "${TOKEN}${NOPE:-x} 80");
  assert.equal(text("$${TOKEN}", { dialect: "braces" }), "$t0ken");
  assert.deepEqual(variablesOf({ args: ["$${TOKEN}"] }, "hotplug"), []);
});

Deno.test("each dialect knows its own placeholders", () => {
  assert.equal(text("${TOKEN}", { dialect: "braces" }), "t0ken");
  assert.equal(text("${env:TOKEN}", { dialect: "braces-command" }), "t0ken");
  assert.equal(text("${env:TOKEN}", { dialect: "env-colon" }), "t0ken");
  assert.match(problem("${TOKEN}", { dialect: "env-colon" }), /"\$\{TOKEN\}" is not known/);
  assert.equal(text("${TOKEN} ${ $(x)", { dialect: "literal" }), "${TOKEN} ${ $(x)");
});

Deno.test("folders are known to hotplug and env-colon files [A18]", () => {
  for (const dialect of ["hotplug", "env-colon"] as const) {
    assert.equal(text("${workspaceFolder}|${cwd}", { dialect }), "/home/u/work|/home/u/work");
    assert.equal(text("${workspaceFolderBasename}", { dialect }), "work");
    assert.equal(text("${userHome}${/}x${pathSeparator}", { dialect }), "/home/u/x/");
  }
  assert.match(
    problem("${workspaceFolder}", { dialect: "braces" }),
    /"workspaceFolder" is not set/,
  );
});

Deno.test("an unknown placeholder is a problem that names it and not its default [A18]", () => {
  assert.match(problem("a${file:x}"), /the placeholder "\$\{file:x\}" is not known here$/);
  assert.match(problem("${NAME:?s3cret}"), /"\$\{NAME…\}"/);
  assert.match(problem("${TOKEN:-s3cret}", { dialect: "env-colon" }), /"\$\{TOKEN…\}"/);
  for (const odd of ["${}", "${1A}", "${A B}", "${", "${TOKEN", "${env:}", "${TOKEN-s3cret}"]) {
    assert.match(problem(odd), /the placeholder "\$\{.*" is not known here$/);
    assert.doesNotMatch(problem(odd), /s3cret/);
  }
});

Deno.test("a value that only the user can give is a missing one, and can be told apart [A19]", () => {
  const config = { command: "x", env: { KEY: "${input:my-key}", B: "${NOPE:-${input:b}}" } };
  const { problems } = expand(config);
  assert.deepEqual(problems.map(({ code, message }) => [code, message]), [
    [
      "missing-variable",
      'Cannot expand "env.KEY" and "env.B": the values "my-key" and "b" must be given by the user',
    ],
  ]);
  assert.deepEqual(inputsOf(config, "env-colon"), ["my-key"]);
  assert.deepEqual(inputsOf(config, "hotplug"), ["my-key", "b"]);
  assert.deepEqual(inputsOf(config, "literal"), []);
});

Deno.test("a leading tilde is the home folder in command, cwd and envFile alone [A20]", () => {
  for (const dialect of ["hotplug", "literal"] as const) {
    const { config } = expand(
      { command: "~/bin/x", args: ["~/a"], cwd: "~", envFile: "~/.env", env: { P: "~/e" } },
      { dialect },
    );
    assert.deepEqual(
      [config.command, config.args, config.cwd, config.envFile, config.env],
      ["/home/u/bin/x", ["~/a"], "/home/u", "/home/u/.env", { P: "~/e" }],
    );
  }
  assert.equal(expand({ command: "~bob/x" }).config.command, "~bob/x");
  const windows = { pathSeparator: "\\", home: "C:\\Users\\u" };
  assert.equal(expand({ command: "~\\x" }, windows).config.command, "C:\\Users\\u\\x");
});

Deno.test("a relative cwd stands against the folder of its file [A21]", () => {
  const config = { command: "x", cwd: "../tools", envFile: ".env" };
  const near = expand(config).config;
  assert.deepEqual([near.cwd, near.envFile], ["/home/u/work/tools", "/home/u/work/sub/.env"]);
  assert.equal(expand(config, { configFolder: null }).config.cwd, "/home/u/tools");
  const windows = { pathSeparator: "\\", configFolder: "C:\\w" };
  assert.equal(expand({ cwd: "a" }, windows).config.cwd, "C:\\w\\a");
  assert.equal(expand({ cwd: "D:\\a" }, windows).config.cwd, "D:\\a");
});

Deno.test("variables of Windows have no case", () => {
  const env = { Path: "C:\\p" };
  assert.equal(text("${PATH}", { env, pathSeparator: "\\" }), "C:\\p");
  assert.match(problem("${PATH}", { env }), /"PATH" is not set/);
});

Deno.test("commands are left for later, unexpanded, where the dialect has them", () => {
  const config = {
    url: "https://h/",
    env: { A: "!pass show ${TOKEN}", B: "x!" },
    headers: { Authorization: "! op read x " },
    args: ["!no"],
  };
  const { commands, config: resolved, problems, variables } = expand(config);
  assert.deepEqual(problems, []);
  assert.deepEqual(commands, [
    { field: "env", key: "A", command: "pass show ${TOKEN}" },
    { field: "headers", key: "Authorization", command: "op read x" },
  ]);
  assert.deepEqual([resolved.env, resolved.headers, resolved.args], [{ B: "x!" }, {}, ["!no"]]);
  assert.deepEqual(variables, []);
  assert.deepEqual(commandsOf(config, "braces-command"), commands);
  for (const dialect of ["braces", "env-colon", "literal"] as const) {
    assert.deepEqual(commandsOf(config, dialect), []);
  }
  assert.equal(expand({ env: { A: "!" } }, { dialect: "literal" }).config.env["A"], "!");
  assert.match(expand({ env: { A: "! " } }).problems[0]?.message ?? "", /no command after "!"/);
});

Deno.test("white space around a secret is flagged by field and variable, kept and not shown", () => {
  const { config, warnings } = expand({
    command: "x",
    env: { A: "${SPACED}", B: " lit3ral", C: "fine" },
  });
  assert.deepEqual([config.env["A"], config.env["B"]], [" s3cret\n", " lit3ral"]);
  assert.deepEqual(warnings, [
    '"env.A": the value of the variable "SPACED" starts or ends with white space',
    '"env.B" starts or ends with white space',
  ]);
});

Deno.test("what is wrong only after the expansion is found without showing the value", () => {
  const env = { URL: "ftp://s3cret/", CRLF: "s3c\r\nret", NONE: "" };
  const messages = (config: ServerConfig): string =>
    expand(config, { env }).problems.map(({ message }) => message).join("|");
  assert.equal(messages({ url: "${URL}" }), 'Cannot use "url": it must be an http or https URL');
  assert.match(messages({ url: "http://h", headers: { K: "${CRLF}" } }), /^Cannot use "headers.K"/);
  assert.match(messages({ command: "${NONE}" }), /^Cannot use "command": it is empty/);
  assert.doesNotMatch(messages({ url: "${URL}", headers: { K: "${CRLF}" } }), /s3c/);
});

Deno.test("what a definition reads is listed without a look at any value, defaults included", () => {
  const config = {
    command: "${A}",
    args: ["${B:-${C}}", "$D"],
    env: { K: "${env:A}", L: "!echo ${E}", M: null },
    headers: { H: "${env:F}" },
  };
  assert.deepEqual(variablesOf(config, "hotplug"), ["A", "B", "C", "F"]);
  assert.deepEqual(variablesOf(config, "env-colon"), ["A", "F"]);
  assert.deepEqual(variablesOf(config, "literal"), []);
});

Deno.test("no text makes it throw, and without a problem no known placeholder is left", () => {
  const piece = fc.constantFrom("${", "}", "{", "$", ":-", "env:", "TOKEN", "NOPE", "!", "~", "x");
  const dialects: PlaceholderDialect[] = [
    "hotplug",
    "braces",
    "braces-command",
    "env-colon",
    "literal",
  ];
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
      fc.constantFrom(...dialects),
      (written, dialect) => {
        const { config, problems } = expand({ command: "x", args: [written] }, { dialect });
        if (dialect === "literal") assert.equal(config.args?.[0], written);
        else if (problems.length === 0 && dialect !== "hotplug") {
          assert.doesNotMatch(config.args?.[0] ?? "", /\$\{TOKEN\}/);
        }
      },
    ),
    { numRuns: 3_000 },
  );
});

Deno.test("deep and long texts take no long time", () => {
  const written = "${A:-".repeat(5_000) + "}".repeat(5_000);
  assert.equal(expand({ args: [written, "${".repeat(20_000)] }, { env: {} }).problems.length, 2);
});
