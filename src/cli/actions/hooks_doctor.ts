import { isDeepStrictEqual } from "node:util";
import { readWorkspace } from "../../edit/workspace.ts";
import { doubledHooks, doubledServers, furtherGateways } from "../../hosts/doubled_servers.ts";
import { examineHook } from "../../hosts/examine_hook.ts";
import { readRecords } from "../../hosts/hook_records.ts";
import type { HookFinding } from "../../hosts/host_kind.ts";
import { requireScope } from "../../hosts/hook_options.ts";
import { inspectHook } from "../../hosts/inspect_hook.ts";
import { programVersion } from "../../hosts/program_version.ts";
import { KNOWN_HOSTS } from "../../hosts/registry.ts";
import { VERSION } from "../../model/version.ts";
import { painter } from "../colour.ts";
import type { CliContext } from "../context.ts";
import { SCHEMA_VERSION } from "../documents.ts";
import { chosenHosts, contextOfHooks, type HookFlags } from "../hook_choice.ts";
import { findingLines } from "../hooks_doctor_text.ts";
import type { HooksDoctorDocument } from "../hooks_documents.ts";
import { jsonText } from "../json_output.ts";

/** Flags of `mcp hooks doctor`. */
export interface HooksDoctorFlags extends HookFlags {
  /** Look at the hooks of this project alone. */
  readonly project?: boolean | undefined;
  /** Exit with 1 when an error was found. */
  readonly strict?: boolean | undefined;
}

/** `mcp hooks doctor`: whether hosts really load their hooks, and what to do where they do not. */
export async function hooksDoctor(
  context: CliContext,
  flags: HooksDoctorFlags,
  names: readonly string[],
): Promise<number> {
  const place = await contextOfHooks(context, flags);
  const { machine, folders } = place;
  const { signal } = context;
  const records = readRecords(folders);
  const named = chosenHosts(names);
  if (flags.project === true) { for (const host of named) requireScope(host, "project"); }
  const looks = await Promise.all((names.length === 0 ? KNOWN_HOSTS : named).map(async (host) => ({
    host,
    all: await Promise.all(
      host.kind.scopes.map((scope) => inspectHook(host, scope, place, records)),
    ),
  })));
  const chosen = looks.flatMap(({ host, all }) => {
    const states = all.filter(({ scope }) => flags.project !== true || scope === "project");
    const there = states.filter(({ isInstalled, problem }) => isInstalled || problem !== null);
    const usual = names.length === 0 ? [] : states.slice(0, 1);
    return (there.length > 0 ? there : usual).map((state) => ({ host, state, all }));
  });
  const { rows, definitions } = await readWorkspace({ machine, folders, signal });
  const found: HookFinding[] = [];
  for (const { host, state, all } of chosen) {
    found.push(
      ...await examineHook(host, state, {
        context: place,
        version: VERSION,
        ask: (program) => programVersion(program, { machine, signal }),
      }),
    );
    if (!state.isInstalled) continue;
    const kind = host.kind.id;
    found.push(
      ...[
        ...doubledServers(host.profile, rows, definitions),
        ...furtherGateways(host.profile, definitions, all.flatMap(({ paths }) => paths)),
        ...doubledHooks(host.profile, all),
      ].map((one) => ({ kind, ...one })),
    );
  }
  const findings = withoutRepeats(found);
  const count = (severity: HookFinding["severity"]): number =>
    findings.filter((finding) => finding.severity === severity).length;
  const hooks = chosen.map(({ state: { kind, scope } }) => ({ kind, scope }));
  const { stdout } = context.output;
  if (flags.json === true) {
    const document: HooksDoctorDocument = {
      schemaVersion: SCHEMA_VERSION,
      hooks,
      findings,
      summary: { errors: count("error"), warnings: count("warning"), infos: count("info") },
    };
    stdout.write(jsonText(document));
  } else {
    const lines = findingLines(hooks, findings, {
      home: machine.home,
      workspacePath: place.workspacePath,
      paint: painter(stdout.colour),
      isProject: flags.project === true,
    });
    stdout.write(`${lines.join("\n")}\n`);
  }
  return flags.strict === true && count("error") > 0 ? 1 : 0;
}

/** What was found, each once: much holds for the hooks of both scopes. Pure. */
function withoutRepeats(findings: readonly HookFinding[]): readonly HookFinding[] {
  return findings.filter((one, index) =>
    findings.findIndex((other) => isDeepStrictEqual(one, other)) === index
  );
}
