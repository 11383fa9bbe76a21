import { pendingApprovals, withdraw } from "../../plan/approve.ts";
import type { TrustFlags } from "../flags.ts";
import type { CliContext } from "../context.ts";
import { machineIn } from "../named_folders.ts";
import { SCHEMA_VERSION } from "../documents.ts";
import type { UntrustDocument } from "../trust_documents.ts";
import { jsonText } from "../json_output.ts";
import { unknownName } from "../server_choice.ts";
import { shownLine } from "../shown.ts";

/** `mcp untrust`: withdraws approvals of this workspace. */
export async function untrust(
  context: CliContext,
  flags: TrustFlags,
  names: readonly string[],
): Promise<number> {
  const { output: { stdout }, signal } = context;
  const machine = await machineIn(context, flags.cwd);
  const { workspacePath, folders, trust } = await pendingApprovals({ machine, signal });
  const known = [...new Set([...Object.keys(trust.definitions), ...trust.enabled])];
  for (const name of names) {
    if (!known.includes(name)) {
      throw unknownName("server", name, known, "nothing of it is approved here");
    }
  }
  const all = names.length === 0 && flags.folder !== true && flags.hooks !== true;
  await withdraw(folders, workspacePath, {
    names,
    folder: flags.folder === true,
    hooks: flags.hooks === true,
    signal,
  });
  const withdrawn = all ? known : [...new Set(names)];
  const folder = trust.folder && (all || flags.folder === true);
  const hooks = (trust.hooks ?? []).length > 0 && (all || flags.hooks === true);
  if (flags.json === true) {
    const document: UntrustDocument = {
      schemaVersion: SCHEMA_VERSION,
      workspacePath,
      withdrawn,
      folder,
      hooks,
    };
    stdout.write(jsonText(document));
    return 0;
  }
  const lines = withdrawn.map((name) => `withdrawn: ${shownLine(name)}`);
  if (folder) lines.push(`withdrawn: folder ${shownLine(workspacePath)}`);
  if (hooks) lines.push("withdrawn: the project's hooks");
  stdout.write(`${lines.length === 0 ? "Nothing was approved here." : lines.join("\n")}\n`);
  return 0;
}
