import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { HotplugFolders, Machine } from "../../src/model/machine.ts";
import { TempMachine } from "../sources/temp_machine.ts";

/** A machine whose files a test edits. */
export interface EditPlace {
  /** What every edit is given. */
  readonly given: { readonly machine: Machine; readonly folders: HotplugFolders };
  /** Absolute path of a file below the machine's root. */
  path(name: string): string;
  /** Text of a file below the root. */
  text(name: string): Promise<string>;
  /** Writes a text below the root as it is, an object as JSON. */
  write(name: string, content: string | object): Promise<string>;
}

/** The store, below the root. */
export const STORE = "home/.config/hotplug/mcp.json";
/** The workspace's switches, below the root. */
export const SWITCHES = "home/work/project/.hotplug/workspace.json";

/** Gives a test its own home and workspace, and removes them afterwards. */
export async function inEditPlace(test: (place: EditPlace) => Promise<void>): Promise<void> {
  await using temp = await TempMachine.create();
  const { machine, folders } = temp.context();
  const path = (name: string): string => join(temp.root, name);
  await test({
    given: { machine, folders },
    path,
    text: (name) => readFile(path(name), "utf8"),
    write: async (name, content) => {
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), typeof content === "string" ? content : JSON.stringify(content));
      return path(name);
    },
  });
}
