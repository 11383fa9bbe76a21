import { join } from "node:path";

import type { HotplugFolders } from "../model/machine.ts";

/** Where live sessions keep their records. */
export function sessionFolder(folders: HotplugFolders): string {
  return join(folders.state, "sessions");
}
