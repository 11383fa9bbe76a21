import assert from "node:assert/strict";
import { hasOpenFile } from "../../src/definitions/placeholder_files.ts";
import {
  expandConfig,
  type Expansion,
  filesOf,
  type PlaceholderContext,
  readFiles,
  variablesOf,
} from "../../src/definitions/placeholders.ts";
import { secretValues } from "../../src/definitions/secrets.ts";
import type { ServerConfig } from "../../src/model/definition.ts";

const CONTEXT: PlaceholderContext = {
  dialect: "env-braces",
  env: { NAME: "key", SECRET: "s3cret" },
  home: "/home/u",
  workspacePath: "/w",
  configFolder: "/base",
  fileFolder: "/cfg",
  pathSeparator: "/",
  files: new Map([
    ["/cfg/key", "  k3y-value\n"],
    ["/home/u/.token", "t0ken-value"],
    ["/abs", "{env:NAME} ${NAME}"],
    ["/nul", "a\0b"],
    ["/gone", null],
  ]),
};

function expand(config: ServerConfig, context: Partial<PlaceholderContext> = {}): Expansion {
  return expandConfig(config, { ...CONTEXT, ...context });
}

Deno.test("a file's trimmed content stands for it, relative to the config file or at home", () => {
  const { config, problems, secrets } = expand({
    url: "https://h/?k={file:key}",
    args: ["--token={file:~/.token}", "{file:{env:NAME}}"],
    env: { A: "x{file: ./key }y" },
    headers: { H: "Bearer {file:/cfg/../cfg/key}" },
  });
  assert.deepEqual(problems, []);
  assert.equal(config.url, "https://h/?k=k3y-value");
  assert.deepEqual(config.args, ["--token=t0ken-value", "k3y-value"]);
  assert.equal(config.env["A"], "xk3y-valuey");
  assert.deepEqual(secrets, ["t0ken-value", "k3y-value"]);
});

Deno.test("what a file holds is not expanded again", () => {
  assert.deepEqual(expand({ args: ["{file:/abs}"] }).config.args, ["{env:NAME} ${NAME}"]);
});

Deno.test("Windsurf's files stand between a dollar's braces", () => {
  const { config, problems } = expand({
    command: "x",
    args: ["${file:/cfg/key}", "${file:${env:NAME}}", "${env:NOPE:-${file:/cfg/key}}"],
  }, { dialect: "env-file-colon" });
  assert.deepEqual([problems, config.args], [[], ["k3y-value", "k3y-value", "k3y-value"]]);
});

Deno.test("a file that cannot be read is an error that names field and path", () => {
  const { problems } = expand({
    command: "x",
    env: { A: "{file:/gone}", B: "{file:none}", C: "{file:/nul}" },
    args: ["{file:{env:NOPE}}", "{file:{env:SECRET}}"],
  });
  assert.deepEqual(problems.map(({ code, message }) => [code, message]), [
    ["missing-variable", 'Cannot expand "args[0]": the variable "NOPE" is not set'],
    [
      "config-unreadable",
      'Cannot expand "args[1]": the file that it names does not exist or cannot be read',
    ],
    [
      "config-unreadable",
      'Cannot expand "env.A": the file "/gone" does not exist or cannot be read',
    ],
    [
      "config-unreadable",
      'Cannot expand "env.B": the file "/cfg/none" does not exist or cannot be read',
    ],
    ["config-invalid", 'Cannot expand "env.C": the file "/nul" holds a NUL character'],
  ]);
});

Deno.test("the files of a definition are told without being opened, each once", () => {
  const config = {
    command: "x",
    args: ["{file:key}", "{file:./key}", "{file:{env:NOPE}}", "{ file:/not}"],
    env: { A: "{file:~/.token}", B: "{file:{file:/x}}", C: "{file:{env:NAME}}" },
  };
  assert.deepEqual(filesOf(config, CONTEXT), ["/cfg/key", "/home/u/.token"]);
  assert.deepEqual(filesOf(config, { ...CONTEXT, dialect: "hotplug" }), []);
  assert.deepEqual(filesOf({ args: ["{file:a}"] }, { ...CONTEXT, fileFolder: null }), ["/w/a"]);
  const { fileFolder: _, ...without } = CONTEXT;
  assert.deepEqual(filesOf({ args: ["{file:a}"] }, without), ["/base/a"]);
  const windows = { ...CONTEXT, pathSeparator: "\\", fileFolder: "C:\\c", home: "C:\\u" };
  assert.deepEqual(filesOf({ args: ["{file:a}", "{file:~\\b}"] }, windows), [
    "C:\\c\\a",
    "C:\\u\\b",
  ]);
  assert.deepEqual(variablesOf({ args: ["{file:{env:NAME}}"] }, "env-braces"), ["NAME"]);
});

Deno.test("a file whose path a variable or the user decides is known as open", () => {
  assert.equal(hasOpenFile({ args: ["{file:a}", "{env:V}"] }, "env-braces"), false);
  assert.equal(hasOpenFile({ args: ["{file:{env:V}/a}"] }, "env-braces"), true);
  assert.equal(hasOpenFile({ args: ["${file:${workspaceFolder}/a}"] }, "env-file-colon"), false);
  assert.equal(hasOpenFile({ args: ["${env:X:-${file:${env:V:-/a}}}"] }, "env-file-colon"), true);
  assert.equal(hasOpenFile({ args: ["${file:${input:a}}"] }, "env-file-colon"), true);
});

Deno.test("files are read by the reader that is given, one that fails is told apart", async () => {
  const asked: string[] = [];
  const files = await readFiles({ args: ["{file:a}", "{file:/b}"] }, CONTEXT, (path) => {
    asked.push(path);
    return Promise.resolve(path === "/b" ? { state: "absent" } : { state: "loaded", text: "x" });
  });
  assert.deepEqual(asked, ["/cfg/a", "/b"]);
  assert.deepEqual([...files], [["/cfg/a", "x"], ["/b", null]]);
});

Deno.test("the content of a file is masked also in arguments and addresses [H08]", () => {
  const { config, secrets } = expand({
    command: "serve",
    args: ["--name", "{file:key}"],
    url: "https://{file:/abs}.h/",
  }, { files: new Map([["/cfg/key", "plain"], ["/abs", "tenant"]]) });
  assert.deepEqual(secretValues(config), []);
  assert.deepEqual(secretValues(config, secrets), ["tenant", "plain"]);
});
