import { closest } from "../../definitions/suggestion.ts";
import { readRecords } from "../../hosts/hook_records.ts";
import { inspectHook, isHostFound } from "../../hosts/inspect_hook.ts";
import { printHook } from "../../hosts/print_hook.ts";
import { hostProfile } from "../../hosts/profiles.ts";
import { KNOWN_HOSTS, type KnownHost, knownHost } from "../../hosts/registry.ts";
import type { HostProfile } from "../../model/host_profile.ts";
import { VERSION } from "../../model/version.ts";
import { painter } from "../colour.ts";
import type { CliContext } from "../context.ts";
import { SCHEMA_VERSION } from "../documents.ts";
import {
  chosenHosts,
  contextOfHooks,
  type HookFlags,
  programOfHooks,
  scopeOf,
} from "../hook_choice.ts";
import type { HookPrintDocument, HooksDocument, ListedHook } from "../hooks_documents.ts";
import { hookLines } from "../hooks_text.ts";
import { jsonText } from "../json_output.ts";
import { usageError } from "../run_action.ts";
import { shownPath } from "../shown.ts";

/** Flags of `mcp hooks`. */
export interface HooksFlags extends HookFlags {
  /** List hosts that do not seem to be in use here, too. */
  readonly all?: boolean | undefined;
}

/** Flags of `mcp hooks print`. */
export interface PrintFlags extends HookFlags {
  /** In this project alone. */
  readonly project?: boolean | undefined;
}

/** `mcp hooks`: the hosts, and which of them have a hook. Starts nothing. */
export async function hooks(
  context: CliContext,
  flags: HooksFlags,
  names: readonly string[],
): Promise<number> {
  const place = await contextOfHooks(context, flags);
  const hosts = names.length === 0 ? KNOWN_HOSTS : listedHosts(names);
  const records = readRecords(place.folders);
  const rows = (await Promise.all(hosts.flatMap((host) => {
    const found = isHostFound(host, place);
    return host.kind.scopes.map(async (scope): Promise<ListedHook> => {
      const state = await inspectHook(host, scope, place, records);
      const { isInstalled, isChanged, version, paths, problem } = state;
      return {
        kind: host.kind.id,
        label: host.profile.label,
        found,
        scope,
        installed: isInstalled,
        changed: isChanged,
        version,
        refresh: refreshOf(host.profile),
        paths,
        problem,
      };
    });
  }))).flat();
  const { stdout } = context.output;
  if (flags.json === true) {
    const document: HooksDocument = {
      schemaVersion: SCHEMA_VERSION,
      workspacePath: place.workspacePath,
      hooks: rows,
    };
    stdout.write(jsonText(document));
    return 0;
  }
  const lines = hookLines(rows, {
    all: flags.all === true || names.length > 0,
    home: place.machine.home,
    workspacePath: place.workspacePath,
    paint: painter(stdout.colour),
    width: stdout.columns,
    version: VERSION,
  });
  stdout.write(`${lines.join("\n")}\n`);
  return 0;
}

/** `mcp hooks print`: what install would write. Writes nothing. */
export async function print(
  context: CliContext,
  flags: PrintFlags,
  [name = ""]: readonly string[],
): Promise<number> {
  const host: KnownHost = knownHost(name);
  const place = await contextOfHooks(context, flags);
  const scope = scopeOf(host, flags.project);
  const program = await programOfHooks(place, context);
  const files = await printHook(host, { context: place, scope, program, version: VERSION });
  const { stdout } = context.output;
  if (flags.json === true) {
    const kind = host.kind.id;
    const document: HookPrintDocument = { schemaVersion: SCHEMA_VERSION, kind, scope, files };
    stdout.write(jsonText(document));
    return 0;
  }
  const { workspacePath, machine: { home } } = place;
  for (const { path, text } of files) {
    const heading = `${shownPath(path, workspacePath, home)}:\n`;
    // One file is printed as it is, so that it can be put where one wants it.
    if (files.length > 1) stdout.write(heading);
    else context.output.stderr.write(heading);
    stdout.write(text);
  }
  return 0;
}

/** Commands below `mcp hooks`, one of which may be meant by a word that is no kind of host. */
const COMMANDS = ["list", "install", "uninstall", "print", "doctor"];

/**
 * The hosts of names.
 * @throws {HotplugError} `usage` for what is none.
 */
function listedHosts(names: readonly string[]): readonly KnownHost[] {
  const [name = ""] = names;
  const near = hostProfile(name) === null ? closest(name, COMMANDS) : null;
  if (near === null) return chosenHosts(names);
  throw usageError(
    `Cannot run "hooks ${name}": there is no such command`,
    `Did you mean "mcp hooks ${near}"?`,
  );
}

function refreshOf({ refreshes, asksAgain }: HostProfile): ListedHook["refresh"] {
  return refreshes ? asksAgain : "never";
}
