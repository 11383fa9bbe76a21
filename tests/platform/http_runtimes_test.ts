import assert from "node:assert/strict";
import * as module from "node:module";
import { join } from "node:path";
import { RUNTIMES } from "../hook/runtimes.ts";
import { fromRepository } from "../harness/repository.ts";

/** What the listener is made of. */
const PARTS = [
  "coarse_timers",
  "fetch_http",
  "http_listener",
  "node_http",
  "outgoing_text",
  "within",
] as const;

/** What of `node:module` is used here, which older types do not know. */
interface Stripper {
  stripTypeScriptTypes(text: string): string;
}

/** Writes the listener as JavaScript that older runtimes read, too. */
async function plainCode(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "hotplug-listener-" });
  const { stripTypeScriptTypes } = module as unknown as Stripper;
  for (const part of PARTS) {
    const text = await Deno.readTextFile(fromRepository(`src/platform/${part}.ts`));
    const code = stripTypeScriptTypes(text).replaceAll(/("\.\/\w+)\.ts"/g, '$1.mjs"');
    await Deno.writeTextFile(join(folder, `${part}.mjs`), code);
  }
  return folder;
}

for (const { name, command } of RUNTIMES) {
  Deno.test(`the HTTP listener serves under ${name}, with the runtime's server and node's`, async () => {
    const folder = await plainCode();
    try {
      const [program, ...first] = await command();
      const { code, stdout, stderr } = await new Deno.Command(program, {
        args: [...first, fromRepository("tests/platform/programs/listen.mjs"), folder],
        stdin: "null",
      }).output();
      const text = new TextDecoder().decode(stderr);
      assert.equal(code, 0, text);
      assert.equal(new TextDecoder().decode(stdout), "fine\n");
      // Deno's warning is heeded, and so not shown.
      assert.equal(text, "");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
