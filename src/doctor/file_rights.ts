import { shownName } from "../model/remedies.ts";
import { type Finding, NOWHERE } from "./finding.ts";

/** What a config file lets others do. */
export interface RightsFacts {
  /** Absolute path. */
  readonly path: string;
  /** Rights of the file, as `stat` gives them. */
  readonly mode: number;
  /** Id of its owner. */
  readonly uid: number;
  /** Id of its group. */
  readonly gid: number;
  /** Whether all folders above let everybody through. */
  readonly reachable: boolean;
  /** Whether it belongs to the project, and not to the user alone. */
  readonly project: boolean;
  /** Whether it holds a secret as plain text. */
  readonly secret: boolean;
}

/**
 * Files that others of this machine may change, and so decide what runs; and the user's files with
 * secrets that they may read. A group that has the user's own number is the user's alone. Pure.
 */
export function fileRightsFindings(facts: RightsFacts): readonly Finding[] {
  const { path, mode, uid, gid, reachable, project, secret } = facts;
  if (!reachable) return [];
  const place = { ...NOWHERE, path };
  if ((mode & 0o002) !== 0) {
    return [{
      check: "file-rights",
      severity: "warning",
      ...place,
      message: "Everybody on this machine may change this file, and so what you run",
      remedy: `chmod o-w ${shownName(path)}`,
    }];
  }
  const findings: Finding[] = [];
  if ((mode & 0o020) !== 0 && gid !== uid) {
    findings.push({
      check: "file-rights",
      severity: "info",
      ...place,
      message: "The other members of its group may change this file, and so what you run",
      remedy: `If you do not want that: chmod g-w ${shownName(path)}`,
    });
  }
  if ((mode & 0o004) !== 0 && secret && !project) {
    findings.push({
      check: "file-rights",
      severity: "warning",
      ...place,
      message: "Everybody on this machine may read this file, which holds a secret as plain text",
      remedy: `chmod 600 ${shownName(path)}`,
    });
  }
  return findings;
}
