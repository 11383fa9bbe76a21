import { hostNamed } from "../../edit/target.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { SourceContext } from "../../sources/source.ts";
import { ENTRY_NAME } from "../gateway_words.ts";
import type { HookScope, HostKind, OwnFinding } from "../host_kind.ts";
import { objectAt } from "../host_settings.ts";
import { plainHost } from "./plain.ts";

/** The variable that makes opencode leave out the files of projects. */
const NO_PROJECT = "OPENCODE_DISABLE_PROJECT_CONFIG";
/** The variable that holds settings above those of every file. */
const INLINE = "OPENCODE_CONFIG_CONTENT";

/**
 * opencode, by an entry in its settings. A plugin could add the same, but opencode would wait at its
 * first start until npm has installed a package that every plugin may import.
 */
export const opencodeKind: HostKind = plainHost({
  id: "opencode",
  programs: ["opencode"],
  words: { extra: { enabled: true } },
  next: 'Start opencode anew; "opencode mcp list" shows the server hotplug',
  check,
});

/** What keeps the entry or its tools away, beside its switch in any of the files. */
async function check(context: SourceContext, scope: HookScope): Promise<readonly OwnFinding[]> {
  const { env } = context.machine;
  const found: OwnFinding[] = [];
  const off = (path: string | null, message: string, remedy: string): number =>
    found.push({ check: "host-switch", severity: "error", path, message, remedy });
  if (scope === "project" && ["1", "true"].includes((env[NO_PROJECT] ?? "").toLowerCase())) {
    off(null, `${NO_PROJECT} is set: opencode does not read this file`, "Unset that variable");
  }
  const inline = objectAt(settingsIn(env[INLINE]), "mcp", ENTRY_NAME);
  if (inline["enabled"] === false || inline["disabled"] === true) {
    off(null, `${INLINE} switches the entry off`, "Take that out of the variable");
  }
  const { definitions } = await hostNamed("opencode").read(context);
  const own = definitions.find(({ name }) => name === ENTRY_NAME);
  if (own?.config.disabledTools?.includes("*") === true) {
    off(
      own.source.path,
      'The tools of the entry are switched off by "tools"',
      `Take "${ENTRY_NAME}" out of "tools"`,
    );
  }
  return found;
}

/** The settings in a variable; an empty object when it holds none. */
function settingsIn(text: string | undefined): JsonObject {
  try {
    const value = JSON.parse(text ?? "{}") as JsonValue;
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
