import type { Stats } from "node:fs";
import { lstatSync, statSync } from "node:fs";
import { HotplugError } from "../model/errors.ts";
import { isCheckout } from "../plan/folder_trust.ts";
import { liesIn } from "../plan/inside.ts";
import { realOf, workspaceFolder } from "../plan/place_path.ts";
import type { SourceContext } from "../sources/source.ts";

/** The project that a file belongs to. */
export type ProjectPlace = Pick<SourceContext, "machine" | "workspacePath">;

/**
 * Refuses to write through what a repository may have laid out: a link that leads out of it, at the
 * file or at a folder on the way, and a file or link of another user's, which is not read either.
 * What lies in the home folder itself is the user's own, and may lead anywhere.
 *
 * @param path The file as it is named.
 * @param target The file behind the links of its last step.
 * @throws {HotplugError} `edit-refused`.
 */
export function guardProjectFile(path: string, target: string, project: ProjectPlace): void {
  const { machine, workspacePath } = project;
  const workspace = workspaceFolder(machine, workspacePath);
  const real = realOf(target);
  if (isCheckout(workspace) && !liesIn(real, workspace.real, workspace.caseless)) {
    throw new HotplugError(
      "edit-refused",
      `Cannot edit "${path}": it leads out of this repository, to "${real}"`,
      { hint: "Edit that file itself, or put a file in the place of the link" },
    );
  }
  const owners = [facts(lstatSync, path), facts(statSync, target)]
    .flatMap((found) => found === null ? [] : [found.uid]);
  // Root may change every file anyway.
  if (machine.uid === null || owners.every((uid) => uid === machine.uid || uid === 0)) return;
  throw new HotplugError("edit-refused", `Cannot edit "${path}": it belongs to another user`, {
    hint: "Take the file over, or remove it",
  });
}

/** What is at a path; `null` for nothing, or what cannot be looked at. */
function facts(look: (path: string) => Stats, path: string): Stats | null {
  try {
    return look(path);
  } catch {
    return null;
  }
}
