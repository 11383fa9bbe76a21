import type { ServerConfig } from "../model/definition.ts";
import { isJsonObject, type JsonValue } from "../model/json.ts";

/** What an entry of a host's file starts. */
export interface ServedHost {
  /** Kind of host that is served. */
  readonly kind: string;
  /** Command line of Hotplug. */
  readonly program: readonly string[];
}

/**
 * What an entry in any host's words serves, when it starts Hotplug for a kind of host; `null` when
 * it starts something else. Pure.
 */
export function servedHost(entry: JsonValue | undefined): ServedHost | null {
  if (!isJsonObject(entry)) return null;
  const nested = isJsonObject(entry["transport"]) ? entry["transport"] : {};
  const words = [entry, nested].flatMap(({ command, cmd, args }) => [command, cmd, args].flat())
    .filter((word) => typeof word === "string");
  const at = words.findIndex((word, index) => word === "serve" && words[index + 1] === "--for");
  const kind = words[at + 2];
  return at < 1 || kind === undefined ? null : { kind, program: words.slice(0, at) };
}

/** The kind of host that an entry serves; `null` when it starts something else. Pure. */
export function servedKind(entry: JsonValue | undefined): string | null {
  return servedHost(entry)?.kind ?? null;
}

/** The same for a definition in canonical form. Pure. */
export function servedByConfig(
  { command, args = [] }: Pick<ServerConfig, "command" | "args">,
): ServedHost | null {
  return servedHost({ command: command ?? null, args: [...args] });
}
