import type { Definition } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { remedyForDisabled, remedyForMissing, remedyForOff, shownName } from "../model/remedies.ts";
import type { WorkspaceSwitches } from "../model/source.ts";

/** Where the switches of a workspace stand for one definition. */
export interface Enablement {
  /** The workspace's switch, as a row shows it. */
  readonly workspace: "enabled" | "disabled";
  /** Why it is off, the switch in its own file included; `null` when it is on. */
  readonly reason: ErrorInfo | null;
  /** `true`: only a workspace file switched it on, which this user must have wanted too. */
  readonly needsRecord: boolean;
  /** `true`: a store's definition that no workspace file enables; it leaves its name to others. */
  readonly unclaimed: boolean;
}

/**
 * The two layers: a store's definition is off until a file that governs its store enables the
 * name; any other is on until its own file or a workspace file switches it off. Off wins. Servers
 * of one session alone are on in any case.
 */
export function enablementOf(
  definition: Definition,
  switches: readonly WorkspaceSwitches[],
): Enablement {
  const { name, config, source } = definition;
  // What a client sends for one session is asked for there and then: no file switches it off.
  const off = source.scope === "session"
    ? undefined
    : switches.find(({ disabled }) => disabled.includes(name));
  const enabledHere = switches.some(({ governs, enabled }) =>
    governs.includes(source.id) && enabled.includes(name)
  );
  const unclaimed = source.store && !enabledHere;
  const workspace = off !== undefined || unclaimed ? "disabled" : "enabled";
  return {
    workspace,
    reason: offReason(definition, {
      switchedOffBy: off?.path ?? null,
      unclaimed,
    }),
    needsRecord: source.store && config.enabled !== false,
    unclaimed,
  };
}

/** Why a definition is off; the switch that is undone first comes first. */
function offReason(
  definition: Definition,
  { switchedOffBy, unclaimed }: {
    readonly switchedOffBy: string | null;
    readonly unclaimed: boolean;
  },
): ErrorInfo | null {
  const { name, config, source } = definition;
  const code = "server-not-runnable";
  if (switchedOffBy !== null) {
    const hint = remedyForDisabled(name);
    return { code, message: `Switched off for this workspace in "${switchedOffBy}"`, hint };
  }
  if (unclaimed) {
    const hint = remedyForDisabled(name);
    return { code, message: `Not enabled in this workspace (${source.label})`, hint };
  }
  return config.enabled === false ? offInFile(definition) : null;
}

/** Why a definition is off in its host's own files, and what to do: a command only if it works. */
export function offInFile({ name, source, switchedOffBy = [] }: Definition): ErrorInfo {
  const { path, scope, keyPath, label } = source;
  const code = "server-not-runnable";
  const [first] = switchedOffBy;
  const locked = switchedOffBy.find(({ undo }) => undo === undefined);
  const hint = remedyForOff(name, {
    path,
    editable: locked === undefined && path !== null && keyPath !== undefined && scope !== "managed",
    byHand: (locked ?? first)?.remedy ?? null,
  });
  if (first === undefined) {
    const where = path === null ? `by ${label}` : `in "${path}"`;
    return { code, message: `Switched off ${where}`, hint };
  }
  const what = first.list === null ? `"${first.path}"` : `"${first.list}" of "${first.path}"`;
  return { code, message: `Switched off by ${what}`, hint };
}

/** Why an enabled definition still waits for its user. */
export function recordReason(definition: Definition): ErrorInfo {
  return {
    code: "server-not-runnable",
    message: "A file of the workspace enables it and you did not",
    hint: `If you want it here: mcp trust ${shownName(definition.name)}`,
  };
}

/** A name that a workspace file enables and nothing defines. */
export interface MissingName {
  /** The name. */
  readonly name: string;
  /** Why there is no server. */
  readonly reason: ErrorInfo;
}

/** The names that are enabled, not switched off, and defined nowhere; each once. */
export function missingNames(
  switches: readonly WorkspaceSwitches[],
  defined: ReadonlySet<string>,
): readonly MissingName[] {
  const off = new Set(switches.flatMap(({ disabled }) => disabled));
  const missing = new Map<string, MissingName>();
  for (const { path, enabled } of switches) {
    for (const name of enabled) {
      if (defined.has(name) || off.has(name) || missing.has(name)) continue;
      const reason: ErrorInfo = {
        code: "server-not-runnable",
        message: `Enabled in "${path}" and defined nowhere`,
        hint: remedyForMissing(name),
      };
      missing.set(name, { name, reason });
    }
  }
  return [...missing.values()];
}
