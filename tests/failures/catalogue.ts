/** Reads which reported failures of other products the tests of this project name. */

/** A test that carries the id of a failure. */
export interface TaggedTest {
  /** Id of the failure, such as `A01`. */
  readonly id: string;
  /** Name of the test without its ids: what goes right. */
  readonly name: string;
  /** File of the test, from the root of the repository. */
  readonly file: string;
}

const ROOT = new URL("../../", import.meta.url);

/** Every tagged test, by id and then by file. */
export async function taggedTests(): Promise<readonly TaggedTest[]> {
  const found: TaggedTest[] = [];
  for await (const file of testFiles("tests/")) {
    const text = await Deno.readTextFile(new URL(file, ROOT));
    for (const title of titles(text)) {
      const ids = [...title.matchAll(/\[([A-I]\d\d)\]/g)].map(([, id = ""]) => id);
      const name = title.replaceAll(/\s*\[[A-I]\d\d\]/g, "");
      found.push(...ids.map((id) => ({ id, name, file })));
    }
  }
  return found.toSorted((a, b) =>
    a.id.localeCompare(b.id) || a.file.localeCompare(b.file) || a.name.localeCompare(b.name)
  );
}

/** The names of tests that carry an id; what a name fills in from a table is left out. */
function titles(text: string): readonly string[] {
  const quoted = text.matchAll(/^\s*(?:[\w.]+\()?("(?:[^"\\]|\\.)*\[[A-I]\d\d\]")/gm);
  const filled = text.matchAll(/^\s*(?:[\w.]+\()?`([^`]*\[[A-I]\d\d\])`/gm);
  return [
    ...[...quoted].map(([, name = ""]) => JSON.parse(name) as string),
    ...[...filled].map(([, name = ""]) => name.replaceAll(/:? ?\$\{[^}]*\}/g, "")),
  ];
}

async function* testFiles(folder: string): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(new URL(folder, ROOT))) {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory) yield* testFiles(`${path}/`);
    else if (entry.name.endsWith("_test.ts")) yield path;
  }
}

/** The rows of this folder's README: per id the names and files that stand there. */
export async function catalogueRows(): Promise<ReadonlyMap<string, string>> {
  const text = await Deno.readTextFile(new URL("README.md", import.meta.url));
  const rows = [...text.matchAll(/^\| ([A-I]\d\d)\s*\| (.*) \|$/gm)];
  return new Map(rows.map(([, id = "", rest = ""]) => [id, rest]));
}

/** The table of this folder's README as the tests make it. */
export function catalogueTable(tests: readonly TaggedTest[]): string {
  const rows = [...Map.groupBy(tests, ({ id }) => id)].map(([id, ofId]) => {
    const [first] = ofId;
    const files = [...new Set(ofId.map(({ file }) => file.replace(/^tests\//, "")))];
    return `| ${id} | ${first?.name.replaceAll("|", "\\|") ?? ""} | ${files.join("<br>")} |`;
  });
  return ["| id | what goes right | tests |", "| --- | --- | --- |", ...rows].join("\n");
}

if (import.meta.main) {
  const table = catalogueTable(await taggedTests());
  await Deno.stdout.write(new TextEncoder().encode(`${table}\n`));
}
