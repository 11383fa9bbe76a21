import { join } from "node:path";

import type { HotplugFolders } from "../model/machine.ts";

/** The folder of all logs of servers. */
export function logFolder(folders: HotplugFolders): string {
  return join(folders.state, "logs");
}
