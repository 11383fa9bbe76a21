import type { ServerConfig } from "../model/definition.ts";
import type { PlaceholderDialect } from "../model/source.ts";
import { canonicalJson } from "./canonical_json.ts";
import { sha256Hex } from "./digest.ts";

/** Grows when the meaning of a digest changes, so that old approvals no longer count. */
const VERSION = "hotplug-trust-2";

/**
 * What a user's approval of a definition is bound to, as 64 hex digits: all that decides what runs
 * or where data goes. Limits, tool lists and texts for humans do not count.
 * @param dialect how its placeholders are read: the same text in another host's file may read other
 * variables, or run commands.
 * @param envFileText what `envFile` holds now; `null` when there is none or it cannot be read.
 * @param fileTexts what the files hold that its placeholders name, in order of appearance; `null` for
 * one that cannot be read or binds nothing. Without such files a digest is what it always was.
 */
export function trustDigest(
  name: string,
  config: ServerConfig,
  dialect: PlaceholderDialect,
  envFileText: string | null,
  fileTexts: readonly (string | null)[] = [],
): Promise<string> {
  return sha256Hex(canonicalJson([
    VERSION,
    name,
    dialect,
    config.type ?? null,
    config.command ?? null,
    config.args ?? [],
    config.env ?? {},
    config.cwd ?? null,
    config.url ?? null,
    config.headers ?? {},
    config.envFile ?? null,
    envFileText,
    config.auth ?? null,
    config.oauth ?? null,
    config.inheritEnv ?? null,
    config.autoApprove ?? [],
    ...(fileTexts.length === 0 ? [] : [fileTexts]),
  ]));
}
