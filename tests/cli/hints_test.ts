import assert from "node:assert/strict";
import { application } from "../../src/cli/application.ts";

/** Words that stand after `mcp` in a text without being a command. */
const NO_COMMANDS: ReadonlySet<string> = new Set(["help"]);

/** Paths of all modules below a folder. */
async function* modules(folder: URL): AsyncGenerator<URL> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const url = new URL(isDirectory ? `${name}/` : name, folder);
    if (isDirectory) yield* modules(url);
    else yield url;
  }
}

/** A module's text without its comments. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

Deno.test("messages and hints name only commands that there are", async () => {
  const { root } = application;
  assert.ok("getAllEntries" in root);
  const known = new Set(root.getAllEntries().map(({ name }) => name["convert-camel-to-kebab"]));
  assert.ok(known.has("status") && known.has("trust"));
  const named = new Set<string>();
  for await (const url of modules(new URL("../../src/", import.meta.url))) {
    const text = withoutComments(await Deno.readTextFile(url));
    for (const [, word = ""] of text.matchAll(/(?<=["'`:(] ?|\bwith |\brun )mcp ([a-z]+)/g)) {
      if (NO_COMMANDS.has(word)) continue;
      named.add(word);
      assert.ok(known.has(word), `${url.pathname} names "mcp ${word}"`);
    }
  }
  assert.ok(named.has("trust") && named.has("status"), "nothing was found to check");
});
