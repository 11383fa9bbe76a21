import { closest } from "../definitions/suggestion.ts";
import { HotplugError } from "../model/errors.ts";
import type { HostProfile } from "../model/host_profile.ts";
import type { HostKind } from "./host_kind.ts";
import { AGENT_KINDS } from "./kinds/agents.ts";
import { claudeCodeKind } from "./kinds/claude_code.ts";
import { codexKind } from "./kinds/codex.ts";
import { continueKind } from "./kinds/continue_dev.ts";
import { clineKind, copilotKind, qwenKind } from "./kinds/driven.ts";
import { EDITOR_KINDS } from "./kinds/editors.ts";
import { geminiKind } from "./kinds/gemini.ts";
import { opencodeKind } from "./kinds/opencode.ts";
import { moduleKind, ompKind, piKind } from "./kinds/scripts.ts";
import { HOST_PROFILES, hostProfile } from "./profiles.ts";

/** Every kind of host that has a hook. */
const ALL: readonly HostKind[] = [
  moduleKind,
  piKind,
  ompKind,
  opencodeKind,
  claudeCodeKind,
  codexKind,
  geminiKind,
  copilotKind,
  qwenKind,
  clineKind,
  continueKind,
  ...EDITOR_KINDS,
  ...AGENT_KINDS,
];

/** A kind of host, and what it does with tools. */
export interface KnownHost {
  /** Where its hook lies. */
  readonly kind: HostKind;
  /** What it honours. */
  readonly profile: HostProfile;
}

/** Every kind of host, in the order of the profiles. */
export const KNOWN_HOSTS: readonly KnownHost[] = HOST_PROFILES.flatMap((profile) => {
  const kind = ALL.find(({ id }) => id === profile.id);
  return kind === undefined ? [] : [{ kind, profile }];
});

/**
 * The kind of host of a name.
 *
 * @throws {HotplugError} `usage` with the nearest name.
 */
export function knownHost(name: string): KnownHost {
  const id = hostProfile(name)?.id;
  const found = KNOWN_HOSTS.find(({ kind }) => kind.id === id);
  if (found !== undefined) return found;
  const ids = KNOWN_HOSTS.map(({ kind }) => kind.id);
  const near = closest(name.trim().toLowerCase(), ids);
  throw new HotplugError("usage", `Unknown kind of host ${JSON.stringify(name)}`, {
    hint: near === null ? `Known are ${ids.join(", ")}` : `Did you mean "${near}"?`,
    details: { known: ids },
  });
}
