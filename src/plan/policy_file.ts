import type { ErrorInfo } from "../model/errors.ts";
import type { Machine } from "../model/machine.ts";
import { factsOf } from "../platform/local_files.ts";
import type { TextFile } from "../platform/text_file.ts";
import type { ReadFile } from "../sources/source.ts";

/** Where a policy lies, and whose file it must be. */
export interface PolicyPlace {
  /** Absolute path. */
  readonly path: string;
  /**
   * User id that the file must belong to, and who alone may write it; `null` checks neither, as on
   * Windows, where rights are no numbers.
   */
  readonly ownerUid: number | null;
}

/**
 * Path of the policy that whoever manages a machine sets. Pure, and the same whatever the
 * environment says: who sets variables must not get round a policy. That is why on Windows it
 * stands below `C:\ProgramData`, where `%PROGRAMDATA%` leads, and not where the variable says.
 */
export function policyFile({ platform }: Pick<Machine, "platform">): string {
  switch (platform) {
    case "win32":
      return "C:\\ProgramData\\hotplug\\managed.json";
    case "darwin":
      return "/Library/Application Support/hotplug/managed.json";
    default:
      return "/etc/hotplug/managed.json";
  }
}

/** The policy of a machine: root's file. */
export function policyPlace(machine: Pick<Machine, "platform">): PolicyPlace {
  return { path: policyFile(machine), ownerUid: machine.platform === "win32" ? null : 0 };
}

/**
 * Reads the file of a policy. One that somebody else could have written is `unreadable`: it says
 * nothing about what the machine's manager wants. Never rejects.
 */
export async function readPolicyFile(place: PolicyPlace, readFile: ReadFile): Promise<TextFile> {
  const { path, ownerUid } = place;
  const file = await readFile(path, { ownerUid });
  if (file.state === "absent") return file;
  if (file.state === "unreadable") return { ...file, error: unusable(path, file.error.message) };
  // The mode of a file on Windows says only whether it is write-protected.
  const writable = ownerUid !== null && ((factsOf(path)?.mode ?? 0o022) & 0o022) !== 0;
  if (!writable) return file;
  const error = unusable(path, `Cannot trust "${path}": others than its owner may write it`);
  return { state: "unreadable", path, error };
}

function unusable(path: string, message: string): ErrorInfo {
  const hint = `${repairHint(path)}: it must be readable for every user, belong to root, ` +
    "and be writable by root alone";
  return { code: "config-unreadable", message, hint };
}

/** What to do about a policy that cannot be used, for whoever may write it. */
export function repairHint(path: string): string {
  const who = /^[a-z]:/i.test(path) ? "an administrator" : "root";
  return `Correct that file, as ${who}; until then no server runs`;
}
