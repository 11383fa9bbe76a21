import assert from "node:assert/strict";
import { join, relative } from "node:path";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { Plan, PlanState } from "../../src/model/plan.ts";
import type { Scope } from "../../src/model/source.ts";
import { loadAllMCPConfigs } from "../../src/plan/discover.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import type { Source } from "../../src/sources/source.ts";
import { TempMachine } from "./temp_machine.ts";

/** A machine with an agent's files on it, as a user has them. */
export interface GoldenMachine {
  /** Its system. */
  readonly platform: "linux" | "darwin" | "win32";
  /** Environment; a value that begins with `root:` is a path below the machine's root. */
  readonly env?: Readonly<Record<string, string>>;
  /** Files by their path below the root; the home folder is `home`, the workspace `home/work/project`. */
  readonly files: Readonly<Record<string, string | object>>;
  /** Current folder, relative to the workspace. */
  readonly cwd?: string;
  /** Sources that discovery does not know by itself. */
  readonly sources?: readonly Source[];
}

/** One row of a plan, as a golden test names it. */
export interface GoldenRow {
  /** Name of the server. */
  readonly name: string;
  /** The plan's verdict. */
  readonly state: "run" | PlanState;
  /** Id of the source that won. */
  readonly source: string;
  /** Its scope. */
  readonly scope: Scope;
  /** The file, relative to the root. */
  readonly file: string;
  /** The canonical config, placeholders unexpanded; paths below the root begin with `root:`. */
  readonly config: ServerConfig;
}

/** The rows of the plan that discovery makes on a machine, in plan order. */
export async function planRows(golden: GoldenMachine): Promise<readonly GoldenRow[]> {
  return await onMachine(
    golden,
    ({ plan }, root) =>
      plan.servers.flatMap(({ name, verdict, definition }): GoldenRow[] =>
        definition === null ? [] : [{
          name,
          state: verdict.state,
          source: definition.source.id,
          scope: definition.source.scope,
          file: relative(root, definition.source.path ?? root),
          config: JSON.parse(JSON.stringify(definition.config).replaceAll(`${root}/`, "root:")),
        }]
      ),
  );
}

/** Checks that discovery on a machine makes just these rows, whatever their order. */
export async function assertPlan(
  golden: GoldenMachine,
  expected: readonly GoldenRow[],
): Promise<void> {
  const byName = (a: GoldenRow, b: GoldenRow): number => a.name < b.name ? -1 : 1;
  assert.deepEqual([...await planRows(golden)].sort(byName), [...expected].sort(byName));
}

/** Runs discovery on a machine with these files, and gives the plan to a check. */
export async function onMachine<Result>(
  golden: GoldenMachine,
  check: (found: { readonly plan: Plan }, root: string) => Result | Promise<Result>,
): Promise<Result> {
  await using temp = await TempMachine.create();
  // Without it the workspace would be the current folder alone.
  await temp.write("home/work/project/.git/HEAD", "ref: refs/heads/main\n");
  for (const [path, content] of Object.entries(golden.files)) await temp.write(path, content);
  const env = Object.fromEntries(
    Object.entries(golden.env ?? {}).map(([name, value]) => [
      name,
      value.startsWith("root:") ? join(temp.root, value.slice("root:".length)) : value,
    ]),
  );
  const { machine, folders } = temp.context({ ...golden, env });
  const found = await loadAllMCPConfigs({
    machine,
    folders,
    trust: "store",
    // Once they are registered they are known already.
    extraSources: (golden.sources ?? []).filter(({ id }) => !SOURCES.some((one) => one.id === id)),
  });
  return await check(found, temp.root);
}
