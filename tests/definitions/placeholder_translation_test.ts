import assert from "node:assert/strict";
import fc from "fast-check";
import { ALL_DIALECTS, knownPlaceholders } from "../../src/definitions/placeholder_dialects.ts";
import { translateConfig } from "../../src/definitions/placeholder_translation.ts";
import {
  escapeLiteral,
  expandConfig,
  type PlaceholderContext,
} from "../../src/definitions/placeholders.ts";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { PlaceholderDialect } from "../../src/model/source.ts";

const CONTEXT: PlaceholderContext = {
  dialect: "common",
  env: { TOKEN: "t0ken", EMPTY: "", HOTPLUG_INPUT_ID: "given", workspaceFolder: "a variable" },
  home: "/home/u",
  workspacePath: "/w",
  configFolder: "/cfg",
  pathSeparator: "/",
  files: new Map([["/cfg/key", "k3y"], ["/cfg/t0ken", "other"]]),
};

/** One value of `env` in another dialect, or what cannot be said there. */
function translated(
  text: string,
  from: PlaceholderDialect,
  to: PlaceholderDialect,
): string | readonly string[] {
  const { config, problems } = translateConfig({ env: { K: text } }, from, to);
  if (problems.length === 0) return config.env?.["K"] ?? "";
  assert.equal(config.env?.["K"], text);
  return problems.map(({ message }) => message);
}

function cannot(what: string): readonly string[] {
  return [`Cannot translate "env.K": it holds ${what}, which cannot be written there`];
}

Deno.test("each placeholder is written in the words of the other host", () => {
  const cases: [string, PlaceholderDialect, PlaceholderDialect, string][] = [
    ["Bearer ${TOKEN}", "braces", "env-braces", "Bearer {env:TOKEN}"],
    ["Bearer {env:TOKEN}", "env-braces", "env-colon", "Bearer ${env:TOKEN}"],
    ["$TOKEN $HOME", "dollar", "hotplug", "${TOKEN} ${HOME}"],
    ["%HOME%", "dollar-only", "hotplug", "%HOME%"],
    ["${TOKEN:-$OTHER}", "dollar", "common", "${TOKEN:-${OTHER}}"],
    ["${TOKEN:-other}", "hotplug", "braces", "${TOKEN:-other}"],
    ["${input:my-key}", "vscode", "hotplug", "${input:my-key}"],
    ["${input:my-key}", "hotplug", "vscode", "${input:my-key}"],
    ["${input:my-key}", "cmd-braces", "vscode", "${input:my-key}"],
    ["${{ inputs.my-key }}", "secrets", "cmd-braces", "${input:my-key}"],
    ["$env:TOKEN", "braces-dollar", "dollar-command", "${TOKEN}"],
    ["{file:~/.key}", "env-braces", "env-file-colon", "${file:~/.key}"],
    ["${file:${env:DIR}/k}", "env-file-colon", "env-braces", "{file:{env:DIR}/k}"],
    ["${{ secrets.KEY }}", "secrets", "common", "${secret:KEY}"],
    ["${{ secrets.KEY }}", "secrets", "braces", "${KEY}"],
    ["Bearer ${KEY}", "braces", "secrets", "Bearer ${{ secrets.KEY }}"],
    ["${input:my-key}", "env-colon", "secrets", "${{ inputs.my-key }}"],
    ["${workspaceFolder}${/}x", "hotplug", "cmd-braces", "${workspaceFolder}${/}x"],
    ["${workspaceFolder}", "braces", "common", "${env:workspaceFolder}"],
    ["!gh auth token", "hotplug", "dollar-command", "$(gh auth token)"],
    ["$(gh auth token)", "dollar-command", "braces-command", "!gh auth token"],
    ["a $(x) $V", "dollar-command", "cmd-braces", "a ${cmd: x} ${V}"],
    ["a ${b} {c}", "literal", "common", "a $${b} {c}"],
    ["$${TOKEN}", "hotplug", "env-braces", "${TOKEN}"],
  ];
  for (const [text, from, to, expected] of cases) {
    assert.deepEqual(translated(text, from, to), expected, `${text} from ${from} to ${to}`);
  }
});

