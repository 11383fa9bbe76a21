import { isDeepStrictEqual } from "node:util";
import { entriesIn } from "../edit/file_entries.ts";
import { toHotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { factsOf } from "../platform/local_files.ts";
import { resolveProgram } from "../platform/program.ts";
import { readTextNow } from "../platform/text_file.ts";
import { readConfigDocument } from "../sources/config_document.ts";
import type { SourceContext } from "../sources/source.ts";
import { type ServedHost, servedHost } from "../definitions/served_host.ts";
import { ENTRY_NAME } from "./gateway_words.ts";
import { readHookHeader } from "./hook_header.ts";
import { hookKey } from "./hook_context.ts";

import { type HookRecord, recordOf } from "./hook_records.ts";
import type { HookPart, HookScope, HostEntry, OwnFile } from "./host_kind.ts";
import { isUntouched } from "./own_file.ts";
import type { KnownHost } from "./registry.ts";

/** How the hook of one kind of host stands. */
export interface HookState {
  /** Kind of host. */
  readonly kind: string;
  /** Whose sessions. */
  readonly scope: HookScope;
  /** Whether all of its parts are there. */
  readonly isInstalled: boolean;
  /** Whether the user changed any of them. */
  readonly isChanged: boolean;
  /** Version of Hotplug that wrote it; `null` when not known. */
  readonly version: string | null;
  /** Command line of Hotplug in it; `null` when not known. */
  readonly program: readonly string[] | null;
  /** Files that hold it, or would. */
  readonly paths: readonly string[];
  /** What hinders looking at it; `null` when nothing does. */
  readonly problem: string | null;
}

/** Looks at the hook of one kind of host. Starts nothing. */
export async function inspectHook(
  { kind }: KnownHost,
  scope: HookScope,
  context: SourceContext,
  records: readonly HookRecord[],
): Promise<HookState> {
  const record = recordOf(records, hookKey(kind.id, scope, context));
  const nothing = { isInstalled: false, isChanged: false, version: null, program: null };
  try {
    const parts = kind.parts({ context, scope, program: ["mcp"], version: "0" });
    const looks = await Promise.all(parts.map((part) => lookAt(part, kind.id, context, record)));
    const paths = parts.map((part) => part.what === "file" ? part.path : part.target.path);
    const problem = looks.find((look) => look.problem !== null)?.problem ?? null;
    const base = { kind: kind.id, scope, paths, problem };
    if (!looks.every(({ isThere }) => isThere)) return { ...base, ...nothing };
    const told = looks.find(({ version }) => version !== null)?.version ?? null;
    return {
      ...base,
      isInstalled: true,
      isChanged: looks.some(({ isChanged }) => isChanged),
      version: told ?? record?.version ?? null,
      program: looks.find(({ program }) => program !== null)?.program ?? record?.program ?? null,
    };
  } catch (thrown) {
    const { message } = toHotplugError(thrown);
    return { kind: kind.id, scope, paths: [], problem: message, ...nothing };
  }
}

/** Whether a host seems to be in use here: a folder of its own, or its program on `PATH`. */
export function isHostFound({ kind }: KnownHost, context: SourceContext): boolean {
  const { machine } = context;
  return kind.traces(context).some((path) => factsOf(path) !== null) ||
    kind.programs.some((name) =>
      resolveProgram(name, { machine, env: machine.env, cwd: machine.home }).path !== null
    );
}

/** What one part of a hook looks like. */
interface Look extends Pick<HookState, "isChanged" | "version" | "program" | "problem"> {
  readonly isThere: boolean;
}

const ABSENT: Look = {
  isThere: false,
  isChanged: false,
  version: null,
  program: null,
  problem: null,
};

async function lookAt(
  part: HookPart,
  kind: string,
  context: SourceContext,
  record: HookRecord | null,
): Promise<Look> {
  return part.what === "file"
    ? lookAtFile(part, kind, record)
    : await lookAtEntry(part, kind, context, record);
}

function lookAtFile({ path }: OwnFile, kind: string, record: HookRecord | null): Look {
  const file = readTextNow(path);
  if (file.state === "absent") return ABSENT;
  if (file.state === "unreadable") return { ...ABSENT, problem: file.error.message };
  const known = record?.files.find((one) => one.path === path) ?? null;
  const header = readHookHeader(file.text);
  const json = header === null ? jsonIn(file.text) : null;
  const served = servedIn(json);
  // What neither is written by us nor says so is another's.
  const isOurs = header === null
    ? known !== null || json?.["name"] === ENTRY_NAME || served?.kind === kind
    : header.kind === kind;
  if (!isOurs) return ABSENT;
  const version = json?.["version"];
  return {
    isThere: true,
    isChanged: (header !== null || known !== null) && !isUntouched(file.text, known),
    version: header?.version ?? (typeof version === "string" ? version : null),
    program: served?.program ?? programIn(file.text),
    problem: null,
  };
}

async function lookAtEntry(
  { target }: HostEntry,
  kind: string,
  context: SourceContext,
  record: HookRecord | null,
): Promise<Look> {
  const { path } = target;
  const document = await readConfigDocument(context, { path, project: target.project !== null });
  if (document.state === "absent" || document.state === "empty") return ABSENT;
  if (document.state !== "loaded") return { ...ABSENT, problem: document.error?.message ?? null };
  const value = entriesIn(document.root, target).find(ENTRY_NAME)?.value;
  const served = servedHost(value);
  if (served?.kind !== kind) return ABSENT;
  const known = record?.entries.find((one) => one.path === path) ?? null;
  return {
    isThere: true,
    isChanged: known !== null && !isDeepStrictEqual(value, known.entry.after),
    version: null,
    program: served.program,
    problem: null,
  };
}

/** What the one server of a JSON file of ours serves. */
function servedIn(json: JsonObject | null): ServedHost | null {
  const servers = json?.["mcpServers"];
  return isJsonObject(servers) ? servedHost(servers[ENTRY_NAME]) : null;
}

/** The command line in a script of ours. */
function programIn(text: string): readonly string[] | null {
  const [, list] = /\bPROGRAM = [^\n]*?(\["[^\n]*\])\)?;$/m.exec(text) ?? [];
  try {
    const words = JSON.parse(list ?? "null") as JsonValue;
    return Array.isArray(words) && words.length > 0 &&
        words.every((word) => typeof word === "string")
      ? words as readonly string[]
      : null;
  } catch {
    return null;
  }
}

function jsonIn(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
