import assert from "node:assert/strict";
import { fromRepository } from "./repository.ts";
import type { TempHome } from "./temp_home.ts";

/**
 * Runs a program of `tests/e2e/programs/`, which stands for a host that uses the library, in the
 * project folder of a home. It must exit with 0; gives the JSON document that it printed.
 */
export async function runProgram<Document>(name: string, home: TempHome): Promise<Document> {
  const flags = ["run", "--quiet", "--allow-all", "--config", fromRepository("deno.json")];
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...flags, fromRepository(`tests/e2e/programs/${name}`)],
    cwd: home.project,
    clearEnv: true,
    env: { ...home.env },
  }).output();
  const text = new TextDecoder();
  assert.equal(code, 0, text.decode(stderr));
  return JSON.parse(text.decode(stdout)) as Document;
}
