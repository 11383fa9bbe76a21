import type { JsonObject } from "../model/json.ts";
import type { OwnFile } from "./host_kind.ts";

/**
 * A JSON file of Hotplug's own.
 *
 * @param folder Outermost folder that is Hotplug's too; `null` when the host has the folder.
 */
export function jsonFile(path: string, value: JsonObject, folder: string | null): OwnFile {
  return { what: "file", path, text: `${JSON.stringify(value, null, 2)}\n`, folder };
}