Deno.test("what a host cannot be told is a problem that names the kind and no value", () => {
  const cases: [string, PlaceholderDialect, PlaceholderDialect, string][] = [
    ["${TOKEN:-s3cret}", "braces", "env-braces", "the default of a variable"],
    ["${TOKEN}", "braces", "literal", "a variable"],
    ["${TOKEN:-s3cret}", "braces", "env-colon", "the default of a variable"],
    ["${TOKEN:-x}", "braces", "secrets", "a variable"],
    ["${userHome}", "env-colon", "braces", "a folder variable"],
    ["${input:a}", "env-colon", "env-braces", "a value that the user gives"],
    ["${{ secrets.A-B }}", "secrets", "braces", "a secret"],
    ["{file:k}", "env-braces", "common", "the content of a file"],
    ["!pass show s3cret", "hotplug", "braces", "the output of a command"],
    ["${workspaceFolder} ${cmd: x}", "cmd-braces", "hotplug", "the output of a command"],
    ["${s3cret text}", "braces", "common", "an unknown placeholder"],
    ["${TOKEN} s3cret", "literal", "braces", "a text that would be read otherwise"],
    ["pa$word", "literal", "dollar", "a text that would be read otherwise"],
    ["!important", "literal", "hotplug", "a text that would be read otherwise"],
    ["%HOME%", "dollar", "hotplug", "a variable that only Windows knows"],
    ["%HOME%", "hotplug", "dollar", "a text that would be read otherwise"],
    ["${A}", "env-braces", "env-colon", "a text that would be read otherwise"],
    ["${{env:A}}", "env-braces", "hotplug", "a text that would be read otherwise"],
  ];
  for (const [text, from, to, what] of cases) {
    assert.deepEqual(translated(text, from, to), cannot(what), `${text} from ${from} to ${to}`);
  }
});

Deno.test("a value of the user's is written only for hosts that ask for it, and read of all [A19]", () => {
  const known = ["hotplug", "vscode", "cmd-braces", "secrets"];
  for (const to of ALL_DIALECTS) {
    const written = translated("${input:k}", "vscode", to);
    if (known.includes(to)) assert.ok(!Array.isArray(written), to);
    else assert.deepEqual(written, cannot("a value that the user gives"), to);
    const hint = knownPlaceholders(to);
    assert.equal(/\binputs?[:.]/.test(hint), known.includes(to), hint);
  }
  // Two hosts of one dialect: the first one's file may hold what neither of them knows.
  for (const dialect of ["env-colon", "braces", "common"] as const) {
    const expected = cannot("a value that the user gives");
    assert.deepEqual(translated("${input:k}", dialect, dialect), expected, dialect);
  }
  assert.equal(translated("${input:k}", "vscode", "vscode"), "${input:k}");
});

Deno.test("no default is written in which a host would stop at the first brace [A15]", () => {
  const nested: readonly PlaceholderDialect[] = ["hotplug", "common"];
  const single = ["braces", "braces-command", "dollar", "dollar-only", "braces-dollar"] as const;
  for (const text of ["${A:-${B}}", '${A:-{"a":1}}']) {
    for (const to of nested) assert.equal(translated(text, "cmd-braces", to), text, to);
    for (const to of [...single, "dollar-command"] as const) {
      const expected = cannot("a default with a placeholder or brace in it");
      assert.deepEqual(translated(text, "hotplug", to), expected, `${text} to ${to}`);
      assert.deepEqual(translated(text, to, to), expected, `${text} in ${to}`);
    }
    for (const to of ["env-colon", "vscode", "env-file-colon"] as const) {
      assert.deepEqual(translated(text, "hotplug", to), cannot("the default of a variable"), to);
    }
  }
  assert.equal(translated("${A:-b}", "hotplug", "braces"), "${A:-b}");
  // What such a file holds is read as it always was.
  const { config } = expandConfig({ args: ["${NOPE:-${TOKEN}}"] }, {
    ...CONTEXT,
    dialect: "braces",
  });
  assert.deepEqual(config.args, ["t0ken"]);
});

