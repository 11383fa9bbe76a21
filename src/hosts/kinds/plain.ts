import { dirname } from "node:path";
import { hostNamed } from "../../edit/target.ts";
import { entryPart, type EntryWords } from "../entry_part.ts";
import type { HookScope, HostKind } from "../host_kind.ts";

/** What is said about a host that takes one entry and nothing else. */
export interface PlainHost extends Pick<HostKind, "next" | "renew" | "check"> {
  /** Id of its profile. */
  readonly id: string;
  /** Id of its source. Default: that of the profile. */
  readonly source?: string;
  /** Scopes that it has a file for. Default: both. */
  readonly scopes?: readonly HookScope[];
  /** Names of its program on `PATH`. Default: none. */
  readonly programs?: readonly string[];
  /** What its entry has beyond the command line. */
  readonly words?: EntryWords;
  /** `true`: its own folder is the one above that of its file. Default `false`. */
  readonly isDeep?: boolean;
}

/** A host that takes one entry in the file of its servers. */
export function plainHost(host: PlainHost): HostKind {
  const { id, source = id, scopes = ["user", "project"], programs = [], isDeep, words } = host;
  return {
    id,
    scopes,
    programs,
    traces: (context) => {
      const { writer, userFiles } = hostNamed(source);
      const user = writer?.fileFor(context, "user")?.path;
      const files = userFiles?.(context) ?? (user === undefined ? [] : [user]);
      const folders = files.map((path) => isDeep === true ? dirname(dirname(path)) : dirname(path));
      // That the home folder is there tells nothing.
      return [...files, ...folders.filter((folder) => folder !== context.machine.home)];
    },
    parts: (request) => [entryPart(id, source, request, words)],
    next: host.next,
    ...(host.renew === undefined ? {} : { renew: host.renew }),
    ...(host.check === undefined ? {} : { check: host.check }),
  };
}
