import assert from "node:assert/strict";
import { join } from "node:path";
import { hookTexts } from "../../scripts/embed_hooks.ts";
import { type HookFileKind, hookFileText } from "../../src/hosts/hook/hook_text.ts";
import { readHookHeader } from "../../src/hosts/hook_header.ts";
import * as embedded from "../../src/hosts/hook/texts.ts";
import { REPOSITORY } from "../harness/repository.ts";

const KINDS: readonly HookFileKind[] = ["module", "pi", "omp"];
const OPTIONS = { program: ["/opt/a b/mcp", 'with "quotes"'], version: "1.2.3-rc.1" };

Deno.test("the embedded texts are the scripts", async () => {
  const remedy = "run scripts/embed_hooks.ts, and deno fmt on what it writes";
  assert.deepEqual({ ...embedded }, await hookTexts(), remedy);
});

Deno.test("a hook file tells its kind, its version and whether it was changed", () => {
  for (const kind of KINDS) {
    const text = hookFileText(kind, OPTIONS);
    const header = { kind, version: "1.2.3-rc.1", isUnchanged: true };
    assert.deepEqual(readHookHeader(text), header);
    assert.equal(text, hookFileText(kind, OPTIONS), "it is the same every time");
    assert.deepEqual(readHookHeader(`\ufeff${text.replaceAll("\n", "\r\n")}`), header);
    const changed = { ...header, isUnchanged: false };
    assert.deepEqual(readHookHeader(text.replace("8_000", "9_000") + "\n"), changed);
    assert.deepEqual(readHookHeader(text.replace("v1.2.3-rc.1", "v2.0.0")), {
      ...header,
      version: "2.0.0",
    });
  }
});

Deno.test("a file of somebody else is no hook file", () => {
  for (const text of ["", "\n", "// hotplug hook pi\n", "export default () => {};\n"]) {
    assert.equal(readHookHeader(text), null);
  }
});

Deno.test("a hook file imports parts of the runtime alone, and says nothing of how it was made", () => {
  for (const kind of KINDS) {
    const text = hookFileText(kind, OPTIONS);
    const imports = [...text.matchAll(/^import .* from "(.*)";$/gm)].map(([, from]) => from ?? "");
    assert.ok(imports.length > 3 && imports.every((from) => from.startsWith("node:")));
    assert.doesNotMatch(text, /deno-lint|\.mjs"\)|@ts-/);
    const exported = [...text.matchAll(/^export (.*) \{$/gm)].map(([, what]) => what);
    assert.equal(exported.length, 1, exported.join());
    assert.ok(
      text.includes(
        `const PROGRAM = /** @type {readonly string[]} */ (${JSON.stringify(OPTIONS.program)});`,
      ),
    );
  }
});

Deno.test("the types in a hook file hold", async () => {
  const folder = await Deno.makeTempDir({ prefix: "hotplug-test-" });
  try {
    const config = JSON.parse(await Deno.readTextFile(join(REPOSITORY, "deno.json"))) as {
      readonly compilerOptions: object;
    };
    const { compilerOptions } = config;
    await Deno.writeTextFile(join(folder, "deno.json"), JSON.stringify({ compilerOptions }));
    for (const kind of KINDS) {
      const text = `// @ts-check\n${hookFileText(kind, OPTIONS)}`;
      await Deno.writeTextFile(join(folder, `${kind}.mjs`), text);
    }
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", ...KINDS.map((kind) => `${kind}.mjs`)],
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