Deno.test("every text of a definition is translated, and nothing else is changed", () => {
  const config: ServerConfig = {
    type: "stdio",
    command: "{env:A}",
    args: ["{env:B}", "b"],
    cwd: "{env:C}",
    envFile: "{env:D}",
    url: "{env:E}",
    env: { F: "{env:F}", GONE: null },
    headers: { G: "{env:G}" },
    enabledTools: ["{env:H}"],
    callTimeout: 5,
  };
  assert.deepEqual(translateConfig(config, "env-braces", "braces"), {
    config: {
      type: "stdio",
      command: "${A}",
      args: ["${B}", "b"],
      cwd: "${C}",
      envFile: "${D}",
      url: "${E}",
      env: { F: "${F}", GONE: null },
      headers: { G: "${G}" },
      enabledTools: ["{env:H}"],
      callTimeout: 5,
    },
    problems: [],
  });
});

const PIECE = fc.constantFrom(
  ...'${|}|{|$|%|(|)|!|:-|\\|"|env:|file:|input:|secret:|cmd:|secrets.|inputs.'.split("|"),
  ..."TOKEN|EMPTY|id|key|workspaceFolder|userHome|x| |".split("|"),
  ..."${TOKEN}|${NOPE:-x}|${env:TOKEN}|{env:TOKEN}|{file:key}|${file:key}|$TOKEN|%TOKEN%".split(
    "|",
  ),
  ..."$env:TOKEN|${input:id}|${secret:TOKEN}|${{ secrets.TOKEN }}|${{ inputs.id }}|$(x)".split("|"),
  ..."${cmd: x}|${workspaceFolder}|$${|${NOPE:-${TOKEN}}|{file:{env:TOKEN}}".split("|"),
);
const TEXT = fc.array(PIECE, { maxLength: 5 }).map((pieces) => pieces.join(""));

Deno.test("a translated definition means the same to the other host", () => {
  let compared = 0;
  fc.assert(
    fc.property(
      TEXT,
      TEXT,
      fc.constantFrom(...ALL_DIALECTS),
      fc.constantFrom(...ALL_DIALECTS),
      (first, second, from, to) => {
        const config = { command: "c", args: [first], cwd: second, env: { K: first, L: second } };
        const expected = expandConfig(config, { ...CONTEXT, dialect: from });
        const { config: other, problems } = translateConfig(config, from, to);
        if (expected.problems.length > 0 || problems.length > 0) return;
        const actual = expandConfig(other, { ...CONTEXT, dialect: to });
        assert.deepEqual(actual.problems, []);
        assert.deepEqual(actual.config, expected.config);
        assert.deepEqual(actual.commands, expected.commands);
        if (from !== to && JSON.stringify(other) !== JSON.stringify(config)) compared++;
      },
    ),
    { numRuns: 20_000 },
  );
  assert.ok(compared > 300, `only ${compared} definitions were changed and compared`);
});

Deno.test("an escaped text means itself in every field", () => {
  fc.assert(
    fc.property(fc.oneof(TEXT, fc.string()), (text) => {
      for (const dialect of ["common", "hotplug"] as const) {
        const config = { command: "c", args: [escapeLiteral(text)] };
        const { config: { args }, problems } = expandConfig(config, { ...CONTEXT, dialect });
        assert.deepEqual([args, problems], [[text], []]);
      }
    }),
    { numRuns: 3_000 },
  );
  assert.equal(escapeLiteral("a ${b ${c}} $${d} ${"), "a $${b ${c}} $$${d} $${");
});
