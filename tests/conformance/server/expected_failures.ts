import { parse } from "yaml";
import { fromRepository } from "../../harness/repository.ts";

const FILE = fromRepository("tests/conformance/server/expected_failures.yml");

/** The scenarios, or checks of them, that may fail in a run: the list of its name. */
export async function expectedFailures(run: string): Promise<ReadonlySet<string>> {
  const lists = parse(await Deno.readTextFile(FILE)) as Readonly<
    Record<string, readonly string[] | null>
  >;
  if (!Object.hasOwn(lists, run)) throw new Error(`Cannot find "${run}" in ${FILE}`);
  return new Set(lists[run] ?? []);
}
